//! Why an event or a request is not accepted.

use adjutant_engine::{Resolution, RuledOutBy, RuledOutLine};
use adjutant_game::{
    ConsentFor, DeckRejection, LOG_FORMAT, LONGEST_CHAIN, MOST_UNITS, MoveError, PlayError,
    PlayRequest, Refusal, Rejection, RequestRejection, RuledOut, RulesChanged, SeatRejection,
    SetupRejection, State, TextError, TextFault, TextField, TurnRejection, UndoRejection,
    UnitFileError, UnitFileFault, UnitRejection, ValueError, ValueFault,
};
use adjutant_pack::{Pack, with_article};

/// A rejection, without a full stop at its end.
pub fn rejection(rejection: &Rejection) -> String {
    match rejection {
        Rejection::Unknown(name) => super::unknown_name(name),
        Rejection::Text(error) => text_error(error),
        Rejection::Value(error) => value_error(error),
        Rejection::Unit(rejection) => unit(rejection),
        Rejection::Setup(rejection) => setup(rejection),
        Rejection::Seat(rejection) => seat(rejection),
        Rejection::Request(rejection) => request(rejection),
        Rejection::Turn(rejection) => turn(rejection),
        Rejection::Undo(rejection) => undo(rejection),
        Rejection::Sealed(rejection) => super::sealed::sealed_rejection(rejection),
        Rejection::Deck(rejection) => deck(rejection),
        Rejection::Several(all) => rejections(all),
        Rejection::Input(error) => super::input_error(error),
        Rejection::Resolve(error) => super::resolve_error(error),
        Rejection::Source(error) => super::source_error(error),
        Rejection::NotALine(text) => format!("not a line of a log: {text}"),
        Rejection::Log(error) => super::log_error(error),
        Rejection::NotAGameEvent => "this event is not part of play".into(),
    }
}

/// Several rejections in one line.
pub fn rejections(all: &[Rejection]) -> String {
    all.iter().map(rejection).collect::<Vec<_>>().join("; ")
}

/// Why a chart was not rolled, or not to the end.
pub fn play_error(error: &PlayError) -> String {
    match error {
        PlayError::Needs { needs, .. } => super::needed(needs),
        PlayError::Unusable { why, .. } => super::source_error(why),
        PlayError::Rejected(all) => rejections(all),
        PlayError::RuledOut(all) => {
            format!(
                "{}; play it with `anyway` to allow it",
                all.iter().map(ruled_out).collect::<Vec<_>>().join("; ")
            )
        }
    }
}

/// What rules a unit out of a chart.
pub fn ruled_out(found: &RuledOut) -> String {
    rules_out(&found.name, &found.chart, &found.by)
}

/// Why a request is not rolled, a sentence for each fault.
pub fn refusal(refusal: &Refusal) -> Vec<String> {
    match refusal {
        Refusal::Rejected(why) => why.iter().map(rejection).collect(),
        Refusal::RuledOut(units) => units.iter().map(ruled_out).collect(),
    }
}

/// Why a roll in progress is not changed.
pub fn move_error(error: &MoveError) -> String {
    match error {
        MoveError::Underway => {
            "the dice have come: nothing can be changed until the roll is done".into()
        }
        MoveError::Settled { role } => format!("the pending test names the unit for `{role}`"),
        MoveError::Role { role } => format!("`{role}` cannot be filled in this way"),
    }
}

/// What rules out the units of a roll outside a game, which is made all the same.
pub fn ruled_out_alone(resolution: &Resolution) -> Vec<String> {
    let line = |found: &RuledOutLine| {
        let unit = found.of.as_ref().unwrap_or(&found.role);
        format!("In a game this is ruled out: {}", rules_out(unit, &resolution.title, &found.by))
    };
    resolution.ruled_out.iter().map(line).collect()
}

fn rules_out(unit: &str, chart: &str, by: &RuledOutBy) -> String {
    match by {
        RuledOutBy::Status { title, .. } => format!("{unit}: “{title}” rules out {chart}"),
        RuledOutBy::Only { only_for } => format!("{unit}: {chart} is only for {only_for}"),
    }
}

/// The units that a play allows although they are ruled out in this state, without a full stop.
pub fn allowed_anyway(pack: &Pack, state: &State, play: &PlayRequest) -> String {
    let found = state.ruled_out(pack, &play.chart, &play.units, &play.given);
    let unit = |found: &RuledOut| format!("{} ({})", found.name, ruled_out_by(&found.by));
    format!("Allowed anyway: {}", found.iter().map(unit).collect::<Vec<_>>().join(", "))
}

/// What rules a unit out, briefly.
pub fn ruled_out_by(by: &RuledOutBy) -> String {
    match by {
        RuledOutBy::Status { title, .. } => title.to_string(),
        RuledOutBy::Only { only_for } => format!("only for {only_for}"),
    }
}

fn text_error(error: &TextError) -> String {
    let what = match error.field {
        TextField::Time => "the time",
        TextField::Actor => "the name of who acts",
        TextField::Joiner => "the name of who joins",
        TextField::TableName => "the game's name",
        TextField::SideName => "the name of a side",
        TextField::LeavingWord => "the word with which the unit leaves",
        TextField::Reason => "the reason",
        TextField::Remark => "the remark",
        TextField::UnitName => "the unit's name",
        TextField::UnitGroup => "the unit's group",
        TextField::UnitRemark => "the unit's remark",
    };
    match &error.fault {
        TextFault::Missing => format!("{what} is missing"),
        TextFault::TooLong { length, most } => {
            format!("{what} is too long: {length} characters, at most {most}")
        }
        TextFault::Hidden { shown } => {
            format!("{what} holds control or hidden characters: `{shown}`")
        }
    }
}

fn value_error(error: &ValueError) -> String {
    let field = &error.field;
    match &error.fault {
        ValueFault::NotAccepted(error) => format!("{field}: {}", super::answer_error(error)),
        ValueFault::NotAWord => format!("{field}: not a word of this pack"),
        ValueFault::NotANumber { text, error } => {
            format!("{field}: `{text}`: {}", super::number_error(*error))
        }
        ValueFault::Arithmetic(error) => format!("{field}: {}", super::number_error(*error)),
    }
}

fn unit(rejection: &UnitRejection) -> String {
    match rejection {
        UnitRejection::Unknown { id } => format!("there is no unit `{id}` on the roster"),
        UnitRejection::NoneNamed => "no unit is named".into(),
        UnitRejection::LeftAlready { name } => format!("{name} has left already"),
        UnitRejection::WrongId { expected, found } => {
            format!("the next unit is {expected}, not `{found}`")
        }
        UnitRejection::TooMany => too_many_units(),
        UnitRejection::NoRoom { chart } => {
            format!("{chart} may add units, and the roster is full: {}", too_many_units())
        }
        UnitRejection::TooManyAppear { count, most } => {
            format!("{count} units would appear: at most {most} do at once")
        }
    }
}

fn too_many_units() -> String {
    format!("a game has at most {MOST_UNITS} units")
}

fn setup(rejection: &SetupRejection) -> String {
    match rejection {
        SetupRejection::NotStarted => {
            "the game has not started: its first line must set it up".into()
        }
        SetupRejection::AlreadyStarted => "the game has already started".into(),
        SetupRejection::Format { found } => {
            format!("this log has format {found}, and this program reads format {LOG_FORMAT}")
        }
        SetupRejection::OtherPack { recorded, given } => {
            format!("the game uses the pack `{recorded}`, not `{given}`")
        }
        SetupRejection::RulesChanged(changed) => rules_changed(changed),
        SetupRejection::SideCount => "a game has one to eight sides".into(),
        SetupRejection::SideTwice { side } => format!("two sides are called `{side}`"),
        SetupRejection::SidesLookAlike { side, known } => {
            format!("the sides `{known}` and `{side}` look alike: choose another name for one")
        }
        SetupRejection::StartSides { start, wanted, given } => {
            format!("“{start}” has {wanted} sides, not {given}")
        }
        SetupRejection::NoSides => "the game has no sides".into(),
        SetupRejection::UserDeckSize { deck } => {
            format!("the user deck `{deck}` has 1 to {} cards", adjutant_pack::MOST_CARDS)
        }
        SetupRejection::MemoryOfSides { name } => {
            format!("each side has a `{name}` of its own: name the side")
        }
        SetupRejection::MemoryOfGame { name } => {
            format!("`{name}` is the same for all sides: name no side")
        }
        SetupRejection::PackMismatch => "the game does not fit the pack".into(),
    }
}

fn rules_changed(changed: &RulesChanged) -> String {
    let RulesChanged { pack, recorded_version, recorded_hash, version, hash } = changed;
    let start =
        |hash: &str| hash.chars().filter(char::is_ascii_hexdigit).take(8).collect::<String>();
    let was_and_is = match recorded_version == version {
        true => format!(
            "version {version} still, fingerprint {}…, now {}…",
            start(recorded_hash),
            start(hash)
        ),
        false => format!("version {recorded_version}, now {version}"),
    };
    format!("the rules of the pack `{pack}` have changed since the game started ({was_and_is})")
}

fn seat(rejection: &SeatRejection) -> String {
    match rejection {
        SeatRejection::Spectator { name } => format!("{name} is a spectator and cannot act"),
        SeatRejection::Taken { name } => {
            format!("{name} has a seat: only this player or an umpire can change it")
        }
        SeatRejection::LookAlike { name, known } => {
            format!(
                "the name `{name}` looks like `{known}`, who is in this game: choose another name"
            )
        }
        SeatRejection::Sealed { name } => {
            format!("{name} is in the sealed group and keeps the seat until removed from the group")
        }
    }
}

fn request(rejection: &RequestRejection) -> String {
    match rejection {
        RequestRejection::ByHand => "use `play` to play a chart".into(),
        RequestRejection::OtherChart { pending, chart, named } => {
            format!("the pending test {pending} is rolled on the chart {chart}, not {named}")
        }
        RequestRejection::Settled { name, pending, value } => {
            format!("{name} is settled in the pending test {pending}: {value}")
        }
        RequestRejection::OfOtherSide { unit, role, side } => {
            format!("{unit} cannot be the {role} here: it must be a unit of {side}")
        }
        RequestRejection::AnywayForNothing => {
            "it is recorded as allowed anyway, and nothing rules it out".into()
        }
        RequestRejection::LeftOutInVain { unit } => {
            format!("{unit} would not take part anyway: it cannot be left out")
        }
        RequestRejection::OtherThanJoined { name, count } => {
            format!("{name} is {count} on the roster: leave units out instead")
        }
        RequestRejection::NotTakingPart { name } => {
            format!("`{name}`: that unit does not take part")
        }
        RequestRejection::OneUnit { role, chart } => {
            format!("{role}: {chart} takes exactly one unit there")
        }
        RequestRejection::Left { name, word } => format!("{name} has left ({word})"),
        RequestRejection::WrongKind { unit, kind, role, wanted } => {
            format!("{unit} is {}, and {role} must be {}", with_article(kind), with_article(wanted))
        }
        RequestRejection::TwoRoles { unit } => format!("{unit} cannot take two parts at once"),
        RequestRejection::SameSide { unit, friend, role, enemy_of } => {
            format!(
                "{unit} and {friend} are on the same side, and {role} must be an enemy of {enemy_of}"
            )
        }
        RequestRejection::RuledOut(found) => ruled_out(found),
        RequestRejection::OtherUserDeck { deck, missing: true } => format!(
            "this game uses cards that a player supplied: {deck}. They are not here: supply the same file"
        ),
        RequestRejection::OtherUserDeck { deck, missing: false } => format!(
            "this game started with other cards than those supplied here: {deck}. Supply the same file"
        ),
        RequestRejection::AttacksHeld { chart } => {
            format!("simultaneous attacks are waiting: apply their results before you roll {chart}")
        }
    }
}

fn turn(rejection: &TurnRejection) -> String {
    match rejection {
        TurnRejection::TestId { event, id } => {
            format!("a test that follows from event {event} must have the id `{id}`")
        }
        TurnRejection::TestOfGoneUnit { unit } => format!("{unit} has left and takes no test"),
        TurnRejection::NothingHeld => {
            "no simultaneous attacks are waiting: there are no results to apply".into()
        }
        TurnRejection::NotWhatIsHeld => "these are not the attacks that are waiting".into(),
        TurnRejection::StartedAlready => "the game has already started".into(),
        TurnRejection::AttacksHeld => {
            "simultaneous attacks are waiting: apply their results first".into()
        }
        TurnRejection::PhaseClosed { phase } => {
            format!(
                "the phase {phase} is passed over: its option is off, or its cards were not supplied"
            )
        }
        TurnRejection::WrongTurn { to, turn, expected } => {
            format!("the step to {to} does not follow the sheet: turn {turn} should be {expected}")
        }
    }
}

fn undo(rejection: &UndoRejection) -> String {
    match rejection {
        UndoRejection::NothingToUndo => "there is nothing to undo".into(),
        UndoRejection::NothingToRedo => "there is nothing to redo".into(),
        UndoRejection::NotNext { want, next, named } => {
            let word = if *want == ConsentFor::Undo { "undo" } else { "redo" };
            format!("the event to {word} is {next}, not {named}")
        }
        UndoRejection::NeedsConsent { event, names, luck } => {
            let why = if *luck { "luck has entered" } else { "another side acted" };
            format!("event {event} needs the consent of {}: {why}", names.join(", "))
        }
        UndoRejection::NoConsentNeeded => "no consent is needed".into(),
        UndoRejection::NotAsked { event } => {
            format!("event {event} does not ask for consent, or no longer")
        }
        UndoRejection::NoSide { name } => {
            format!("{name} plays no side and cannot consent for one")
        }
        UndoRejection::OwnRequest { name } => format!("{name} asked, and cannot consent to it"),
        UndoRejection::OwnSide { name } => format!("{name} is of the side that asks"),
        UndoRejection::NoRequestOpen => "no consent was asked for".into(),
    }
}

fn deck(rejection: &DeckRejection) -> String {
    match rejection {
        DeckRejection::Shared => "all sides share the decks of this game: name no side".into(),
        DeckRejection::WhichSide { sides } => {
            format!("each side has its own decks: say whose, one of {}", sides.join(", "))
        }
        DeckRejection::CardsNamed => {
            "a reshuffle names no cards, and everything else names some".into()
        }
        DeckRejection::NoSuchPlace => "the deck has no such hand or pile".into(),
        DeckRejection::Bag => {
            "a bag has no cards: its chits follow from the units on the roster".into()
        }
        DeckRejection::WrongChit => "the chit does not fit what is in the bag".into(),
        DeckRejection::NotThere { card } => {
            format!("card {card} is not in that hand or on that pile")
        }
        DeckRejection::Card(error) => super::deck_error(*error),
    }
}

/// A fault in a file of units.
pub fn unit_file_error(error: &UnitFileError) -> String {
    let fault = unit_file_fault(&error.fault);
    match error.line {
        Some(line) => format!("line {line}: {fault}"),
        None => fault,
    }
}

fn unit_file_fault(fault: &UnitFileFault) -> String {
    match fault {
        UnitFileFault::Csv(text) | UnitFileFault::Toml(text) => text.clone(),
        UnitFileFault::Json(text) => format!("it is not JSON: {text}"),
        UnitFileFault::NoList => {
            "it is not a list of units, as `adjutant unit list --json` writes it".into()
        }
        UnitFileFault::OfUnit { number, fault } => {
            format!("unit {number}: {}", unit_file_fault(fault))
        }
        UnitFileFault::NotUnderstood { text } => {
            format!(
                "`{text}` is neither a value nor a status: write its label and the value, such as HE 4"
            )
        }
        UnitFileFault::CellCount { cells, columns } => {
            let cells =
                if *cells == 1 { "1 cell is".to_owned() } else { format!("{cells} cells are") };
            format!("{cells} here, but the first line names {columns}")
        }
        UnitFileFault::NoSide { units, sides } => {
            let units =
                if *units == 1 { "1 unit has".to_owned() } else { format!("{units} units have") };
            let first = sides.first().map_or("", String::as_str);
            format!(
                "{units} no side ({}): write `{first}:` on a line above, fill in a column side, or choose one with --side",
                sides.join(", ")
            )
        }
        UnitFileFault::ColumnTwice { column } => format!("the column `{column}` stands twice"),
        UnitFileFault::UnknownKey { key } => format!("only [[unit]] is allowed here, not `{key}`"),
        UnitFileFault::NotATable => "this is not a unit: it needs names with values".into(),
        UnitFileFault::WrongType { key } => {
            format!("`{key}` must be a text, a number, yes or no, or a list of texts")
        }
        UnitFileFault::Count { text } => {
            format!("count: `{text}` is not accepted: a whole number from 1 to 100")
        }
        UnitFileFault::Unit(found) => rejection(found),
        UnitFileFault::TooMany => too_many_units(),
        UnitFileFault::Empty => "no unit is written here".into(),
    }
}

/// How many rolls a chain serves.
pub(super) fn chain_length(length: u32) -> String {
    format!("a chain lasts 1 to {LONGEST_CHAIN} rolls, not {length}")
}
