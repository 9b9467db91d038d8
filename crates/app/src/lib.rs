//! What a player sees. A plain loop: a typed [`Message`] comes in, [`App::update`] changes the state and says what the
//! world must do ([`Command`]), [`App::view`] makes HTML, in regions. There is no network, no clock and no generator
//! here: the time and thirty-two bytes of luck come with every message ([`Now`]). Natively the tests drive the same two
//! functions; in the browser a small script does (`web/app.js`), through [`bridge`].
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
mod pack_registry;
mod pack_summary;
pub mod parts;
mod route;
pub mod screens;
mod server_api;
mod settings;
#[cfg(not(target_arch = "wasm32"))]
mod site;
pub mod words;

pub use app::App;
pub use message::{Command, HttpCall, Message, Method, Now, Reply, ReplyTo, ServerEvent, Start, StreamEvent, TableCard, View, ViewRegion};
pub use pack_registry::PackRegistry;
pub use pack_summary::{Named, PackSummary};
pub use route::{Query, Route};
pub use settings::{Settings, Theme};
#[cfg(not(target_arch = "wasm32"))]
pub use site::site;
