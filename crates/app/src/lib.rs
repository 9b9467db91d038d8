//! What a player sees. A plain loop: a typed [`Message`] comes in, [`App::update`] changes the state and says what the
//! world must do ([`Command`]), [`App::view`] makes HTML, in regions. There is no network, no clock and no generator
//! here: the time and thirty-two bytes of luck come with every message ([`Moment`]). Natively the tests drive the same two
//! functions; in the browser a small script does (`web/app.js`), through [`edge`].
//!
//! ```
//! use adjutant_app::{App, Message, Moment};
//! let mut app = App::new();
//! app.update(&Moment::default(), Message::Go("#/sheet/panzer8".into()));
//! assert!(app.view().regions.iter().any(|region| region.html.contains("Panzer8")));
//! ```

mod app;
mod body;
mod brief;
pub mod edge;
mod frame;
mod message;
pub mod parts;
mod route;
pub mod screens;
mod settings;
mod shelf;
#[cfg(not(target_arch = "wasm32"))]
mod site;
pub mod words;

pub use app::App;
pub use brief::{Brief, Named};
pub use message::{Answer, Call, Command, Message, Moment, Re, Screen, Start, Stream, TableCard, View, ViewRegion};
pub use route::{Query, Route};
pub use settings::{Settings, Theme};
pub use shelf::Shelf;
#[cfg(not(target_arch = "wasm32"))]
pub use site::site;
