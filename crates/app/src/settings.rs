//! The player's settings: the theme, the name, and for each pack the options and the tables filled
//! in. Each is saved under its own key, so that one that cannot be read does not affect the others.

use crate::message::Command;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Dark, light, or as the device is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the device is set.
    #[default]
    Auto,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

impl Theme {
    /// The word in the document and in the store.
    pub fn word(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Dark => "dark",
            Theme::Light => "light",
        }
    }

    fn read(word: &str) -> Theme {
        match word {
            "dark" => Theme::Dark,
            "light" => Theme::Light,
            _ => Theme::Auto,
        }
    }
}

/// What goes with a roll, if the player wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// Dice roll and cards turn on the screen.
    Motion,
    /// A sound.
    Sound,
    /// The device vibrates.
    Vibration,
}

impl Switch {
    /// All of them.
    pub const ALL: [Switch; 3] = [Switch::Motion, Switch::Sound, Switch::Vibration];

    /// The key in the store.
    fn key(self) -> &'static str {
        match self {
            Switch::Motion => "motion",
            Switch::Sound => "sound",
            Switch::Vibration => "vibration",
        }
    }

    /// Whether it is on before the player chooses.
    fn default(self) -> bool {
        self == Switch::Motion
    }
}

/// The settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The switches that the player has changed.
    switches: Vec<Switch>,
    /// The theme.
    pub theme: Theme,
    /// The name of the player.
    pub name: String,
    /// The options that differ from the pack's defaults, by pack.
    options: Vec<(String, BTreeMap<String, String>)>,
    /// The tables filled in, by pack, as TOML.
    pub tables: BTreeMap<String, String>,
    /// The cards drawn from decks outside a game, by `pack/deck`, in order.
    pub piles: BTreeMap<String, Vec<u32>>,
    /// The draft in the pack editor, as it is saved.
    pub draft: Option<String>,
    /// The pasted sheet with its corrections, as it is saved.
    pub sheet: Option<String>,
}

impl Settings {
    /// Reads the saved values.
    pub fn read(saved: &BTreeMap<String, String>) -> Settings {
        let mut settings = Settings::default();
        for (key, value) in saved {
            match key.split_once(':') {
                None if key == "theme" => settings.theme = Theme::read(value),
                None if Switch::ALL.iter().any(|switch| switch.key() == key) => {
                    let changed = Switch::ALL.into_iter().filter(|switch| {
                        switch.key() == key && (value == "on") != switch.default()
                    });
                    settings.switches.extend(changed);
                }
                None if key == "name" => settings.name.clone_from(value),
                None if key == "editor" => settings.draft = Some(value.clone()),
                None if key == "sheet" => settings.sheet = Some(value.clone()),
                Some(("pile", deck)) => {
                    let drawn = value.split(',').filter_map(|card| card.parse().ok()).collect();
                    settings.piles.insert(deck.to_owned(), drawn);
                }
                Some(("options", pack)) => {
                    if let Ok(options) = serde_json::from_str(value) {
                        settings.options.push((pack.to_owned(), options));
                    }
                }
                Some(("tables", pack)) => {
                    drop(settings.tables.insert(pack.to_owned(), value.clone()))
                }
                _ => {}
            }
        }
        settings
    }

    /// The options of a pack.
    pub fn options_of(&self, pack: &str) -> impl Iterator<Item = (&str, &str)> {
        self.changed(pack)
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The options of a pack that differ from the pack's defaults, by name.
    pub fn changed(&self, pack: &str) -> Option<&BTreeMap<String, String>> {
        self.options.iter().find(|(known, _)| known == pack).map(|(_, options)| options)
    }

    /// Whether a switch is on.
    pub fn is_on(&self, switch: Switch) -> bool {
        switch.default() != self.switches.contains(&switch)
    }

    /// Turns a switch on or off.
    pub fn set_switch(&mut self, switch: Switch, on: bool) -> Command {
        self.switches.retain(|known| *known != switch);
        if on != switch.default() {
            self.switches.push(switch);
        }
        let value = if on { "on" } else { "off" }.to_owned();
        Command::SaveValue { key: switch.key().into(), value: Some(value) }
    }

    /// Sets the theme.
    pub fn set_theme(&mut self, theme: Theme) -> Command {
        self.theme = theme;
        Command::SaveValue { key: "theme".into(), value: Some(theme.word().into()) }
    }

    /// Sets the player's name.
    pub fn set_name(&mut self, name: &str) -> Command {
        self.name = name.trim().to_owned();
        Command::SaveValue {
            key: "name".into(),
            value: Some(self.name.clone()).filter(|name| !name.is_empty()),
        }
    }

    /// Sets an option of a pack; none restores the pack's default.
    pub fn set_option(&mut self, pack: &str, name: &str, value: Option<&str>) -> Command {
        let place = self.options.iter().position(|(known, _)| known == pack).unwrap_or_else(|| {
            self.options.push((pack.to_owned(), BTreeMap::new()));
            self.options.len() - 1
        });
        let options = &mut self.options[place].1;
        match value {
            Some(value) => drop(options.insert(name.to_owned(), value.to_owned())),
            None => drop(options.remove(name)),
        }
        let text =
            (!options.is_empty()).then(|| serde_json::to_string(options).unwrap_or_default());
        Command::SaveValue { key: format!("options:{pack}"), value: text }
    }

    /// Sets the cards drawn from a deck outside a game.
    pub fn set_pile(&mut self, pack: &str, deck: &str, drawn: &[u32]) -> Command {
        let key = format!("{pack}/{deck}");
        let text = drawn.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        self.piles.insert(key.clone(), drawn.to_vec());
        Command::SaveValue {
            key: format!("pile:{key}"),
            value: Some(text).filter(|text| !text.is_empty()),
        }
    }

    /// Sets the draft in the pack editor.
    pub fn set_draft(&mut self, text: Option<String>) -> Command {
        self.draft.clone_from(&text);
        Command::SaveValue { key: "editor".into(), value: text }
    }

    /// Sets the pasted sheet.
    pub fn set_sheet(&mut self, text: Option<String>) -> Command {
        self.sheet.clone_from(&text);
        Command::SaveValue { key: "sheet".into(), value: text }
    }

    /// Sets the tables that the player filled in for a pack.
    pub fn set_tables(&mut self, pack: &str, text: Option<String>) -> Command {
        match &text {
            Some(text) => drop(self.tables.insert(pack.to_owned(), text.clone())),
            None => drop(self.tables.remove(pack)),
        }
        Command::SaveValue { key: format!("tables:{pack}"), value: text }
    }
}
