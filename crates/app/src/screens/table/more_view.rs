//! The HTML of the tab “More”.

use super::game::Game;
use super::more::{ExportFormat, Message as More};
use super::play_view::send as send_play;
use super::{Message, play, roster};
use crate::app::Shared;
use crate::message::Message as Outer;
use crate::parts::{act, form, form_fields, icon};
use crate::route::{GameTask, Route};
use adjutant_game::{DeckAct, DeckLeft, Seat};
use adjutant_pack::{MemoryId, OptionId};
use adjutant_wording::en::page::{home, table as text};
use maud::{Markup, html};

pub(super) fn send(message: More) -> String {
    act(&Outer::Table(Message::More(message)))
}

impl Game {
    /// The whole tab.
    pub fn more_view(&self, shared: &Shared) -> Markup {
        html! {
            (self.turn_view())
            (self.memory_view())
            (self.decks_view())
            (self.people_view())
            (self.together_view(shared))
            (self.luck_view())
            (self.files_view())
            (self.options_view())
            (self.name_view())
        }
    }

    fn turn_view(&self) -> Markup {
        let (now, turn) = self.table.turn();
        html! {
            section aria-labelledby="more-turn" {
                h2 #more-turn { (text::turn(turn)) }
                @if self.pack.phases().is_empty() {
                    button.button type="button" data-do=(send_play(play::Message::Phase(String::new()))) { (text::NEXT_TURN) }
                } @else {
                    ol.phases {
                        @for (_, phase) in self.table.open_phases() {
                            @let here = now.is_some_and(|now| now.id == phase.id);
                            li { button.phase type="button" aria-current=[here.then_some("step")] data-do=(send_play(play::Message::Phase(phase.id.to_string()))) { (phase.title) @if here { " " span.tag { (text::HERE_NOW) } } } }
                        }
                    }
                }
                p { a href=(Route::Sheet(self.pack.id().to_string())) { (icon::sheet()) (text::the_sheet(self.pack.title())) } }
            }
        }
    }

    fn memory_view(&self) -> Markup {
        let value = |place: MemoryId| {
            self.table.state().memory.get(place).map(|value| roster::written(&self.pack, *value))
        };
        html! {
            @if !self.pack.memory().is_empty() {
                section aria-labelledby="more-memory" {
                    h2 #more-memory { (text::MEMORY) }
                    @for ((side, memory), now) in &self.table.state().side_memory {
                        p { (self.table.sides()[*side]) ", " (self.pack.memory()[*memory].label) ": " b { (roster::written(&self.pack, *now)) } }
                    }
                    @for (place, field) in self.pack.memory().iter_enumerated().filter(|(place, _)| !self.pack.is_per_side(*place)) {
                        (form::setting(field, value(place), &|value| Outer::Table(Message::More(More::Memory(field.id.to_string(), value)))))
                    }
                }
            }
        }
    }

    fn decks_view(&self) -> Markup {
        let (decks, bags) = (self.table.decks(), self.table.bags());
        html! {
            @if !decks.is_empty() || !bags.is_empty() {
                section aria-labelledby="more-decks" {
                    h2 #more-decks { (text::DECKS) }
                    @for deck in decks { (self.deck_view(&deck)) }
                    @for (bag, units) in &bags {
                        p { b { (bag.title) } " " (adjutant_wording::en::chits_left(units.len())) }
                    }
                    (self.hands_view())
                }
            }
        }
    }

    /// The hands and the piles. A hand is shown to its owner.
    fn hands_view(&self) -> Markup {
        let hands = self.table.hands(&self.me);
        let title = |deck: &adjutant_pack::DeckSheet, card: u32| {
            deck.card(card).map(|card| card.title.to_string()).unwrap_or_default()
        };
        html! {
            @for hand in &hands {
                @let side = self.table.sides().get(hand.side).map_or("", String::as_str);
                div.hand-of-cards {
                    p { b { (text::hand_of(&hand.deck.title, hand.unit.map_or(side, |unit| &unit.name))) } " " (text::in_hand(hand.count, hand.size)) }
                    @if let Some(cards) = &hand.cards { ul { @for card in cards { li { (title(hand.deck, *card)) } } } }
                }
            }
            @if !hands.is_empty() { p.hint { (text::HANDS_ARE_A_COURTESY) } }
            @for (deck, side, pile, cards) in self.table.piles() {
                @let side = side.and_then(|side| self.table.sides().get(side)).map_or("", String::as_str);
                div.hand-of-cards {
                    p { b { (text::pile_of(&deck.title, pile, side)) } }
                    ul { @for card in cards { li { (title(deck, card)) } } }
                }
            }
        }
    }

    fn deck_view(&self, deck: &DeckLeft<'_>) -> Markup {
        let title = self.pack.deck(deck.deck).map_or(deck.deck, |sheet| &sheet.title);
        let side = deck.side.and_then(|side| self.table.sides().get(side).cloned());
        let message = |act: DeckAct, cards| {
            send(More::Deck { deck: deck.deck.to_owned(), side: side.clone(), act, cards })
        };
        html! {
            div.deck-left {
                p { b { (title) @if let Some(side) = &side { " – " (side) } } " " (text::left_of(deck.left, deck.size)) }
                span.deck-meter aria-hidden="true" { span data-size=(deck.left * 100 / deck.size.max(1)) {} }
                details {
                    summary { (text::DECK_BY_HAND) }
                    button.button.button-small type="button" data-do=(message(DeckAct::Reshuffle, std::collections::BTreeMap::new())) { (text::RESHUFFLE) }
                    form.note-form data-do=(message(DeckAct::TakeOut, form_fields())) { label.field { span.field-label { (text::TAKE_OUT) } input type="text" inputmode="numeric" name="cards"; } button.button.button-small type="submit" { (text::TAKE_OUT_DO) } }
                    form.note-form data-do=(message(DeckAct::PutBack, form_fields())) { label.field { span.field-label { (text::PUT_BACK) } input type="text" inputmode="numeric" name="cards"; } button.button.button-small type="submit" { (text::PUT_BACK_DO) } }
                }
            }
        }
    }

    fn people_view(&self) -> Markup {
        let people = self.table.people();
        let seat = |seat: &Seat| match seat {
            Seat::Player { side } => side.clone(),
            Seat::Umpire => text::UMPIRE.to_owned(),
            Seat::Spectator => text::SPECTATOR.to_owned(),
        };
        html! {
            section aria-labelledby="more-people" {
                h2 #more-people { (text::PEOPLE) }
                @if people.is_empty() { p.hint { (text::NO_PLAYER_SEATED) } }
                ul.people {
                    @for (name, role) in people {
                        li {
                            span { b { (name) } " " (seat(role)) }
                            @if *name == self.me { span.tag { (text::YOU) } } @else if self.server.is_none() { button.button.button-small type="button" data-do=(send(More::ActAs(name.clone()))) { (text::act_as(name)) } }
                        }
                    }
                }
                @if self.server.is_none() { details {
                    summary { (text::SEAT) }
                    form.note-form data-do=(send(More::Seat(form_fields()))) autocomplete="off" {
                        label.field { span.field-label { (home::YOUR_NAME) } input type="text" name="who" maxlength="60" value=(if people.is_empty() { self.me.as_str() } else { "" }) required; }
                        label.field { span.field-label { (text::AS) } select name="role" {
                            @for side in self.table.sides() { option value=(format!("side:{side}")) { (side) } }
                            option value="umpire" { (text::UMPIRE) }
                            option value="spectator" { (text::SPECTATOR) }
                        } }
                        button.button.button-small type="submit" { (text::SIT) }
                    }
                } }
            }
        }
    }

    fn luck_view(&self) -> Markup {
        html! {
            section aria-labelledby="more-luck" {
                h2 #more-luck { (text::LUCK) }
                @match &self.more.luck {
                    None => { p.hint { (text::LUCK_HINT) } button.button type="button" data-do=(send(More::Task(GameTask::Luck))) { (icon::odds()) (text::WEIGH) } },
                    Some(luck) => { (luck.view()) },
                }
            }
        }
    }

    fn files_view(&self) -> Markup {
        let file = |message: More, word: &str| html! { button.button type="button" data-do=(send(message)) { (icon::import()) (word) } };
        html! {
            section aria-labelledby="more-files" {
                h2 #more-files { (text::FILES) }
                p.hint { (text::FILES_HINT) }
                div.files {
                    (file(More::Task(GameTask::Report), text::REPORT))
                    (file(More::Task(GameTask::ReportText), text::REPORT_TEXT))
                    (file(More::Export(ExportFormat::Jsonl), text::LOG_FILE))
                    (file(More::Export(ExportFormat::Csv), text::ROLLS_FILE))
                }
            }
        }
    }

    fn options_view(&self) -> Markup {
        let value = |place: OptionId| {
            self.table.state().options.get(place).map(|value| roster::written(&self.pack, *value))
        };
        html! {
            @if !self.pack.options().is_empty() {
                section aria-labelledby="more-options" {
                    h2 #more-options { (text::OPTIONS) }
                    @for (place, option) in self.pack.options().iter_enumerated() {
                        (form::setting(&option.field, value(place), &|value| Outer::Table(Message::More(More::Option(option.field.id.to_string(), value)))))
                        p.hint { (option.standing.name()) ". " (option.origin) }
                    }
                }
            }
        }
    }

    fn name_view(&self) -> Markup {
        let shared = !self.card.token.is_empty();
        html! {
            section aria-labelledby="more-name" {
                h2 #more-name { (text::THIS_TABLE) }
                form.note-form data-do=(send(More::Rename(form_fields()))) autocomplete="off" {
                    label.field { span.field-label { (home::TABLE_NAME) } input #table-name type="text" name="name" maxlength="80" value=(self.card.name); }
                    button.button.button-small type="submit" { (text::RENAME) }
                }
                p.hint { (text::RENAME_HINT) }
                @if self.more.doubted {
                    div.table-doubt role="group" aria-label=(home::FORGET) {
                        p { (home::forget_doubt(shared)) }
                        button.button.button-danger type="button" data-do=(send(More::Forget)) { (home::FORGET) }
                        button.button type="button" data-do=(send(More::ConfirmForget(false))) { (home::KEEP) }
                    }
                } @else {
                    button.button.button-danger type="button" data-do=(send(More::ConfirmForget(true))) { (home::FORGET) }
                }
            }
        }
    }
}
