//! The server: hands out the page, keeps and relays shared tables, and answers programs. It knows no rules: what a chart
//! says comes from `umpire`, what happens at a table from `table`, and what is kept from `store`.
//!
//! ```no_run
//! # async fn run() -> Result<(), adjutant_server::ServeFault> {
//! let packs = ["panzer8"].map(|id| std::sync::Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap()));
//! let store = adjutant_store::open(&adjutant_store::Place::parse("tables.db").unwrap()).unwrap();
//! let server = adjutant_server::serve(adjutant_server::Config::new(store.into(), packs)).await?;
//! println!("{}", server.address());
//! server.stop().await;
//! # Ok(()) }
//! ```

mod acts;
pub mod answer;
mod asked;
mod clock;
mod config;
mod fault;
mod guard;
mod hall;
mod hand;
mod here;
mod io;
mod keeper;
mod keys;
mod live;
mod metrics;
mod page;
mod programs;
mod rate;
mod routes;
mod serve;
mod state;
mod stream;
mod tables;
mod tickets;

pub use clock::utc;
pub use config::{Config, Limits};
pub use page::{File, files as page_files};
pub use routes::{OPENAPI, routes};
pub use serve::{ServeFault, Server, serve};
