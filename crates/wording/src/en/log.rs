//! The log in English: one or a few sentences for each event.

use adjutant_dice::{RecordedInput, ThrownBy};
use adjutant_game::{
    Applied, ConsentFor, ConsentRequest, DeckAct, Drawn, DueTest, Event, EventKind, LogError,
    NewUnit, PendingTest, PlayRecord, RecordedChange, RecordedChangeKind, SealedGroup, Seat, State,
    Table, UnitEdit, UnitsByRole, Values, unit_of_member,
};
use adjutant_pack::{Chart, HandOf, HandRule, Pack, Value};

/// One line of the log in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedLine {
    /// One or a few sentences.
    pub text: String,
    /// Whether the event was undone.
    pub undone: bool,
}

impl LoggedLine {
    /// The text, with a mark in front if the event was undone.
    pub fn marked(&self) -> String {
        if self.undone { format!("(undone) {}", self.text) } else { self.text.clone() }
    }
}

/// The whole log, one entry for each line.
pub fn log(table: &Table) -> Result<Vec<LoggedLine>, LogError> {
    let mut then = table.rewound();
    let mut lines = Vec::with_capacity(table.lines().len());
    for line in table.lines() {
        let applied = then.apply_unresolved(line)?;
        let undone = applied.event.what.counts() && !table.counts(applied.event.n);
        lines.push(LoggedLine { text: log_line(&then, &applied), undone });
    }
    Ok(lines)
}

/// The sentences for a line that was just applied to this game.
pub fn log_line(table: &Table, applied: &Applied) -> String {
    let words = Words {
        pack: table.pack(),
        before: &applied.before.state,
        state: table.state(),
        circle: &applied.before.sealed,
    };
    words.event(&applied.event) + &lapse(applied.lapsed.as_ref())
}

/// The open call: `Anna calls Fire – firer Rifles, sealed.`
pub fn open_call(table: &Table) -> Option<String> {
    let call = table.open_call()?;
    Some(Words::now(table).sealing(&call.by, &EventKind::Call(Box::new(call.record.clone()))))
}

/// A pending test: `Recover test of Figure 2 – Suffered damage`.
pub fn pending_test(table: &Table, pending: &PendingTest) -> String {
    Words::now(table).due(&pending.due)
}

/// The request for consent that an event ended.
fn lapse(lapsed: Option<&ConsentRequest>) -> String {
    let Some(ConsentRequest { by, want, event, .. }) = lapsed else { return String::new() };
    let what = match want {
        ConsentFor::Undo => format!("undo event {event}"),
        ConsentFor::Redo => format!("redo event {event}"),
        ConsentFor::Withdraw => format!("take back the call of event {event}"),
        ConsentFor::Release => "remove a player from the sealed group".to_owned(),
    };
    format!(" {by}'s request to {what} expired.")
}

/// What the sentences need: the game before and after an event.
pub(crate) struct Words<'a> {
    pub pack: &'a Pack,
    pub before: &'a State,
    pub state: &'a State,
    /// The sealed group and the call that was open, before the event.
    pub circle: &'a SealedGroup,
}

impl<'a> Words<'a> {
    /// The current state, as both the state before and the state after.
    fn now(table: &'a Table) -> Words<'a> {
        Words {
            pack: table.pack(),
            before: table.state(),
            state: table.state(),
            circle: table.sealed_group(),
        }
    }
}

impl Words<'_> {
    pub fn event(&self, event: &Event) -> String {
        let by = &event.by;
        match &event.what {
            EventKind::Begin(begin) => {
                let sheet: Vec<String> = begin
                    .run_by_sheet
                    .iter()
                    .map(|side| format!(" {side} is run by the sheet."))
                    .collect();
                let decks =
                    if begin.decks.is_shared() { "" } else { " Each side has its own decks." };
                let sides = begin.sides.join(" against ");
                format!(
                    "{by} starts the game “{}” ({}): {sides}.{}{decks}",
                    begin.name,
                    self.pack.title(),
                    sheet.concat()
                )
            }
            EventKind::Join { who, role } => match role {
                Seat::Player { side } => format!("{who} plays {side}."),
                Seat::Umpire => format!("{who} is the umpire."),
                Seat::Spectator => format!("{who} looks on."),
            },
            EventKind::Add(recruits) => format!("{by} adds {}.", self.recruits(recruits)),
            EventKind::Set(change) => self.change(by, change),
            EventKind::Remove { unit, word } => {
                format!("{by} removes {}: {word}.{}", self.name(unit), self.lapsed(None))
            }
            EventKind::Option { name, value } => {
                let label = self
                    .pack
                    .options()
                    .iter()
                    .find(|option| option.field.id == *name)
                    .map_or(name.as_str(), |option| &option.field.label);
                format!("{by} sets the option “{label}”: {value}.")
            }
            EventKind::Memory { name, value } => {
                format!("{by} notes: {} – {value}.", self.memory(name))
            }
            EventKind::Play(played) => self.play(by, played),
            EventKind::Land { plays } => self.land(by, plays),
            EventKind::Skip { pending, reason } => {
                let due = self.before.pending.iter().find(|known| known.due.id == *pending);
                format!(
                    "{by} strikes out: {}. Reason: {reason}.",
                    due.map_or(pending.clone(), |known| self.due(&known.due))
                )
            }
            EventKind::Phase(step) => {
                let title = self
                    .pack
                    .phases()
                    .iter()
                    .find(|phase| phase.id == step.to)
                    .map(|phase| format!(", {}", phase.title));
                let lifted = step.lifted.iter().map(|(unit, status)| {
                    format!(" {}: no longer {}.", self.name(unit), self.status(status))
                });
                let due = self.falls_due(&step.due);
                format!(
                    "Turn {}{}.{}{due}",
                    step.turn,
                    title.unwrap_or_default(),
                    lifted.collect::<String>()
                )
            }
            EventKind::Start { due } => format!("The game begins.{}", self.falls_due(due)),
            EventKind::Deck { deck, side, act, cards } => {
                let title = self.deck_title(deck, side.as_ref());
                match act {
                    DeckAct::Reshuffle => format!("{by} reshuffles the {title}."),
                    DeckAct::TakeOut => {
                        format!("{by} takes out of the {title}: {}.", self.cards(deck, cards))
                    }
                    DeckAct::PutBack => {
                        format!("{by} puts back into the {title}: {}.", self.cards(deck, cards))
                    }
                }
            }
            EventKind::Note { text } => format!("{by} remarks: {text}"),
            EventKind::Undo { event, .. } => format!("{by} undoes event {event}."),
            EventKind::Redo { event, .. } => format!("{by} redoes event {event}."),
            EventKind::Ask { want: ConsentFor::Undo, event, .. } => {
                format!("{by} asks to undo event {event}.")
            }
            EventKind::Ask { want: ConsentFor::Redo, event, .. } => {
                format!("{by} asks to redo event {event}.")
            }
            EventKind::Ask { want: ConsentFor::Withdraw, event, .. } => {
                format!("{by} asks to take back the call of event {event}.")
            }
            EventKind::Ask { want: ConsentFor::Release, event, .. } => {
                let member = self.circle.members.iter().find(|member| member.seal == *event);
                format!(
                    "{by} asks to remove {} from the sealed group.",
                    member.map_or("a player", |member| member.name.as_str())
                )
            }
            EventKind::Seal(_)
            | EventKind::Call(_)
            | EventKind::Reveal { .. }
            | EventKind::Withdraw { .. }
            | EventKind::Release { .. } => self.sealing(by, &event.what),
            EventKind::Consent { ask, yes, .. } => {
                format!(
                    "{by} {} to what event {ask} asks.",
                    if *yes { "consents" } else { "does not consent" }
                )
            }
        }
    }

    /// A step of a sealed roll.
    fn sealing(&self, by: &str, what: &EventKind) -> String {
        match what {
            EventKind::Seal(seal) => match seal.last {
                None => {
                    let agreed = match seal.forfeit {
                        None => String::new(),
                        agreed => format!(" Silent players: {}.", super::forfeit(agreed)),
                    };
                    format!("{by} seals a chain of {} rolls.{agreed}", seal.length)
                }
                Some(_) => {
                    format!("{by} ends one chain and seals another of {} rolls.", seal.length)
                }
            },
            EventKind::Call(called) => {
                let chart = self.pack.chart(&called.request.chart);
                let title = chart.map_or(called.request.chart.as_str(), |chart| &chart.title);
                let given = chart
                    .map(|chart| self.given(chart, &called.request.given))
                    .filter(|given| !given.is_empty());
                let given = given.map(|given| format!(" {given}.")).unwrap_or_default();
                let inputs = self
                    .inputs(&PlayRecord { inputs: called.inputs.clone(), ..PlayRecord::default() });
                match called.continues {
                    None => {
                        let anyway = self.anyway(
                            &called.request.chart,
                            &called.request.units,
                            called.request.anyway,
                        );
                        format!(
                            "{by} calls {title}{}, sealed.{anyway}{given}{inputs}",
                            self.who(&called.request.units, chart)
                        )
                    }
                    Some(n) => format!("{by} goes on with the call of event {n}.{inputs}"),
                }
            }
            EventKind::Withdraw { call, .. } => {
                let owed: Vec<&str> =
                    self.circle.call.iter().flat_map(|call| call.owes()).collect();
                let owed = if owed.is_empty() {
                    String::new()
                } else {
                    format!(" No link came from {}.", owed.join(", "))
                };
                format!("{by} takes back the call of event {call}.{owed}")
            }
            EventKind::Release { who, .. } if self.circle.members.len() < 3 => {
                format!("{by} removes {who} from the sealed group. Rolls are no longer sealed.")
            }
            EventKind::Release { who, .. } => format!("{by} removes {who} from the sealed group."),
            _ => format!("{by} confirms the roll."),
        }
    }

    pub fn name(&self, id: &str) -> String {
        self.state.unit(id).map_or_else(|| id.to_owned(), |unit| unit.name.clone())
    }

    fn names(&self, ids: &[String]) -> String {
        ids.iter().map(|id| self.name(id)).collect::<Vec<_>>().join(", ")
    }

    pub fn status(&self, id: &str) -> String {
        self.pack
            .statuses()
            .iter()
            .find(|status| status.id == id)
            .map_or_else(|| id.to_owned(), |status| status.title.to_string())
    }

    fn memory(&self, id: &str) -> String {
        self.pack
            .memory()
            .iter()
            .find(|memory| memory.id == id)
            .map_or_else(|| id.to_owned(), |memory| memory.label.to_string())
    }

    pub fn attribute(&self, unit: &str, id: &str) -> String {
        let kind = self.state.unit(unit).map(|unit| &self.pack.kinds()[unit.kind]);
        let field = kind.and_then(|kind| kind.has.iter().find(|field| field.id == id));
        field.map_or_else(|| id.to_owned(), |field| field.label.to_string())
    }

    /// The name of a deck, with its owner.
    fn deck_title(&self, deck: &str, side: Option<&String>) -> String {
        let title = self.pack.deck(deck).map_or(deck, |deck| &deck.title);
        side.map_or_else(|| title.to_owned(), |side| format!("{title} of {side}"))
    }

    /// The cards that went from one place to another. Cards that go to a hand are counted, not
    /// named: the others do not look into it.
    fn drawn(&self, drawn: &Drawn, from: &str, how: &str) -> String {
        let hand = |name: &String| match self.pack.deck(&drawn.deck).and_then(|deck| deck.hand) {
            Some(HandRule { of: HandOf::Unit, .. }) => self.name(name),
            _ => name.clone(),
        };
        if let (Some(unit), Some(left)) = (&drawn.unit, drawn.left) {
            let title = self.deck_title(&drawn.deck, None);
            return format!(" Drawn from the {title}: {}{how}, {left} left.", self.name(unit));
        }
        let whose = drawn.hand.as_ref().map(hand).unwrap_or_default();
        let cards = self.cards(&drawn.deck, &drawn.took);
        let place = |place: &Option<String>| match place.as_deref() {
            None => "the discards".to_owned(),
            Some("hand") => format!("the hand of {whose}"),
            Some("removed") => "the box".to_owned(),
            Some("deck") => "the deck".to_owned(),
            Some(pile) => format!("the pile {}", pile.replace('_', " ")),
        };
        match (&drawn.from, drawn.to.as_deref()) {
            (None, None) => format!(" Drawn{from}: {cards}{how}."),
            (None, Some("hand")) => {
                let many = match drawn.took.len() {
                    1 => "1 card goes".to_owned(),
                    count => format!("{count} cards go"),
                };
                format!(" {many} to {}{how}.", place(&drawn.to))
            }
            (None, Some(_)) => format!(" Drawn{from}: {cards}{how}, to {}.", place(&drawn.to)),
            (Some(_), None) => format!(" Played from {}: {cards}.", place(&drawn.from)),
            (Some(_), Some(_)) => {
                format!(" Played from {}: {cards}, to {}.", place(&drawn.from), place(&drawn.to))
            }
        }
    }

    fn cards(&self, deck: &str, cards: &[u32]) -> String {
        let title = |card: &u32| {
            self.pack
                .deck(deck)
                .and_then(|deck| deck.card(*card))
                .map_or_else(|| card.to_string(), |card| card.title.to_string())
        };
        cards.iter().map(title).collect::<Vec<_>>().join(", ")
    }

    pub fn recruits(&self, recruits: &[NewUnit]) -> String {
        let one = |recruit: &NewUnit| match recruit.group.as_str() {
            "" => format!("{} ({})", recruit.name, recruit.side),
            group => format!("{} ({}, {group})", recruit.name, recruit.side),
        };
        recruits.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// The units that appear: `Enemy 1, Enemy 2 appear (The enemy, PEF 1).`
    pub fn appear(&self, recruits: &[NewUnit]) -> String {
        let verb = if recruits.len() == 1 { "appears" } else { "appear" };
        let place = |unit: &NewUnit| (unit.side.clone(), unit.group.clone());
        match recruits.first().map(place) {
            Some((side, group))
                if recruits.iter().map(place).all(|it| it.0 == side && it.1 == group) =>
            {
                let names: Vec<&str> = recruits.iter().map(|unit| unit.name.as_str()).collect();
                let group = if group.is_empty() { group } else { format!(", {group}") };
                format!(" {} {verb} ({side}{group}).", names.join(", "))
            }
            _ => format!(" {} {verb}.", self.recruits(recruits)),
        }
    }

    fn change(&self, by: &str, change: &UnitEdit) -> String {
        let mut parts = Vec::new();
        parts.extend(change.name.as_ref().map(|name| format!("is now called {name}")));
        parts.extend(change.side.as_ref().map(|side| format!("goes over to {side}")));
        parts.extend(change.group.as_ref().map(|group| {
            if group.is_empty() { "stands alone".into() } else { format!("joins {group}") }
        }));
        parts.extend(
            change
                .has
                .iter()
                .map(|(id, value)| format!("{} {value}", self.attribute(&change.unit, id))),
        );
        parts.extend(change.put_on.iter().map(|id| self.status(id)));
        parts.extend(change.lift.iter().map(|id| format!("no longer {}", self.status(id))));
        parts.extend(change.notes.as_ref().map(|notes| format!("remark “{notes}”")));
        let name = self.before.unit(&change.unit).map_or(change.unit.as_str(), |unit| &unit.name);
        format!("{by} changes {name}: {}.", parts.join("; "))
    }

    fn play(&self, by: &str, played: &PlayRecord) -> String {
        let chart = self.pack.chart(&played.request.chart);
        let title = chart.map_or(played.request.chart.as_str(), |chart| &chart.title);
        // A called roll is described as the roll of the player who called it.
        let by = self.circle.call.as_ref().map_or(by, |call| call.by.as_str());
        let mut told = format!(
            "{by}: {title}{}.{}",
            self.who(&played.request.units, chart),
            self.anyway(&played.request.chart, &played.request.units, played.request.anyway)
        );
        let given = chart.map(|chart| self.given(chart, &played.request.given)).unwrap_or_default();
        if !given.is_empty() {
            told += &format!(" {given}.");
        }
        told += &self.inputs(played);
        told += &self.outcome(played);
        if played.held {
            told += " The effect waits for the other attacks of this moment.";
        } else {
            told += &self.effects(&played.effects, Some(played));
        }
        if !played.appear.is_empty() {
            told += &self.appear(&played.appear);
        }
        if !played.held {
            told += &self.falls_due(&played.next);
            told += &self.lapsed(played.request.pending.as_ref());
        }
        told
    }

    /// The units and statuses that the player allowed although they were ruled out.
    pub fn anyway(&self, chart: &str, who: &UnitsByRole, anyway: bool) -> String {
        if !anyway {
            return String::new();
        }
        let found = self.before.ruled_out(self.pack, chart, who);
        let all: Vec<String> =
            found.iter().map(|found| format!("{} ({})", found.name, found.title)).collect();
        format!(" Allowed anyway: {}.", all.join(", "))
    }

    pub fn who(&self, who: &UnitsByRole, chart: Option<&Chart>) -> String {
        let roles: Vec<&str> = chart
            .map(|chart| chart.roles.iter().map(|role| role.id.as_str()).collect())
            .unwrap_or_default();
        let taken: Vec<(&str, String)> =
            roles.iter().filter_map(|role| Some((*role, self.names(who.get(*role)?)))).collect();
        match taken.as_slice() {
            [] => String::new(),
            [(_, name)] if roles.len() == 1 => format!(" – {name}"),
            taken => {
                let kind = |role: &str| {
                    chart.and_then(|chart| {
                        Some(self.pack.kinds()[chart.roles[chart.role(role)?].kind].id.as_str())
                    })
                };
                let label = |(role, name): &(&str, String)| match kind(role) == Some(*role) {
                    true => name.clone(),
                    false => format!("{} {name}", role.replace('_', " ")),
                };
                format!(" – {}", taken.iter().map(label).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The inputs that the player gave: a tick by its label, others with their values.
    pub fn given(&self, chart: &Chart, given: &Values) -> String {
        let told = given.iter().filter_map(|(name, value)| {
            let (common, of) = match (name.split('.').collect::<Vec<_>>().as_slice(), &chart.each) {
                ([role, member, id], Some(_)) => {
                    (format!("{role}.{id}"), Some(self.name(unit_of_member(member))))
                }
                _ => (name.clone(), None),
            };
            let input = chart.input(&common)?;
            let label = input.field.label.as_str();
            let said = match input.field.accepts.read(value).ok()? {
                adjutant_dice::Answer::YesNo(true) => label.to_owned(),
                adjutant_dice::Answer::YesNo(false)
                    if input.field.start.is_some_and(Value::is_yes) =>
                {
                    format!("not: {label}")
                }
                adjutant_dice::Answer::YesNo(false) => return None,
                adjutant_dice::Answer::Choice(word) => {
                    let words = input.field.accepts.words().unwrap_or(&[]);
                    format!(
                        "{label}: {}",
                        words
                            .iter()
                            .find(|known| known.id == word)
                            .map_or(word.as_str(), |known| &known.label)
                    )
                }
                adjutant_dice::Answer::Number(number) => format!("{label}: {number}"),
            };
            Some(of.map_or(said.clone(), |of| format!("{of}: {said}")))
        });
        told.collect::<Vec<_>>().join("; ")
    }

    pub fn inputs(&self, played: &PlayRecord) -> String {
        let mut told = String::new();
        let dice: Vec<&RecordedInput> =
            played.inputs.iter().filter(|input| input.faces().is_some()).collect();
        let all = |list: &[&RecordedInput], source: ThrownBy| {
            list.iter().all(|input| input.by() == source)
        };
        let own = |list: &[&RecordedInput], what: &str| match all(list, ThrownBy::Player) {
            true => format!(" ({what})"),
            false => String::new(),
        };
        if !dice.is_empty() {
            let faces = |input: &&RecordedInput| {
                input
                    .faces()
                    .iter()
                    .copied()
                    .flatten()
                    .map(u32::to_string)
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            let list = dice
                .iter()
                .map(|input| format!("[{}]", faces(input)))
                .collect::<Vec<_>>()
                .join(" ");
            let dice_word = if all(&dice, ThrownBy::Sealed) { "Sealed dice" } else { "Dice" };
            told += &format!(" {dice_word} {list}{}.", own(&dice, "real dice"));
        }
        let cards: Vec<&RecordedInput> =
            played.inputs.iter().filter(|input| input.card().is_some()).collect();
        for drawn in &played.cards {
            let title = self.deck_title(&drawn.deck, drawn.side.as_ref());
            if drawn.reshuffled {
                told += &format!(" The {title} is reshuffled.");
            }
            if !drawn.took.is_empty() {
                let from = drawn
                    .side
                    .as_ref()
                    .map(|side| format!(" from the deck of {side}"))
                    .unwrap_or_default();
                let how = if all(&cards, ThrownBy::Sealed) {
                    " (sealed)".into()
                } else {
                    own(&cards, "real cards")
                };
                told += &self.drawn(drawn, &from, &how);
            }
        }
        let answers: Vec<&str> = played.inputs.iter().filter_map(RecordedInput::answer).collect();
        if !answers.is_empty() {
            told += &format!(" Answered: {}.", answers.join(", "));
        }
        told
    }

    pub fn outcome(&self, played: &PlayRecord) -> String {
        let several =
            played.results.len() > 1 || played.request.units.values().any(|units| units.len() > 1);
        let mut told = String::new();
        for found in &played.results {
            let on = if found.on.is_empty() {
                String::new()
            } else {
                format!("{}: ", self.name(&found.on))
            };
            let because = if found.because.is_empty()
                || found.because == found.title
                || played.results.len() > 2
            {
                String::new()
            } else {
                format!(" ({})", found.because)
            };
            let stop =
                if because.is_empty() && found.title.ends_with(['!', '?', '.']) { "" } else { "." };
            told += &format!(
                " {}{}{because}{stop}",
                if several || !found.on.is_empty() { on.as_str() } else { "" },
                found.title
            );
        }
        if !played.says.is_empty() {
            told += &format!(" {}.", played.says);
        } else if !played.value.is_empty() && played.results.len() <= 1 {
            let unit =
                self.pack.chart(&played.request.chart).map_or("", |chart| chart.read.unit.as_str());
            told += &format!(" {}.", format!("{} {unit}", played.value).trim());
        }
        told + &self.order(played)
    }

    /// The order in which units act.
    pub fn order(&self, played: &PlayRecord) -> String {
        if played.order.len() < 2 && played.order.iter().all(|group| group.len() < 2) {
            return String::new();
        }
        let group = |group: &Vec<String>| {
            group.iter().map(|id| self.name(id)).collect::<Vec<_>>().join(" and ")
        };
        format!(
            " In this order: {}.",
            played.order.iter().map(group).collect::<Vec<_>>().join(", then ")
        )
    }

    pub fn effects(&self, effects: &[RecordedChange], played: Option<&PlayRecord>) -> String {
        let mut told = String::new();
        for effect in effects {
            // If a result has the same name as the status it adds, it is said only once.
            let said = |played: &PlayRecord| {
                played
                    .results
                    .iter()
                    .any(|found| found.on == effect.on && found.title == self.status(&effect.what))
            };
            let on = match effect.on.as_str() {
                "" => String::new(),
                on => format!("{}: ", self.name(on)),
            };
            if let Some(now) = self.side_memory(effect) {
                told += &now;
                continue;
            }
            told += &match effect.kind {
                RecordedChangeKind::Status
                    if played.is_some_and(said) || self.had(&effect.on, &effect.what) =>
                {
                    continue;
                }
                RecordedChangeKind::Status => format!(" {on}{}.", self.status(&effect.what)),
                RecordedChangeKind::Lift if !self.had(&effect.on, &effect.what) => continue,
                RecordedChangeKind::Lift => {
                    format!(" {on}no longer {}.", self.status(&effect.what))
                }
                RecordedChangeKind::Set | RecordedChangeKind::Add => {
                    let now = self
                        .state
                        .unit(&effect.on)
                        .and_then(|unit| unit.facet(self.pack, &effect.what));
                    let label = self.attribute(&effect.on, &effect.what);
                    match now {
                        Some(Value::YesNo(yes)) => {
                            format!(" {on}{}{label}.", if yes { "" } else { "not: " })
                        }
                        Some(value) => format!(
                            " {on}{label} is now {}.",
                            self.value(&effect.on, &effect.what, value)
                        ),
                        None => format!(" {on}{label} {}.", effect.value),
                    }
                }
                RecordedChangeKind::Leaves => {
                    format!(" {} removed ({}).", self.name(&effect.on), effect.what)
                }
                RecordedChangeKind::Remember => match effect.value.as_str() {
                    "yes" => format!(" {}.", self.memory(&effect.what)),
                    "no" => format!(" No longer: {}.", self.memory(&effect.what)),
                    value => format!(" {}: {value}.", self.memory(&effect.what)),
                },
                RecordedChangeKind::RememberMore => {
                    format!(" {}: {} more.", self.memory(&effect.what), effect.value)
                }
                RecordedChangeKind::Note => format!(" {}", effect.what),
            };
        }
        told
    }

    /// What a side now remembers: `Side of Fox: Losses is now 3.`
    fn side_memory(&self, effect: &RecordedChange) -> Option<String> {
        let memory = self.pack.memory_id(&effect.what).filter(|memory| {
            matches!(effect.kind, RecordedChangeKind::Remember | RecordedChangeKind::RememberMore)
                && self.pack.is_per_side(*memory)
        })?;
        let side = self.state.unit(&effect.on)?.side;
        let now = self.state.memory_of(self.pack, side, memory)?;
        let label = &self.pack.memory()[memory].label;
        let unit = self.name(&effect.on);
        Some(format!(" Side of {unit}: {label} is now {}.", super::value(self.pack, now)))
    }

    /// The value of an attribute. A choice is shown by its label.
    pub fn value(&self, unit: &str, id: &str, value: Value) -> String {
        let written = super::value(self.pack, value);
        let kind = self.state.unit(unit).map(|unit| &self.pack.kinds()[unit.kind]);
        let field = kind.and_then(|kind| kind.has.iter().find(|field| field.id == id));
        let words = field.and_then(|field| field.accepts.words()).unwrap_or(&[]);
        words
            .iter()
            .find(|word| word.id == written)
            .map_or(written.clone(), |word| word.label.to_string())
    }

    fn had(&self, unit: &str, status: &str) -> bool {
        self.before
            .unit(unit)
            .is_some_and(|unit| unit.facet(self.pack, status).is_some_and(Value::is_yes))
    }

    fn land(&self, by: &str, plays: &[u64]) -> String {
        let list = plays.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let what = if plays.len() == 1 { "event" } else { "events" };
        let mut told = format!("{by} applies the results of {what} {list}.");
        for held in &self.before.held {
            told += &self.effects(&held.effects, None);
            told += &self.falls_due(&held.next);
        }
        told + &self.lapsed(None)
    }

    /// The tests that have just become due.
    fn falls_due(&self, next: &[DueTest]) -> String {
        let still =
            |due: &&DueTest| self.state.pending.iter().any(|pending| pending.due.id == due.id);
        let mut told: Vec<(String, u32)> = Vec::new();
        for due in next.iter().filter(still) {
            let due = self.due(due);
            match told.last_mut() {
                Some((last, times)) if *last == due => *times += 1,
                _ => told.push((due, 1)),
            }
        }
        let told: Vec<String> = told
            .into_iter()
            .map(|(due, times)| if times > 1 { format!("{times} × {due}") } else { due })
            .collect();
        if told.is_empty() { String::new() } else { format!(" Due: {}.", told.join("; ")) }
    }

    /// The tests that lapsed because a unit has left.
    fn lapsed(&self, settled: Option<&String>) -> String {
        let over = |due: &&DueTest| {
            Some(&due.id) != settled
                && !self.state.pending.iter().any(|pending| pending.due.id == due.id)
        };
        let told: Vec<String> = self
            .before
            .pending
            .iter()
            .map(|pending| &pending.due)
            .filter(over)
            .map(|due| self.due(due))
            .collect();
        if told.is_empty() {
            String::new()
        } else {
            format!(" No longer due: {}.", told.join("; "))
        }
    }

    pub fn due(&self, due: &DueTest) -> String {
        let chart = self.pack.chart(&due.chart);
        let title = chart.map_or(due.chart.as_str(), |chart| &chart.title);
        let now = if due.now { ", at once" } else { "" };
        let open = due.role_sides.iter();
        let open = open.map(|(role, side)| format!(" – {} of {side}", role.replace('_', " ")));
        let open: String = open.collect();
        format!("{title}{}{open} ({}{now})", self.who(&due.units, chart), due.why)
    }
}
