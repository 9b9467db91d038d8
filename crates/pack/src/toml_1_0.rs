//! Finds what TOML 1.1 allows and TOML 1.0 does not. The parser reads both, but many editors and
//! programs read only 1.0.

use crate::problem::NewToml;
use std::ops::Range;
use toml_parser::decoder::Encoding;
use toml_parser::parser::{EventReceiver, RecursionGuard, parse_document};
use toml_parser::{ErrorSink, Source, Span};

/// The nesting depth that `toml` accepts.
const DEEPEST: u32 = 80;

/// What makes a text TOML 1.1, with its place. Each inline table is reported once.
pub(crate) fn newer_parts(text: &str) -> Vec<(NewToml, Range<usize>)> {
    let mut parts = Parts { text, open: Vec::new(), comma: None, found: Vec::new() };
    let tokens = Source::new(text).lex().into_vec();
    parse_document(&tokens, &mut RecursionGuard::new(&mut parts, DEEPEST), &mut ());
    parts.found
}

/// An open bracket.
enum Open {
    Array,
    InlineTable { start: Span, reported: bool },
}

struct Parts<'t> {
    text: &'t str,
    open: Vec<Open>,
    /// The comma after which no other key or value has come yet.
    comma: Option<Span>,
    found: Vec<(NewToml, Range<usize>)>,
}

impl Parts<'_> {
    fn add(&mut self, what: NewToml, span: Span) {
        self.found.push((what, span.start()..span.end()));
    }
}

impl EventReceiver for Parts<'_> {
    fn array_open(&mut self, _: Span, _: &mut dyn ErrorSink) -> bool {
        self.comma = None;
        self.open.push(Open::Array);
        true
    }

    fn array_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.comma = None;
        self.open.pop();
    }

    fn inline_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        self.comma = None;
        self.open.push(Open::InlineTable { start: span, reported: false });
        true
    }

    fn inline_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        if let Some(comma) = self.comma.take() {
            self.add(NewToml::LastComma, comma);
        }
        self.open.pop();
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, _: &mut dyn ErrorSink) {
        self.comma = None;
        self.escapes(span, encoding);
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, _: &mut dyn ErrorSink) {
        self.comma = None;
        self.escapes(span, encoding);
    }

    fn value_sep(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.comma = Some(span);
    }

    fn newline(&mut self, _: Span, _: &mut dyn ErrorSink) {
        if let Some(Open::InlineTable { start, reported: reported @ false }) = self.open.last_mut()
        {
            *reported = true;
            let start = *start;
            self.add(NewToml::LineBreak, start);
        }
    }
}

impl Parts<'_> {
    /// Reports `\e` and `\x41` in a text with escapes.
    fn escapes(&mut self, span: Span, encoding: Option<Encoding>) {
        if !matches!(encoding, Some(Encoding::BasicString | Encoding::MlBasicString)) {
            return;
        }
        let text = self.text.get(span.start()..span.end()).unwrap_or_default();
        let mut letters = text.char_indices();
        while let Some((at, letter)) = letters.next() {
            if letter == '\\' && matches!(letters.next(), Some((_, 'e' | 'x'))) {
                let start = span.start() + at;
                self.found.push((NewToml::Escape, start..start + 2));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::newer_parts;
    use crate::problem::NewToml;

    fn kinds(text: &str) -> Vec<NewToml> {
        newer_parts(text).into_iter().map(|(what, _)| what).collect()
    }

    #[test]
    fn an_inline_table_is_one_line_without_a_last_comma() {
        assert_eq!(kinds("a = { b = 1,\n c = 2 }"), [NewToml::LineBreak]);
        assert_eq!(kinds("a = { b = 1, }"), [NewToml::LastComma]);
        assert_eq!(
            kinds("a = {\n b = 1,\n c = { d = 2 },\n}"),
            [NewToml::LineBreak, NewToml::LastComma]
        );
        assert_eq!(newer_parts("a = { b = 1, }")[0].1, 11..12, "the comma");
        assert_eq!(newer_parts("a = {\nb = 1 }")[0].1, 4..5, "the bracket");
    }

    #[test]
    fn arrays_may_break_and_end_with_a_comma() {
        assert_eq!(kinds("a = { b = [\n 1,\n 2,\n], c = 3 }\nd = [\n { e = [1,] },\n]\n"), []);
    }

    #[test]
    fn new_escapes_are_found_only_where_escapes_count() {
        assert_eq!(kinds(r#"a = "\e \x41""#), [NewToml::Escape, NewToml::Escape]);
        assert_eq!(kinds(r#"a = "\\e \\x41 \u0041""#), []);
        assert_eq!(kinds(r"a = '\e \x41'"), []);
    }

    #[test]
    fn broken_texts_do_not_panic() {
        for text in ["a = {", "a = {,}", "}", "a = [{\n", &"[".repeat(2000), &"{a=".repeat(2000)] {
            newer_parts(text);
        }
    }
}
