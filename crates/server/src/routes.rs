//! Every route, once. The list makes the router, and a test compares it with `/api/openapi.json`.

use crate::error::{ApiError, NotFound};
use crate::state::Shared;
use crate::{api_routes, guard, page, stream, table_routes, tables};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing;
use std::sync::LazyLock;

/// The OpenAPI document, as it is served.
pub fn openapi() -> &'static str {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
        serde_json::to_string_pretty(&adjutant_api::openapi()).unwrap_or_default()
    });
    &DOCUMENT
}

macro_rules! routes {
    ($($method:ident $path:literal => $handler:path;)*) => {
        const ROUTES: &[(&str, &str)] = &[$((stringify!($method), $path)),*];

        fn listed() -> Router<Shared> {
            Router::new()$(.route($path, routing::$method($handler)))*
        }
    };
}

routes! {
    get "/api/games" => tables::list;
    post "/api/games" => tables::create;
    post "/api/games/import" => tables::import;
    get "/api/games/{id}" => tables::about;
    post "/api/games/{id}/invitation" => tables::read_invitation;
    post "/api/games/{id}/join" => tables::join;
    post "/api/games/{id}/enter" => tables::enter;
    get "/api/games/{id}/lines" => tables::lines;
    get "/api/games/{id}/events" => stream::events;
    post "/api/games/{id}/act" => table_routes::act;
    post "/api/games/{id}/play" => table_routes::play;
    get "/api/games/{id}/invitations" => tables::invitations;
    post "/api/games/{id}/invitations" => tables::rotate;
    get "/api/bundles/{sum}" => api_routes::bundle;
    get "/api/packs" => api_routes::packs;
    get "/api/packs/{pack}" => api_routes::pack;
    get "/api/packs/{pack}/charts/{chart}" => api_routes::chart;
    post "/api/roll" => api_routes::roll;
    post "/api/odds" => api_routes::odds;
    post "/api/fight" => api_routes::fight;
    post "/api/check" => api_routes::check;
    get "/api/openapi.json" => serve_openapi;
    get "/healthz" => health;
    get "/metrics" => tables::metrics;
}

/// The routes that are answered, method and path, besides the files of the page.
pub fn routes() -> &'static [(&'static str, &'static str)] {
    ROUTES
}

/// The same text for as long as the program runs: what metrics and logs name a route by.
pub(crate) fn named(path: &str) -> &'static str {
    ROUTES.iter().find(|(_, known)| *known == path).map_or("page", |(_, known)| known)
}

pub(crate) fn router(app: Shared) -> Router {
    listed()
        .fallback(anything)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(app.limits.body))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

async fn serve_openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], openapi())
        .into_response()
}

/// Whether the server answers and its store can be read and written.
async fn health(State(app): State<Shared>) -> Response {
    let (store, interval) = (app.hall.store.clone(), app.limits.probe);
    let id = adjutant_store::TableId::new();
    let asked = crate::live_table::blocking(move || {
        match id.and_then(|id| Ok(store.store()?.summary(&id))) {
            Ok(Err(adjutant_store::StoreError::NoTable { .. }) | Ok(_)) => {}
            Ok(Err(fault)) | Err(fault) => return Err(ApiError::unwell(&fault)),
        }
        store.can_write(interval).map_err(|fault| ApiError::unwell(&fault))
    });
    match asked.await {
        Ok(()) => ([(header::CACHE_CONTROL, "no-store")], "well\n").into_response(),
        Err(wrong) => wrong.into_response(),
    }
}

async fn anything(request: Request) -> Response {
    if request.uri().path().starts_with("/api/") {
        return ApiError::NotFound(NotFound::Address).into_response();
    }
    page::hand_out(request.method(), request.uri().path(), request.headers())
}

async fn wrong_method() -> Response {
    ApiError::WrongMethod.into_response()
}
