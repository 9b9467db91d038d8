//! Cross-origin requests (CORS): pages of the origins that the owner names may use the routes that
//! store nothing and belong to no game. They send no cookies, as there are none, and no token: a
//! preflight does not allow the header `Authorization`.

use crate::state::App;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The routes that other origins may use.
const SHARED: [&str; 9] = [
    "/api/bundles/{sum}",
    "/api/packs",
    "/api/packs/{pack}",
    "/api/packs/{pack}/charts/{chart}",
    "/api/roll",
    "/api/odds",
    "/api/fight",
    "/api/check",
    "/api/openapi.json",
];

/// How long a browser may keep the answer to a preflight, in seconds.
const KEPT: &str = "600";

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

fn is_shared(route: Option<&MatchedPath>) -> bool {
    route.is_some_and(|route| SHARED.contains(&route.as_str()))
}

/// The origin of the request, if the owner allows it and the route is one that may be shared.
pub(crate) fn allowed(
    app: &App,
    route: Option<&MatchedPath>,
    headers: &HeaderMap,
) -> Option<HeaderValue> {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let (origin, None) = (origins.next()?, origins.next()) else { return None };
    let text = origin.to_str().ok()?;
    let named = app.allowed_origins.iter().any(|known| known == text);
    (named && is_shared(route) && !headers.contains_key(header::AUTHORIZATION))
        .then(|| origin.clone())
}

/// Whether a browser asks beforehand what it may send.
pub(crate) fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a preflight. [`mark`] adds the origin.
pub(crate) fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type"),
        (header::ACCESS_CONTROL_MAX_AGE, KEPT),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// Lets the browser give the response to a page of this origin. Where the owner names origins, the
/// response depends on the origin, and caches must know that.
pub(crate) fn mark(
    app: &App,
    route: Option<&MatchedPath>,
    origin: Option<HeaderValue>,
    headers: &mut HeaderMap,
) {
    if is_shared(route) && !app.allowed_origins.is_empty() {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    }
}
