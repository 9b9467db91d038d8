//! Problems of effects and follow-ups.

use super::expression::ValueKind;
use adjutant_dice::Text;

problems!(
    /// A problem of an effect, a follow-up or an `instead` line.
    EffectProblem {
        DoesNothing = "effect-does-nothing",
        DoesSeveral { keys: Vec<&'static str> } = "effect-does-several",
        MissingKey { key: &'static str } = "effect-missing-key",
        RemembersNothing = "remembers-nothing",
        InsteadWithoutWhen = "instead-without-when",
        ResultOfOtherKind { result: Text, kind: Text, role: Text } = "result-for-other-kind",
        AllWithoutUnits = "all-without-units",
        NthWithoutUnits = "nth-without-units",
        RoleCannotHave { role: Text, status: Text } = "role-cannot-have-status",
        KindCannotHave { kind: Text, status: Text } = "kind-cannot-have-status",
        TemplateOfOtherKind { template: Text, kind: Text } = "template-of-other-kind",
        CannotGrow { name: Text, kind: ValueKind } = "cannot-grow",
        LandsOnNoUnit { chart: Text } = "lands-on-no-unit",
        OnlyForOthers { key: &'static str } = "only-for-others",
        AllWithoutEach { chart: Text } = "all-without-each",
        OthersWithoutRole = "others-without-role",
    }
);
