//! Checks of every request: the host name (against DNS rebinding), the origin (against other sites'
//! pages, unless `--allow-origin` names them; there are no cookies), the rate limit, and the time. Every response has the headers that
//! keep a browser strict. Requests are counted and logged by route, never by address, so that no
//! id, key or token gets into a log.

use crate::auth::{Peer, token};
use crate::cross_origin;
use crate::error::{ApiError, Busy, Forbidden, Unreadable};
use crate::keys::fingerprint;
use crate::state::{App, Shared};
use axum::extract::{Extension, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; \
connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// Wraps every route.
pub(crate) async fn guard(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    route: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let (method, client) = (request.method().clone(), app.client(peer, request.headers()));
    let shared = cross_origin::allowed(&app, route.as_ref(), request.headers());
    let checked = host_of(request.uri(), request.headers()).and_then(|host| {
        check(&app, (peer, client), &method, request.headers(), (host, shared.is_some()))
    });
    let preflight = shared.is_some() && cross_origin::is_preflight(&request);
    let mut response = match checked {
        Err(wrong) => wrong.into_response(),
        Ok(()) if preflight => cross_origin::preflight(),
        Ok(()) => match tokio::time::timeout(app.limits.patience, next.run(request)).await {
            Ok(response) => response,
            Err(_) => too_long(&method).into_response(),
        },
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    cross_origin::mark(&app, route.as_ref(), shared, response.headers_mut());
    let (status, took) = (response.status().as_u16(), started.elapsed());
    match status {
        409 => drop(app.metrics.conflicts.fetch_add(1, Relaxed)),
        429 => drop(app.metrics.limited.fetch_add(1, Relaxed)),
        _ => {}
    }
    let route = route.as_ref().map_or("page", |route| crate::routes::named(route.as_str()));
    app.metrics.request(route, status, took);
    tracing::info!(%method, route, status, ms = took.as_secs_f64() * 1000.0, %client, "request");
    response
}

/// What is being written goes on without the one who asked, so that it may still be saved.
fn too_long(method: &Method) -> ApiError {
    ApiError::TimedOut { writes: !matches!(*method, Method::GET | Method::HEAD) }
}

/// The host that a request names, once. An absolute address in the first line counts before the
/// header, and a proxy may see only one of the two, so both must be the same.
fn host_of<'r>(uri: &'r Uri, headers: &'r HeaderMap) -> Result<&'r str, ApiError> {
    let mut named = headers.get_all(header::HOST).iter();
    let host = named.next().and_then(|value| value.to_str().ok()).unwrap_or_default();
    if named.next().is_some() {
        return Err(Unreadable::ManyHosts.into());
    }
    match uri.authority() {
        Some(other) if !other.as_str().eq_ignore_ascii_case(host) => Err(ApiError::Misdirected),
        _ => Ok(host),
    }
}

fn check(
    app: &App,
    (peer, client): (Peer, IpAddr),
    method: &Method,
    headers: &HeaderMap,
    (host, shared): (&str, bool),
) -> Result<(), ApiError> {
    if !knows_host(app, host) {
        return Err(ApiError::Misdirected);
    }
    if method != Method::GET && method != Method::HEAD && !shared {
        let origin = headers.get(header::ORIGIN).map(|value| value.to_str().unwrap_or_default());
        let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
        if origin.is_some_and(|origin| !is_ours(app, origin, host))
            || site.is_some_and(|site| !matches!(site, "same-origin" | "none"))
        {
            return Err(ApiError::Forbidden(Forbidden::OtherSite));
        }
    }
    if app.spared(peer) {
        return Ok(());
    }
    // One token used from many addresses is one client. The address comes first, so that a client
    // that invents tokens makes no more buckets than it may send requests.
    let allowed = app.rates.take(&client, 1.0)
        && token(headers).is_none_or(|token| app.token_rates.take(&fingerprint(token), 1.0));
    if allowed { Ok(()) } else { Err(ApiError::Busy(Busy::Requests)) }
}

/// The name in `name:port`; an address of the new kind without its brackets.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

/// Whether a name can be ours. An address cannot be rebound; of names only those that we were told.
fn knows_host(app: &App, host: &str) -> bool {
    let of_origin = |origin: &String| {
        origin.split_once("://").is_some_and(|(_, known)| known.eq_ignore_ascii_case(host))
    };
    let name = name_of(host);
    let address = name.parse::<IpAddr>();
    match app.local {
        true => {
            name.eq_ignore_ascii_case("localhost")
                || address.is_ok_and(|address| address.is_loopback())
        }
        false => {
            address.is_ok()
                || app.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
                || app.origins.iter().any(of_origin)
        }
    }
}

/// Whether a page of this origin is ours.
fn is_ours(app: &App, origin: &str, host: &str) -> bool {
    let same = origin.split_once("://").is_some_and(|(scheme, named)| {
        matches!(scheme, "http" | "https") && named.eq_ignore_ascii_case(host)
    });
    same || app.origins.iter().any(|known| known.eq_ignore_ascii_case(origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_read_out_of_the_host() {
        assert_eq!(
            ["localhost:80", "[::1]:80", "10.0.0.1", "a.b:1", ""].map(name_of),
            ["localhost", "::1", "10.0.0.1", "a.b", ""]
        );
    }
}
