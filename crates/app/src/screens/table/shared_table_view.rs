//! The HTML of a shared table: who is connected, invitations as links and QR codes, sealed rolls.

use super::game::Game;
use super::more::Message as More;
use super::more_view::send;
use super::shared_table::{Connection, SharedTable};
use crate::app::Shared;
use crate::message::Message as Outer;
use crate::parts::{act, form_fields, icon};
use crate::route::Route;
use adjutant_api::Rotate;
use adjutant_game::{Forfeit, Seat};
use adjutant_wording::en;
use adjutant_wording::en::page::{table as text, together};
use maud::{Markup, html};

impl Game {
    /// Who is connected, for the head.
    pub fn here_view(&self) -> Markup {
        let Some(server) = &self.server else {
            return html! { @if self.table.people().len() > 1 { span.here { (text::acts_as(&self.me)) } } };
        };
        html! {
            span.here data-wire=(connection_word(server.connection)) {
                span.here-dot aria-hidden="true" {}
                @if server.connection == Connection::Open { (text::here(&server.present.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), &self.away(server))) } @else { (text::wire(connection_word(server.connection))) }
            }
        }
    }

    /// The players who have joined and are not connected.
    fn away(&self, server: &SharedTable) -> Vec<&str> {
        let names = self.table.people().iter().map(|(name, _)| name.as_str());
        let here =
            |name: &str| name == self.me || server.present.iter().any(|one| one.name == name);
        names.filter(|name| server.caught_up && !here(name)).collect()
    }

    /// Which side this player has.
    pub fn seat_view(&self) -> Markup {
        let seat = self.table.people().iter().find(|(name, _)| *name == self.me);
        let watches = self.server.is_some() && seat.is_none();
        html! {
            @match seat.map(|(_, seat)| seat) {
                Some(Seat::Player { side }) => {
                    @let place = self.table.sides().iter().position(|known| known == side);
                    span.turn-me data-side=[place.map(|place| place % 8)] { span.side-mark aria-hidden="true" {} (text::you_are(side)) }
                },
                Some(Seat::Umpire) => span.turn-me { (text::you_are(text::UMPIRE)) },
                Some(Seat::Spectator) => span.turn-me { (text::YOU_WATCH) },
                None => { @if watches { span.turn-me { (text::YOU_WATCH) } } },
            }
        }
    }

    /// Whether this player can invite others from the board.
    pub fn can_invite(&self, shared: &Shared) -> bool {
        match &self.server {
            None => shared.has_server,
            Some(server) => server.manages && server.connection == Connection::Open,
        }
    }

    /// The invitations on the board.
    pub fn invite_panel(&self, shared: &Shared) -> Markup {
        html! {
            section.invite-panel aria-labelledby="invite" {
                header.action-head {
                    h2 #invite tabindex="-1" { (text::INVITE) }
                    button.drop type="button" data-key="Escape" data-back data-do=(send(More::CloseInvite)) aria-label=(text::CLOSE) { (icon::close()) }
                }
                @match &self.server {
                    Some(server) => (self.invite_view(server, shared)),
                    None => form.note-form data-do=(send(More::Host(form_fields()))) autocomplete="off" {
                        label.field { span.field-label { (together::INVITED_LEAD) } input #host-name type="text" name="name" maxlength="60" required; }
                        button.button.button-main type="submit" { (text::INVITE_SHORT) }
                    },
                }
            }
        }
    }

    /// Playing together.
    pub fn together_view(&self, shared: &Shared) -> Markup {
        html! {
            section aria-labelledby="more-together" {
                h2 #more-together { (text::TOGETHER_HEAD) }
                @match &self.server {
                    None => {
                        @if shared.has_server {
                            p.hint { (text::SHARE_HINT) }
                            button.button type="button" data-do=(send(More::Upload)) { (icon::link()) (text::SHARE) }
                        } @else { p.hint { (adjutant_wording::en::page::home::NO_SERVER_HERE) } }
                    },
                    Some(server) => { (self.invite_view(server, shared)) (self.sealed_view()) },
                }
            }
        }
    }

    fn invite_view(&self, server: &SharedTable, shared: &Shared) -> Markup {
        let Some(all) = &server.invitations else {
            return html! { @if server.manages { button.button type="button" data-do=(send(More::ShowInvitations)) { (icon::link()) (text::INVITE) } } @else { p.hint { (text::INVITED) } } };
        };
        let sides = all
            .sides
            .0
            .iter()
            .map(|(side, key)| (side.clone(), key.clone(), Rotate::Side(side.clone())));
        let others = [
            (text::UMPIRE, &all.umpire, Rotate::Umpire),
            (text::SPECTATOR, &all.spectator, Rotate::Spectator),
        ];
        let others =
            others.into_iter().map(|(title, key, which)| (title.to_owned(), key.clone(), which));
        html! {
            p.hint { (text::INVITE_HINT) }
            @if shared.only_here() { p.hint { b { (text::ONLY_HERE) } } }
            ul.invitations {
                @for (title, key, which) in sides.chain(others).filter(|(_, key, _)| !key.is_empty()) {
                    @let link = shared.link(&Route::Join(self.card.id.clone(), key.clone()));
                    li {
                        b { (title) } " " span.hint { (allows(&which)) }
                        div.invite-row {
                            button.button.button-small type="button" data-do=(act(&Outer::Copy(link.clone()))) { (icon::link()) (text::COPY_LINK) }
                            button.button.button-small type="button" data-do=(send(More::ShareLink(key.clone()))) { (text::SEND_LINK) }
                            button.button.button-small type="button" aria-expanded=(if server.scanned.as_ref() == Some(&key) { "true" } else { "false" }) data-do=(send(More::ShowQr(key.clone()))) { (text::SCAN) }
                            @if server.resetting.as_ref() != Some(&which) { button.button.button-quiet type="button" data-do=(send(More::ConfirmReset(Some(which.clone())))) { (text::ROTATE) } }
                        }
                        @if server.resetting.as_ref() == Some(&which) { (self.reset_view(&which)) }
                        @if server.scanned.as_ref() == Some(&key) { (scan(&link, &title)) }
                    }
                }
            }
        }
    }

    /// Asks before a link is replaced, and names the players that this removes. Who started the game
    /// came by no link.
    fn reset_view(&self, which: &Rotate) -> Markup {
        let has = |seat: &Seat| match (which, seat) {
            (Rotate::Side(side), Seat::Player { side: known }) => side == known,
            (Rotate::Umpire, Seat::Umpire) => true,
            _ => false,
        };
        let host = self.entries.first().map(|entry| &entry.by);
        let removed = self
            .table
            .people()
            .iter()
            .filter(|(name, seat)| has(seat) && *name != self.me && Some(name) != host);
        let names: Vec<&str> = removed.map(|(name, _)| name.as_str()).collect();
        html! {
            p.act-hint #reset tabindex="-1" role="alert" { (text::reset(&names)) }
            div.actions-row {
                button.button type="button" data-back data-key="Escape" data-do=(send(More::ConfirmReset(None))) { (text::NOT) }
                button.button.button-danger type="button" data-do=(send(More::RenewInvitation(which.clone()))) { (text::RESET) }
            }
        }
    }

    fn sealed_view(&self) -> Markup {
        let circle = self.table.sealed_circle();
        let mine = circle.iter().any(|member| member.name == self.me);
        html! {
            h3 { (text::SEALED_HEAD) }
            p.hint { (text::SEALED_HINT) }
            @if mine { p.hint { (text::silent_players(&en::forfeit(self.table.sealed_group().forfeit))) } }
            @if !circle.is_empty() {
                ul.people { @for member in circle { li {
                    span { b { (member.name) } " " (text::links_left(member.left())) }
                    button.button.button-small type="button" data-do=(send(More::Release(member.name.clone()))) { (text::RELEASE) }
                } } }
            }
            @if !mine {
                p { (text::SEAL_RULES) }
                ul.hint { @for rule in en::sealed_rules(&self.table, None) { li { (rule) } } }
                div.actions-row {
                    button.button type="button" data-do=(send(More::Seal)) { (text::SEAL) }
                    @if circle.is_empty() {
                        button.button type="button" data-do=(send(More::SealWith(Forfeit::Stands))) { (text::SEAL_STANDS) }
                        button.button type="button" data-do=(send(More::SealWith(Forfeit::Lost { minutes: 30 }))) { (text::SEAL_LOST) }
                    }
                }
            }
            @else if self.my_chain().is_none() { p.wrong { (text::NO_CHAIN) } }
            @else if self.my_chain() == Some(0) {
                button.button type="button" data-do=(send(More::Seal)) { (text::SEAL_AGAIN) }
            }
            @else if circle.len() < 2 { p { (text::SEAL_WAITS) } }
            @else if self.table.open_call().is_none() {
                p.hint { (text::CLOSE_EVENING_HINT) }
                button.button type="button" data-do=(send(More::Close)) { (text::CLOSE_EVENING) }
            }
            (self.sealed_record_view())
        }
    }

    /// What each player did with calls and rolls, and how far the log is confirmed.
    fn sealed_record_view(&self) -> Markup {
        let records = self.table.sealed_records();
        html! {
            @if records.iter().any(|record| record.called > 0) {
                h4 { (text::SEAL_RECORD) }
                ul.sealed-record { @for record in &records { li { (en::member_record(record)) } } }
                @for line in en::confirmed(&self.table) { p.hint { (line) } }
            }
        }
    }

    /// That the log was cut, and what to do.
    pub fn cut_view(&self) -> Markup {
        let Some(cut) = self.server.as_ref().and_then(|server| server.seals.cut.as_ref()) else {
            return html! {};
        };
        html! {
            div.wrong.table-wrong role="alert" {
                p { (cut) }
                p { (text::CUT_HINT) }
                button.button.button-small type="button" data-do=(send(More::AcceptCut)) { (text::ACCEPT_CUT) }
            }
        }
    }

    /// The calls that were withdrawn while this player was away.
    pub fn withdrawn_view(&self) -> Markup {
        let withdrawn = self.server.iter().flat_map(|server| &server.withdrawn);
        html! { @for (by, count) in withdrawn { section.asked role="status" { p { (text::withdrew_away(by, *count)) } } } }
    }

    /// The open call of a sealed roll.
    pub fn open_call_view(&self) -> Markup {
        let Some(call) = self.table.open_call() else { return html! {} };
        let chart = self
            .pack
            .chart(&call.record.request.chart)
            .map_or(call.record.request.chart.as_str(), |chart| chart.title.as_str());
        let owes: Vec<&str> = call.owes().collect();
        html! {
            p.act-hint role="status" { (text::open_call(&call.by, chart, &owes)) }
            div.actions-row {
                @if owes.is_empty() { button.button.button-main type="button" data-do=(send(More::FinishCall)) { (icon::die()) (text::FINISH) } }
                button.button type="button" data-do=(send(More::Withdraw)) { (text::WITHDRAW) }
            }
        }
    }
}

/// What a link allows.
fn allows(which: &Rotate) -> &'static str {
    match which {
        Rotate::Umpire => text::UMPIRE_MAY,
        Rotate::Spectator => text::SPECTATOR_MAY,
        _ => text::PLAYER_MAY,
    }
}

fn connection_word(connection: Connection) -> &'static str {
    match connection {
        Connection::Opening => "opening",
        Connection::Open => "open",
        Connection::Lost => "lost",
        Connection::Refused => "refused",
    }
}

/// A link as a QR code.
fn scan(link: &str, title: &str) -> Markup {
    let Ok(code) = qrcode::QrCode::with_error_correction_level(link, qrcode::EcLevel::L) else {
        return html! { p { (link) } };
    };
    let width = code.width();
    let mut path = String::new();
    for (place, colour) in code.to_colors().iter().enumerate() {
        if *colour == qrcode::Color::Dark {
            path += &format!("M{} {}h1v1h-1z", place % width + 4, place / width + 4);
        }
    }
    html! {
        svg.scan viewBox=(format!("0 0 {0} {0}", width + 8)) role="img" aria-label=(text::scan(title)) shape-rendering="crispEdges" {
            rect width="100%" height="100%" fill="#fff" {}
            path d=(path) fill="#000" {}
        }
    }
}
