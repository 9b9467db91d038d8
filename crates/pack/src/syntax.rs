//! Classifies TOML syntax errors. `toml` reports sentences only. `toml_parser`, which it is built
//! on, reports data. So the text is parsed a second time with `toml_parser`, and each error of
//! `toml` is looked up there by its span.

use std::ops::Range;
use toml_parser::decoder::Encoding;
use toml_parser::parser::{EventReceiver, RecursionGuard, parse_document};
use toml_parser::{ErrorSink, Expected, ParseError, Raw, Source, Span};

/// The nesting depth that `toml` accepts.
const DEEPEST: u32 = 80;

/// The kind of a TOML syntax error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxKind {
    /// An unclosed bracket, or a value that does not belong in it. Everything after it seems wrong
    /// too.
    Bracket,
    /// Values or dotted keys that are nested too deeply.
    TooDeep,
    /// A duplicate name, or one that is first a value and then a table.
    NameTwice,
    Other,
}

/// The grammar errors of a text, with the spans of its brackets and keys.
pub(crate) struct Syntax<'t> {
    text: &'t str,
    errors: Vec<ParseError>,
    /// How many of the errors [`Syntax::kind`] has already matched.
    seen: usize,
    arrays: Vec<Span>,
    inline_tables: Vec<Span>,
    /// The opening brackets of `[[…]]`.
    array_tables: Vec<Span>,
    /// The keys that are well-formed.
    keys: Vec<Span>,
}

impl<'t> Syntax<'t> {
    pub fn of(text: &'t str) -> Syntax<'t> {
        let mut syntax = Syntax {
            text,
            errors: Vec::new(),
            seen: 0,
            arrays: Vec::new(),
            inline_tables: Vec::new(),
            array_tables: Vec::new(),
            keys: Vec::new(),
        };
        let tokens = Source::new(text).lex().into_vec();
        let mut errors = Vec::new();
        // Without the guard, a file of nothing but brackets would overflow the stack.
        parse_document(&tokens, &mut RecursionGuard::new(&mut syntax, DEEPEST), &mut errors);
        syntax.errors = errors;
        syntax
    }

    /// The kind of the next error that `toml` reports, by its span. `toml` reports the grammar
    /// errors first, in the same order. Only the error for keys that are nested too deeply has no
    /// span.
    pub fn kind(&mut self, span: Option<Range<usize>>) -> SyntaxKind {
        let Some(span) = span else { return SyntaxKind::TooDeep };
        let here = |other: &Span| (other.start()..other.end()) == span;
        let expected = |error: &ParseError| {
            error.expected().is_some() && error.unexpected().is_some_and(|span| here(&span))
        };
        match self.errors.iter().skip(self.seen).position(expected) {
            Some(place) => {
                self.seen += place + 1;
                if self.in_bracket(&self.errors[self.seen - 1]) {
                    SyntaxKind::Bracket
                } else {
                    SyntaxKind::Other
                }
            }
            None if self.arrays.iter().chain(&self.inline_tables).any(here) => SyntaxKind::TooDeep,
            None if self.keys.iter().any(here) => SyntaxKind::NameTwice,
            None => SyntaxKind::Other,
        }
    }

    /// Whether an error is about brackets. The parser recovers on the spot from a missing or extra
    /// equals sign, or a comma between two keys, so what follows is parsed correctly.
    fn in_bracket(&self, error: &ParseError) -> bool {
        let expects = |signs: &[&str]| {
            error
                .expected()
                .unwrap_or_default()
                .iter()
                .any(|one| matches!(one, Expected::Literal(sign) if signs.contains(sign)))
        };
        let within = |open: &[Span]| error.context().is_some_and(|context| open.contains(&context));
        // The parser inserts a missing opening bracket as an empty span at the error.
        let added = |open: &[Span]| {
            error.unexpected().is_some_and(|span| span.is_empty() && open.contains(&span))
        };
        let header = || {
            error.context().is_some_and(|context| {
                self.array_tables.iter().any(|open| open.start() == context.start())
            })
        };
        if within(&self.inline_tables) {
            let sign =
                error.unexpected().and_then(|span| self.text.get(span.start()..)?.chars().next());
            return expects(&["}"])
                || matches!(sign, Some(',' | ']'))
                || (matches!(sign, Some('[' | '{')) && !expects(&["="]));
        }
        within(&self.arrays)
            || (expects(&["["]) && added(&self.arrays))
            || (expects(&["{"]) && added(&self.inline_tables))
            || (expects(&["]", "]]"]) && header())
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

    fn array_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.array_tables.push(span);
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
