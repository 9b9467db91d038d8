//! Sealed rolls while a network fails. The pages are never reloaded: what was called is rolled as
//! soon as the network is back, once.

use crate::common::{House, Tab, browser};
use crate::game::{chart, large, last, pick_anyway, verified};
use crate::together::{level, seal, two};
use crate::wire::Wire;

/// Opens a test of a unit. It may put the unit out of action, so that each roll needs another unit.
fn rally(page: &Tab, unit: &str) {
    chart(page, "Recover or rally");
    pick_anyway(page, "Element", unit, "Allies");
    page.sees_in("#t-act .button-main:not([disabled])", "Roll");
    // Right after a result the button ignores a double tap.
    let now = page.eval("performance.now()");
    page.wait(&format!("performance.now() > {now} + 650"), "the thumb comes down again");
}

#[test]
fn a_sealed_roll_survives_a_cut_at_any_of_its_steps() {
    let (house, browser) = (House::open(), browser());
    let ((hers, her_house), (his, his_house)) = (Wire::to(&house), Wire::to(&house));
    let (anna, bob) = two(&browser, &her_house, &his_house);
    seal(&anna, &bob);
    let both_see = |before: u64| {
        for page in [&anna, &bob] {
            page.wait(
                &format!("(() => {{ const card = document.querySelector('.result-card'); \
                          return Number(card?.querySelector('.result-n')?.textContent.match(/\\d+/)) > {before} && card.innerText.includes('sealed · verified'); }})()"),
                "the sealed roll is there",
            );
        }
        level(&anna, &bob);
        level(&bob, &anna);
    };

    // The other player is away when the roll is called.
    rally(&anna, "Rifles 1");
    his.cut();
    bob.sees_in(".here", "no connection");
    let before = last(&anna);
    large(&anna, "Roll");
    anna.sees("waiting for Bob");
    his.mend();
    both_see(before);

    // The caller loses the network after the call: the other player's link waits for her.
    rally(&anna, "Rifles 2");
    let before = last(&anna);
    his.cut();
    bob.sees_in(".here", "no connection");
    large(&anna, "Roll");
    anna.sees("waiting for Bob");
    hers.cut();
    anna.sees_in(".here", "no connection");
    his.mend();
    bob.wait("document.querySelector('.here')?.dataset.wire === 'open'", "Bob is back");
    hers.mend();
    both_see(before);

    // The call arrives, but its response is lost: it is not called twice.
    rally(&anna, "Tank");
    let before = last(&anna);
    hers.lose_response();
    large(&anna, "Roll");
    both_see(before);
    assert!(hers.has_lost_response());

    // The same with the link of the other player.
    rally(&anna, "Command");
    let before = last(&anna);
    his.lose_response();
    large(&anna, "Roll");
    both_see(before);
    assert!(his.has_lost_response());

    for page in [&anna, &bob] {
        let said = verified(page);
        assert!(said.contains("4 rolls were sealed"), "{said}");
    }
}
