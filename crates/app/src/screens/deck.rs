//! A deck: draw a card, see what is read on it, the pile and the drawn cards, reshuffle, and look
//! through all cards. They look as they will be printed.

use crate::app::{Page, Shared};
use crate::message::{Command, Message as Outer, Now, ViewRegion};
use crate::parts::{VALUE, act, icon};
use crate::route::{Query, Route};
use adjutant_dice::{CardRequest, Deck, InputSource, Number, RandomInput};
use adjutant_pack::{CardCell, DeckFieldKind, DeckId, DeckSheet, FieldId, Id, Pack, StepKind};
use adjutant_render::card::{self, POKER, Reading};
use adjutant_wording::en::page::{self as words, deck as text};
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How many cards are shown at once.
const AT_ONCE: usize = 12;

/// What the player can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Draws a card.
    Draw,
    /// Puts the last card back.
    PutBack,
    /// Puts all cards back.
    Reshuffle,
    /// Chooses the field that is read on the card, or none.
    ReadField(Option<usize>),
    /// Chooses which of several numbers is read.
    ReadBy(String),
    /// Shows all cards, at this page, or hides them.
    Browse(Option<usize>),
    /// Shows a card again.
    ShowCard(u32),
}

/// The state of this screen.
#[derive(Debug, Default)]
pub struct State {
    pack: Option<Arc<Pack>>,
    deck: Option<DeckId>,
    lost: Option<(String, String)>,
    /// The cards drawn, in order.
    drawn: Vec<u32>,
    /// The card that is shown, if it is not the last.
    shown: Option<u32>,
    reading: Option<FieldId>,
    by: u32,
    browse: Option<usize>,
}

impl State {
    /// The address leads here.
    pub fn open(&mut self, shared: &mut Shared, pack: &str, deck: &str) -> Vec<Command> {
        let known = |state: &State| {
            state.deck().is_some_and(|(found, sheet)| *found.id() == pack && sheet.id == deck)
        };
        let found = shared.packs.pack(pack).and_then(|pack| {
            let place = pack.deck_id(deck)?;
            Some((pack, place))
        });
        match found {
            None => {
                *self = State { lost: Some((pack.to_owned(), deck.to_owned())), ..State::default() }
            }
            Some((found, place)) => {
                let before = if known(self) {
                    std::mem::take(self)
                } else {
                    State { by: 6, ..State::default() }
                };
                let cards = found.decks()[place].cards.len() as u32;
                // Cards of another version of the pack are taken as far as they fit.
                let mut drawn: Vec<u32> = Vec::new();
                for card in
                    shared.settings.piles.get(&format!("{pack}/{deck}")).into_iter().flatten()
                {
                    if (1..=cards).contains(card) && !drawn.contains(card) {
                        drawn.push(*card);
                    }
                }
                *self = State { pack: Some(found), deck: Some(place), drawn, ..before };
            }
        }
        Vec::new()
    }

    fn deck(&self) -> Option<(&Arc<Pack>, &DeckSheet)> {
        let pack = self.pack.as_ref()?;
        Some((pack, pack.decks().get(self.deck?)?))
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        let Some((pack, deck)) = self.deck() else { return Vec::new() };
        let (pack, id, cards) = (pack.clone(), deck.id.clone(), deck.cards.len());
        let mut todo = Vec::new();
        match message {
            Message::Draw => {
                self.draw(now);
                todo.push(Command::Announce(self.announcement()));
            }
            Message::PutBack => drop(self.drawn.pop()),
            Message::Reshuffle => {
                self.drawn.clear();
                todo.push(Command::Announce(text::reshuffled(cards)));
            }
            Message::ReadField(field) => {
                self.reading = field.map(FieldId::from_index);
                return vec![Command::Announce(self.announcement())];
            }
            Message::ReadBy(n) => {
                self.by = n.trim().parse().unwrap_or(self.by);
                return vec![Command::Announce(self.announcement())];
            }
            Message::Browse(page) => {
                self.browse = page;
                return Vec::new();
            }
            Message::ShowCard(card) => {
                self.shown = Some(card).filter(|card| (1..=cards as u32).contains(card));
                return vec![Command::Focus("card".into())];
            }
        }
        if !matches!(todo.first(), Some(Command::Announce(_)) if self.drawn.is_empty()) {
            self.shown = None;
        }
        todo.push(shared.settings.set_pile(pack.id(), &id, &self.drawn));
        todo
    }

    fn draw(&mut self, now: &Now) {
        let Some((_, sheet)) = self.deck() else { return };
        let (size, id, title) = (sheet.cards.len() as u32, sheet.id.clone(), sheet.title.clone());
        if self.drawn.len() as u32 >= size {
            self.drawn.clear();
        }
        let Ok(deck) = Deck::without(size, self.drawn.iter().copied()) else { return };
        let ask = CardRequest::new("card", &title, &id, &deck);
        self.drawn.extend(RandomInput::from_bytes(now.random).card(&ask).ok());
        self.shown = None;
    }

    /// The card that is shown.
    fn card(&self) -> Option<u32> {
        self.shown.or(self.drawn.last().copied())
    }

    /// What is read on a card.
    fn reading(&self) -> Option<Reading> {
        let (_, deck) = self.deck()?;
        let field = self.reading?;
        match deck.fields.get(field)?.kind {
            DeckFieldKind::Numbers { from, to } => {
                Some(Reading { field, by: Some(self.by.clamp(from, to)) })
            }
            _ => Some(Reading { field, by: None }),
        }
    }

    /// The card and what is read on it, for screen readers.
    fn announcement(&self) -> String {
        let (Some((pack, deck)), Some(number)) = (self.deck(), self.card()) else {
            return text::NONE_YET.to_owned();
        };
        let title = deck.card(number).map(|card| card.title.to_string()).unwrap_or_default();
        match self.reading() {
            None => title,
            Some(reading) => format!("{title}. {}", read(pack, deck, number, reading)),
        }
    }

    /// The HTML.
    pub fn view(&self) -> Page {
        let Some((pack, deck)) = self.deck() else {
            let (pack, deck) = self.lost.clone().unwrap_or_default();
            return Page::plain(
                words::title(text::LOST),
                html! { h1 tabindex="-1" { (text::LOST) } p { (text::lost(&pack, &deck)) } },
            );
        };
        let used = pack.charts().iter().filter(|chart| {
            chart.steps.iter().any(
                |step| matches!(&step.kind, StepKind::Draw(draw) if Some(draw.deck) == self.deck),
            )
        });
        let main = html! {
            article.deck {
                header.chart-head {
                    p.overline { (pack.title()) }
                    h1 tabindex="-1" { (deck.title) }
                }
                section #deck-card.deck-card data-region aria-label=(text::LAST) {}
                section #deck-piles.deck-piles data-region aria-label=(text::PILE) {}
                section.deck-used {
                    h2 { (text::USED_BY) }
                    ul.chips { @for chart in used { li { a.chip href=(Route::Chart(pack.id().to_string(), chart.id.to_string(), Query::new())) { (icon::die()) (chart.title) } } } }
                    p.hint { (text::KEPT) }
                }
                section #deck-all.deck-all data-region aria-label=(text::BROWSE) {}
                div #deck-actions.actions data-region {}
            }
        };
        let regions = vec![
            ViewRegion::new("deck-card", self.top(pack, deck)),
            ViewRegion::new("deck-piles", self.piles(deck)),
            ViewRegion::new("deck-all", self.all(pack, deck)),
            ViewRegion::new("deck-actions", self.actions(deck)),
        ];
        Page { title: words::title(&deck.title), main, regions }
    }

    /// The card, and what is read on it.
    fn top(&self, pack: &Pack, deck: &DeckSheet) -> Markup {
        let number = self.card();
        html! {
            div.deck-table {
                @match number {
                    Some(number) => { div.card.card-large #card tabindex="-1" data-id=(format!("card-{number}")) { (PreEscaped(card::front(pack, deck, number, POKER, self.reading()).svg())) } },
                    None => { div.card.card-large.card-none #card tabindex="-1" { (PreEscaped(card::back(deck, POKER).svg())) } },
                }
            }
            @match (number, self.reading()) {
                (Some(number), Some(reading)) => { p.deck-read role="status" { (read(pack, deck, number, reading)) } },
                (None, _) => { p.hint { (text::NONE_YET) } },
                _ => {},
            }
            (self.chooser(deck))
        }
    }

    /// The choice of what is read.
    fn chooser(&self, deck: &DeckSheet) -> Markup {
        let choose = |field: Option<usize>| act(&Outer::Deck(Message::ReadField(field)));
        let entry = |field: Option<usize>, label: &str| {
            html! {
                label.segment {
                    input type="radio" name="reading" id=(format!("read-{}", field.map_or("all".to_owned(), |field| field.to_string()))) checked[self.reading.map(FieldId::index) == field] data-do=(choose(field));
                    span { (label) }
                }
            }
        };
        let row =
            self.reading.and_then(|field| deck.fields.get(field)).and_then(|field| {
                match field.kind {
                    DeckFieldKind::Numbers { from, to } => {
                        Some((from, to, self.by.clamp(from, to)))
                    }
                    _ => None,
                }
            });
        html! {
            fieldset.field {
                legend.field-label { (text::READ) }
                div.segments.segments-many {
                    (entry(None, text::READ_NOTHING))
                    @for (place, field) in deck.fields.iter().enumerate() { (entry(Some(place), &field.label)) }
                }
            }
            @if let Some((from, to, by)) = row {
                div.field {
                    label.field-label for="deck-by" { (text::WHICH) }
                    div.stepper {
                        button.step type="button" disabled[by <= from] aria-label=(words::parts::less(text::WHICH)) data-do=(act(&Outer::Deck(Message::ReadBy(by.saturating_sub(1).to_string())))) { (icon::minus()) }
                        input.stepper-value #deck-by type="text" inputmode="numeric" autocomplete="off" value=(by) data-do=(act(&Outer::Deck(Message::ReadBy(VALUE.into()))));
                        button.step type="button" disabled[by >= to] aria-label=(words::parts::more(text::WHICH)) data-do=(act(&Outer::Deck(Message::ReadBy((by + 1).to_string())))) { (icon::plus()) }
                    }
                }
            }
        }
    }

    /// The pile and the drawn cards.
    fn piles(&self, deck: &DeckSheet) -> Markup {
        let left = deck.cards.len().saturating_sub(self.drawn.len());
        html! {
            div.pile {
                div.card.card-small.card-pile[left > 1] { @if left > 0 { (PreEscaped(card::back(deck, POKER).svg())) } @else { span.card-gone {} } }
                p { b { (text::PILE) } br; (text::left(left as u32, deck.cards.len())) }
            }
            @if left == 0 { p.hint { (text::EMPTY) } }
            h2 { (text::DISCARD) " " span.count { (self.drawn.len()) } }
            ol.drawn {
                @for number in self.drawn.iter().rev().take(60) {
                    li { button.drawn-card type="button" aria-current=[(self.card() == Some(*number)).then_some("true")] data-do=(act(&Outer::Deck(Message::ShowCard(*number)))) {
                        span.drawn-number { (number) } " " (deck.card(*number).map(|card| card.title.as_str()).unwrap_or_default())
                    } }
                }
            }
        }
    }

    fn actions(&self, deck: &DeckSheet) -> Markup {
        let none = self.drawn.is_empty();
        html! {
            div.actions-row {
                button.button.button-main type="button" data-key="d" disabled[deck.cards.is_empty()] data-do=(act(&Outer::Deck(Message::Draw))) { (icon::card()) (if none { text::DRAW } else { text::NEXT }) }
                button.button type="button" data-key="r" disabled[none] data-do=(act(&Outer::Deck(Message::Reshuffle))) { (text::RESHUFFLE) }
                button.button type="button" data-key="Backspace" disabled[none] data-do=(act(&Outer::Deck(Message::PutBack))) { (text::PUT_BACK) }
            }
        }
    }

    /// All cards, page by page.
    fn all(&self, pack: &Pack, deck: &DeckSheet) -> Markup {
        let pages = deck.cards.len().div_ceil(AT_ONCE).max(1);
        let turn = |page: usize| act(&Outer::Deck(Message::Browse(Some(page))));
        let page = self.browse.map(|page| page.min(pages - 1));
        html! {
            h2 {
                button.fold type="button" aria-expanded=(if page.is_some() { "true" } else { "false" }) data-do=(act(&Outer::Deck(Message::Browse(page.map_or(Some(0), |_| None))))) { (text::BROWSE) " " (icon::forward()) }
            }
            @if let Some(page) = page {
                @let (from, to) = (page * AT_ONCE + 1, ((page + 1) * AT_ONCE).min(deck.cards.len()));
                div.deck-turn {
                    button.button.button-small type="button" disabled[page == 0] data-do=(turn(page.saturating_sub(1))) { (text::BEFORE) }
                    span { (text::cards(from, to, deck.cards.len())) }
                    button.button.button-small type="button" disabled[page + 1 >= pages] data-do=(turn(page + 1)) { (text::AFTER) }
                }
                div.deck-grid {
                    @for number in from..=to {
                        div.card.card-out[self.drawn.contains(&(number as u32))] data-id=(format!("all-{number}")) { (PreEscaped(card::front(pack, deck, number as u32, POKER, self.reading()).svg())) }
                    }
                }
            }
        }
    }
}

/// What is on a card, as text.
fn read(pack: &Pack, deck: &DeckSheet, number: u32, reading: Reading) -> String {
    let Some(field) = deck.fields.get(reading.field) else { return String::new() };
    let label = reading.by.map_or(field.label.to_string(), |by| text::of_row(&field.label, by));
    let value = match deck.cell(number, reading.field, reading.by.map(Number::from)) {
        Some(CardCell::Value(value)) => {
            let value = value.to_answer(pack.words()).to_string();
            field
                .kind
                .words()
                .and_then(|words| words.iter().find(|word| word.id == value))
                .map_or(value, |word| word.label.to_string())
        }
        Some(CardCell::Text(words)) => words.clone(),
        None if field.blank.is_empty() => text::BLANK.to_owned(),
        None => field.blank.clone(),
    };
    text::reads(&label, &value)
}
