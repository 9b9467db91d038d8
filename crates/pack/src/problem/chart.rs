//! Problems of charts, their steps, and chains of charts.

use adjutant_dice::{DiceError, Text};

problems!(
    /// A problem of a chart as a whole.
    ChartProblem {
        OwnEnemy { role: Text } = "own-enemy",
        CountedNotANumber = "counted-not-a-number",
        CountedDepends = "counted-depends",
        CountedTwice = "counted-twice",
        JoinedEach { role: Text } = "joined-by-each",
        NoneJoin { role: Text } = "none-join",
        OnlyDepends { role: Text } = "only-depends",
        NeedsEach { key: &'static str } = "needs-several-units",
        PrintedByOther { name: Text } = "printed-by-other-than-number",
        PrintedHeads = "printed-heads",
        PrintedLine = "printed-line",
        RoleKind { role: Text, kind: Text } = "role-of-other-kind",
    }
);

problems!(
    /// A problem of a step, its modifiers or its rules for rolling again.
    StepProblem {
        DoesNothing = "step-does-nothing",
        DoesSeveral { keys: Vec<&'static str> } = "step-does-several",
        NoName = "step-without-name",
        NoLimit = "step-without-number-to-limit",
        SkippedQuestion = "skipped-question-without-default",
        SkippedWord = "skipped-word",
        BadDice { dice: Text, error: DiceError, sum: bool } = "bad-dice",
        NeverSoManyDice = "dice-count",
        PassBoth = "pass-both",
        ReadWithoutBy { field: Text, from: u32, to: u32 } = "read-without-by",
        ReadNotANumber { field: Text } = "read-not-a-number",
        LookUpOfSeveral { chart: Text } = "look-up-of-several-units",
        NeverSoManyTimes { most: u32 } = "series-length",
        LookUpNeeds { chart: Text, input: Text } = "look-up-needs-input",
        ModifierWithoutAmount { label: Text } = "modifier-without-amount",
        DiceOnOther = "dice-on-other-step",
        NothingToModify = "step-without-number-to-modify",
        AgainOnOther = "again-on-other-step",
        ReshuffledDice = "reshuffled-dice",
        AgainOfSeveral = "again-of-several-cards",
        NeverSoManyCards { most: u32 } = "card-count",
        UnreadableCards { count: usize, first: u32, field: Text } = "unreadable-cards",
        NeverHolds { what: CanNeverHold } = "never-holds",
        Endless { several: bool } = "endless-again",
    }
);

/// What has a condition that can never hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CanNeverHold {
    Step,
    Modifier(Text),
    AgainRule,
    AlsoLine,
}

problems!(
    /// A problem of charts that look up or follow each other.
    ChainProblem {
        Circle { charts: Vec<Text> } = "look-up-circle",
        TooLong { most: usize } = "look-up-chain",
        TooManyLookUps { most: usize } = "too-many-look-ups",
        NeverEnds { chart: Text } = "chain-never-ends",
        ResultLapses { result: Text, chart: Text, why: Lapse } = "follow-up-of-result-lapses",
        RowLapses { chart: Text, why: Lapse } = "follow-up-of-row-lapses",
    }
);

/// Why a follow-up would never be rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lapse {
    /// Its unit has left the game.
    Left,
    /// Its unit has this status, which rules out the follow-up.
    Status(Text),
}
