//! Problems of fights, phases, templates, starts and endings.

use adjutant_dice::Text;

problems!(
    /// A problem of a fight.
    FightProblem {
        ActionKind = "action-kind",
        PreferNotACondition = "prefer-not-a-condition",
        EndNotSaid = "fight-end-not-said",
        ActionCount { fight: Text, found: usize, most: usize } = "action-count",
        SideCount { fight: Text, found: usize } = "fight-side-count",
        UnitCount { most: i64 } = "side-unit-count",
        NoTotal { attribute: Text } = "no-total",
        NoRoster = "fight-without-roster",
        SideOfOtherKind { role: Text, side: Text } = "side-of-other-kind",
        RoleNotTaken { role: Text } = "role-not-taken",
        InputNotGiven { input: Text, chart: Text } = "fight-input-not-given",
        LiftsFromNoUnit = "lifts-from-no-unit",
        SideMemory { chart: Text } = "side-memory-in-fight",
        NumberedUnit { chart: Text } = "numbered-unit-in-fight",
        DeckPerSide { chart: Text } = "deck-per-side-in-fight",
        FollowedTogether { chart: Text, from: Text } = "followed-together",
        StatusOfOtherKind { status: Text, side: Text } = "status-of-other-kind",
    }
);

problems!(
    /// A problem of a phase, a template, a start or an ending.
    TurnProblem {
        LiftsNothing = "lifts-nothing",
        NameTooLong = "template-name-too-long",
        TimesForUnits = "times-for-units",
        DueWithoutRole = "due-without-role",
        OnlyForUnits { key: &'static str, group_only: bool } = "only-for-units",
        SideCount { start: Text, found: usize } = "start-side-count",
        UnitTextTooLong { key: &'static str } = "unit-text-too-long",
        EndsWithoutUnits = "ending-without-units",
        WinsWithoutSide { wins: Text } = "wins-without-side",
    }
);
