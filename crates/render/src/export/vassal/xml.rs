//! A minimal XML writer for the build file of a module. There is little XML, and its escaping
//! depends on the place.

use std::fmt::Write;

/// An XML element.
pub(super) struct Element {
    class: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Child>,
}

enum Child {
    Element(Element),
    Text(String),
}

impl Element {
    pub(super) fn new(class: &'static str) -> Element {
        Element { class, attributes: Vec::new(), children: Vec::new() }
    }

    pub(super) fn attribute(mut self, name: &'static str, value: impl ToString) -> Element {
        self.attributes.push((name, value.to_string()));
        self
    }

    pub(super) fn child(mut self, part: Element) -> Element {
        self.children.push(Child::Element(part));
        self
    }

    pub(super) fn children(mut self, parts: impl IntoIterator<Item = Element>) -> Element {
        self.children.extend(parts.into_iter().map(Child::Element));
        self
    }

    pub(super) fn text(mut self, text: impl Into<String>) -> Element {
        self.children.push(Child::Text(text.into()));
        self
    }

    /// The element as an XML file.
    pub(super) fn file(&self) -> String {
        let mut out =
            String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
        self.write(&mut out, 0);
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        let margin = "  ".repeat(depth);
        let _ = write!(out, "{margin}<{}", self.class);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"{}\"", escaped(value, true));
        }
        if self.children.is_empty() {
            out.push_str("/>\n");
            return;
        }
        out.push('>');
        // White space around a text would belong to it.
        let text = self.children.iter().any(|children| matches!(children, Child::Text(_)));
        if !text {
            out.push('\n');
        }
        for children in &self.children {
            match children {
                Child::Element(part) => part.write(out, depth + 1),
                Child::Text(text) => out.push_str(&escaped(text, false)),
            }
        }
        let _ = writeln!(out, "{}</{}>", if text { "" } else { &margin }, self.class);
    }
}

/// Escapes a text and drops characters that XML cannot hold. In attributes, line breaks and tabs
/// become numeric references, because readers replace them by spaces.
fn escaped(text: &str, attribute: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if attribute => out.push_str("&quot;"),
            '\n' | '\t' if attribute => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}
