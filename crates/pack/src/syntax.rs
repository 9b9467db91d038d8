//! What kind of fault a text has that is not TOML. `toml` reports sentences only. `toml_parser`, which it is built on, reports
//! data, so the text is parsed once more with it, and each error of `toml` is looked up there by its span.

use std::ops::Range;
use toml_parser::decoder::Encoding;
use toml_parser::parser::{EventReceiver, RecursionGuard, parse_document};
use toml_parser::{ErrorSink, Expected, ParseError, Raw, Source, Span};

/// How deep `toml` reads nested values.
const DEEPEST: u32 = 80;

/// The kind of an error of `toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxKind {
    /// A bracket that is never closed, or a value that does not belong in it. All that follows seems wrong too.
    Bracket,
    /// Values or dotted keys that are nested too deep.
    TooDeep,
    /// A name that stands twice, or is first a value and then a table.
    NameTwice,
    Other,
}

/// The errors of the grammar, with the brackets and keys of the text.
pub(crate) struct Syntax<'t> {
    text: &'t str,
    errors: Vec<ParseError>,
    arrays: Vec<Span>,
    inline_tables: Vec<Span>,
    /// The keys that are well-formed.
    keys: Vec<Span>,
}

impl<'t> Syntax<'t> {
    pub fn of(text: &'t str) -> Syntax<'t> {
        let mut syntax = Syntax { text, errors: Vec::new(), arrays: Vec::new(), inline_tables: Vec::new(), keys: Vec::new() };
        let tokens = Source::new(text).lex().into_vec();
        let mut errors = Vec::new();
        // Without the guard a file of nothing but brackets would overflow the stack.
        parse_document(&tokens, &mut RecursionGuard::new(&mut syntax, DEEPEST), &mut errors);
        syntax.errors = errors;
        syntax
    }

    /// The kind of an error that `toml` reports at this span. Only for keys that are nested too deep it gives none.
    pub fn kind(&self, span: Option<Range<usize>>) -> SyntaxKind {
        let Some(span) = span else { return SyntaxKind::TooDeep };
        let here = |other: &Span| (other.start()..other.end()) == span;
        let expected = |error: &&ParseError| error.expected().is_some() && error.unexpected().is_some_and(|span| here(&span));
        match self.errors.iter().find(expected) {
            Some(error) if self.in_bracket(error) => SyntaxKind::Bracket,
            Some(_) => SyntaxKind::Other,
            None if self.arrays.iter().chain(&self.inline_tables).any(here) => SyntaxKind::TooDeep,
            None if self.keys.iter().any(here) => SyntaxKind::NameTwice,
            None => SyntaxKind::Other,
        }
    }

    /// Whether an error lies within the brackets of a value. A comma or an equals sign that is missing between two keys is mended
    /// where it is, so what follows is read well.
    fn in_bracket(&self, error: &ParseError) -> bool {
        let expects = |signs: &[&str]| {
            error.expected().unwrap_or_default().iter().any(|one| matches!(one, Expected::Literal(sign) if signs.contains(sign)))
        };
        let within = |open: &[Span]| error.context().is_some_and(|context| open.contains(&context));
        expects(&["[", "{"]) || within(&self.arrays) || (within(&self.inline_tables) && !expects(&[",", "="]))
    }
}

impl EventReceiver for Syntax<'_> {
    fn array_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        self.arrays.push(span);
        true
    }

    fn inline_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        self.inline_tables.push(span);
        true
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, _: &mut dyn ErrorSink) {
        let Some(raw) = self.text.get(span.start()..span.end()) else { return };
        let mut errors = Vec::new();
        Raw::new_unchecked(raw, encoding, span).decode_key(&mut (), &mut errors);
        if errors.is_empty() {
            self.keys.push(span);
        }
    }
}
