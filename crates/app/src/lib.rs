//! The page. A plain loop without a framework: a typed [`Message`] comes in, [`App::update`]
//! changes the state and returns [`Command`]s for what only a browser can do, [`App::view`] makes
//! HTML with templates checked by the compiler. There is no network, no clock and no random
//! generator here: time and random bytes come with every message ([`Now`]). Tests call the same two
//! functions natively; in the browser a small script does (`web/app.js`), through [`bridge`].
//!
//! - The page consists of regions: an id, and its HTML. Only changed regions are sent, and they are
//!   morphed into the document, so that focus, selection, scroll and folds stay, and no button is
//!   replaced under a finger. HTML has no scripts and no styles.
//! - A line is stored before it is shown. A screen makes a line, commands that it be stored, and
//!   applies it when the reply is `Done`. If the store is full, or another window was faster, the
//!   page says so and nothing has happened.
//! - Long work (a surface in the lab, a large fight, the cases of a pack) is done in slices:
//!   `Command::NextFrame` asks the script to call back, and the time of the last slice determines
//!   the size of the next. A callback carries the number of its work, so outdated ones do nothing.
//! - The first paint is made natively by the same `view` and is part of index.html.
//!
//! ```
//! use adjutant_app::{App, Message, Now};
//! let mut app = App::new();
//! app.update(&Now::default(), Message::Go("#/sheet/panzer8".into()));
//! assert!(app.view().regions.iter().any(|region| region.html.contains("Panzer8")));
//! ```

pub mod app;
pub mod bridge;
mod frame;
mod message;
#[cfg(feature = "workshop")]
pub mod pack_link;
mod pack_registry;
mod pack_summary;
pub mod parts;
mod route;
pub mod screens;
mod server_api;
mod server_packs;
mod settings;
#[cfg(not(target_arch = "wasm32"))]
mod site;

pub use app::App;
pub use message::{
    Command, HttpCall, Message, Method, Now, Reply, ReplyTo, ServerEvent, Start, StreamEvent,
    TableCard, View, ViewRegion,
};
pub use pack_registry::PackRegistry;
pub use pack_summary::{Named, PackSummary};
pub use route::{GameTask, Query, Route};
pub use settings::{Settings, Switch, Theme};
#[cfg(not(target_arch = "wasm32"))]
pub use site::site;
