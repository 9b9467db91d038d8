//! The HTML of the log: undo and redo, a note, the filters, and the entries, newest first. Undone
//! entries stay, struck out.

use super::Message;
use super::game::Game;
use super::log::{Entry, EntryKind, Message as Log};
use super::more::Message as More;
use super::more_view::send as send_more;
use crate::message::Message as Outer;
use crate::parts::{VALUE, act, form_fields, icon, resolution};
use adjutant_game::{ConsentFor, ConsentRequest, Unit, Voice};
use adjutant_wording::en::page::table as text;
use maud::{Markup, html};

fn send(message: Log) -> String {
    act(&Outer::Table(Message::Log(message)))
}

impl Game {
    /// The log.
    pub fn log_view(&self) -> Markup {
        let all = self.shown_entries();
        let count = all.len();
        html! {
            (self.back_view())
            form.note-form data-do=(send(Log::AddNote(form_fields()))) autocomplete="off" {
                label.field { span.visually-hidden { (text::NOTE) } input #note type="text" name="note" maxlength="500" placeholder=(text::NOTE); }
                button.button type="submit" { (text::NOTE_IT) }
            }
            (self.filter_view())
            ol.log-list {
                @for entry in all.into_iter().take(self.filter.shown) { (self.entry_view(entry)) }
            }
            @if count == 0 { p.hint { (text::NO_ENTRY) } }
            @if count > self.filter.shown { button.button type="button" data-do=(send(Log::ShowOlder)) { (text::older(count - self.filter.shown)) } }
        }
    }

    fn back_view(&self) -> Markup {
        html! {
            div.back-row {
                (self.back_button(ConsentFor::Undo, Some("u")))
                (self.back_button(ConsentFor::Redo, Some("r")))
            }
        }
    }

    /// Undo or redo, or the request for consent to it.
    pub(super) fn back_button(&self, want: ConsentFor, key: Option<&str>) -> Markup {
        let needed = |want: ConsentFor| self.table.consent_needed(&self.me, want);
        let agreed = |want: ConsentFor, voices: &[Voice]| {
            self.table.asked().is_some_and(|asked| {
                asked.want == want && voices.iter().all(|voice| asked.yes.contains(voice))
            })
        };
        let (free, possible) = match needed(want) {
            Err(_) => (true, false),
            Ok(sides) => (sides.is_empty() || agreed(want, &sides), true),
        };
        let asks = self.table.asked().is_some_and(|asked| asked.want == want);
        let (message, picture, word) = match want {
            ConsentFor::Undo => (Log::Undo, icon::undo(), text::UNDO),
            _ => (Log::Redo, icon::redo(), text::REDO),
        };
        let message = if free { message } else { Log::AskConsent(want) };
        html! {
            button.button.button-small type="button" data-key=[key] disabled[!possible || (!free && asks)] data-do=(send(message)) {
                (picture) (text::back(word, free))
            }
        }
    }

    /// The request, as this player sees it.
    fn asks_in_words(&self, asked: &ConsentRequest) -> String {
        match self.server.is_some() && asked.by == self.me {
            true => text::you_asked(asked.want, asked.event),
            false => text::asks(&asked.by, asked.want, asked.event),
        }
    }

    /// Who has not answered a request yet, unless it was declined.
    pub(super) fn waiting_for(&self, asked: &ConsentRequest) -> Option<String> {
        let voices = self.table.consent_needed(&asked.by, asked.want).ok()?;
        let silent = voices.iter().filter(|voice| !asked.yes.contains(voice));
        let names: Vec<&str> = silent.map(|voice| self.table.voice_name(voice)).collect();
        let waits = asked.no.is_empty() && !names.is_empty();
        waits.then(|| text::waiting_for(&names.join(", ")))
    }

    /// The request for consent.
    pub fn asked_view(&self) -> Markup {
        let Some(asked) = self.table.asked() else {
            return html! { @if let Some(lapsed) = &self.lapsed { section.asked role="status" { p { (text::lapsed(&lapsed.by, lapsed.want, lapsed.event)) } } } };
        };
        let words = asked
            .event
            .checked_sub(1)
            .and_then(|place| self.entries.get(place as usize))
            .map_or("", |entry| &entry.words);
        let may = self.table.may_consent(&self.me);
        let unconfirmed = asked.want == ConsentFor::Release
            && self.table.not_confirmed().iter().any(|name| *name == *self.me);
        let names = |voices: &[Voice]| {
            let names = voices.iter().map(|voice| self.table.voice_name(voice));
            names.collect::<Vec<_>>().join(", ")
        };
        html! {
            section.asked role="status" {
                h2 { (self.asks_in_words(asked)) }
                p { (words) }
                @if let Some(waiting) = self.waiting_for(asked).filter(|_| !may) { p { (waiting) } }
                @if !asked.yes.is_empty() { p { (text::consents(&names(&asked.yes), true)) } }
                @if !asked.no.is_empty() { p { (text::consents(&names(&asked.no), false)) } }
                @if may {
                    div.actions-row {
                        button.button type="button" data-do=(send(Log::Consent(true))) { (icon::check()) (if asked.no.is_empty() { text::CONSENT } else { text::CONSENT_AFTER_ALL }) }
                        @if asked.no.is_empty() { button.button type="button" data-do=(send(Log::Consent(false))) { (icon::close()) (text::NO_CONSENT) } }
                    }
                }
                @if unconfirmed {
                    p.hint { (text::CONFIRM_RELEASE_HINT) }
                    button.button.button-main type="button" data-do=(send_more(More::Close)) { (text::CONFIRM_RELEASE) }
                }
                @if asked.by == self.me && matches!(asked.want, ConsentFor::Undo | ConsentFor::Redo) && self.table.consent_needed(&self.me, asked.want).is_ok_and(|voices| voices.iter().all(|voice| asked.yes.contains(voice))) {
                    button.button.button-main type="button" data-do=(send(if asked.want == ConsentFor::Undo { Log::Undo } else { Log::Redo })) { (if asked.want == ConsentFor::Undo { text::UNDO } else { text::REDO }) }
                }
            }
        }
    }

    fn filter_view(&self) -> Markup {
        let filter = &self.filter;
        let units: Vec<&Unit> = self.table.state().units.iter().map(AsRef::as_ref).collect();
        html! {
            details.log-filter open[filter.is_on()] {
                summary { (icon::search()) (text::FILTER) @if filter.is_on() { " " span.tag { (text::FILTERED) } } }
                div.filter-fields {
                    label.field { span.field-label { (text::FILTER_TEXT) } input #log-text type="search" value=(filter.text) maxlength="60" data-on="input" data-do=(send(Log::Text(VALUE.into()))); }
                    label.field { span.field-label { (text::FILTER_KIND) } select #log-kind data-do=(send(Log::Kind(VALUE.into()))) {
                        @for (id, label) in text::KINDS { option value=(id) selected[filter.kind.map_or("", EntryKind::id) == *id] { (label) } }
                    } }
                    label.field { span.field-label { (text::SIDE) } select #log-side data-do=(send(Log::Side(VALUE.into()))) {
                        option value="" { (text::ALL) }
                        @for side in self.table.sides() { option value=(side) selected[filter.side == *side] { (side) } }
                    } }
                    label.field { span.field-label { (text::UNIT) } select #log-unit data-do=(send(Log::Unit(VALUE.into()))) {
                        option value="" { (text::ALL) }
                        @for unit in units { option value=(unit.id) selected[filter.unit == unit.id] { (unit.name) } }
                    } }
                    @if filter.is_on() { button.button.button-small type="button" data-do=(send(Log::ClearFilter)) { (text::FILTER_OFF) } }
                }
            }
        }
    }

    fn entry_view(&self, entry: &Entry) -> Markup {
        let open = self.filter.open.as_ref().filter(|(n, _)| *n == entry.n);
        let undone = entry.counts && !self.table.counts(entry.n);
        html! {
            li.entry.entry-undone[undone] data-id=(format!("entry-{}", entry.n)) data-kind=(entry.kind.id()) {
                button.entry-open type="button" aria-expanded=(if open.is_some() { "true" } else { "false" }) data-do=(send(Log::ShowEntry(entry.n))) {
                    span.entry-n { (entry.n) }
                    span.entry-words {
                        @if undone { span.tag { (text::UNDONE_TAG) } " " }
                        (entry.words)
                        @if entry.sealed { " " span.tag.tag-sealed { (icon::check()) (text::SEALED) } }
                    }
                }
                @if let Some((n, card)) = open {
                    div.entry-panel {
                        p.hint { (text::at(&entry.at)) }
                        @if let Some(card) = card {
                            @for sentence in &card.sentences { p { (sentence) } }
                            @if let Some(resolution) = &card.resolution { (resolution::arithmetic(&self.pack, resolution)) }
                        }
                        button.button.button-small type="button" data-do=(send(Log::CopyLink(*n))) { (icon::link()) (text::ENTRY_LINK) }
                    }
                }
            }
        }
    }
}
