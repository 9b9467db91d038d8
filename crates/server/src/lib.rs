//! The server: serves the page, stores and relays shared tables, and answers programs. It knows no
//! rules: charts are run by `engine`, events are made by `game`, lines are stored by `store`. Start
//! at `routes.rs` (every route), `guard.rs` (every request passes it), `table_cache.rs` and
//! `live_table.rs` (tables in memory). `docs/api.md` is for programs, `docs/hosting.md` for
//! operators.
//!
//! ```no_run
//! # async fn run() -> Result<(), adjutant_server::ServeError> {
//! let packs = ["panzer8"].map(|id| std::sync::Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap()));
//! let store = adjutant_store::open(&adjutant_store::StoreLocation::parse("tables.db").unwrap()).unwrap();
//! let server = adjutant_server::serve(adjutant_server::Config::new(store.into(), packs)).await?;
//! println!("{}", server.address());
//! server.stop().await;
//! # Ok(()) }
//! ```

mod api_routes;
mod auth;
mod clock;
mod config;
mod cross_origin;
mod error;
mod game_packs;
mod guard;
mod idempotency;
mod keys;
mod live_table;
mod metrics;
mod odds_cache;
mod page;
mod pending_rolls;
mod presence;
mod rate_limit;
mod routes;
mod serve;
mod state;
mod store_handle;
mod stream;
mod table_cache;
mod table_routes;
mod tables;
mod timed_stream;
mod workers;

pub use clock::utc;
pub use config::{Config, Limits};
pub use game_packs::{GAME_PACK, ServedPack, WrittenPack, pack_of_game};
pub use page::{File, files as page_files};
pub use routes::{openapi, routes};
pub use serve::{ServeError, Server, serve};
