//! Serves the page from memory. The files were compressed at build time, in two encodings; a client
//! gets the smallest that it accepts. A name with a hash may be cached without limit; all others
//! are revalidated.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A file of the page.
#[derive(Debug)]
pub struct File {
    /// Its path within the page.
    pub name: &'static str,
    /// The fingerprint of its bytes.
    pub hash: &'static str,
    /// Its bytes.
    pub plain: &'static [u8],
    pub(crate) brotli: &'static [u8],
    pub(crate) gzip: &'static [u8],
}

static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

const UNBUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Adjutant</title>\
<h1>Adjutant</h1><p>This binary was built without the page. Run <code>./run</code> in the source folder: it builds the page and \
the binary that carries it. The interface for programs is there: <a href=\"/api/openapi.json\">/api/openapi.json</a>.</p></html>";

/// The files of the page that this binary carries; none if it was built without.
pub fn files() -> &'static [File] {
    FILES
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Whether a name carries a fingerprint: `engine-3f9a2b1c.wasm`.
fn is_hashed(name: &str) -> bool {
    name.split(['.', '-', '_', '/'])
        .any(|part| part.len() >= 8 && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// How much a client wants an encoding, from 0 to 1000; what is not named is not wanted.
fn wanted(headers: &HeaderMap, encoding: &str) -> u32 {
    let listed = headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','));
    let weight = |item: &str| {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next()?;
        let quality = parts
            .find_map(|part| part.strip_prefix("q="))
            .map_or(Some(1.0), |q| q.trim().parse::<f64>().ok())?;
        name.eq_ignore_ascii_case(encoding).then_some((quality.clamp(0.0, 1.0) * 1000.0) as u32)
    };
    listed.filter_map(weight).next().unwrap_or(0)
}

/// Hands out what lies at a path.
pub(crate) fn hand_out(method: &Method, path: &str, headers: &HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return (
            StatusCode::METHOD_NOT_ALLOWED,
            [(header::ALLOW, "GET, HEAD")],
            "only GET and HEAD are answered here\n",
        )
            .into_response();
    }
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let Some(file) = FILES.iter().find(|file| file.name == name) else {
        return match name {
            "index.html" => (
                [
                    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                    (header::CACHE_CONTROL, "no-cache"),
                ],
                UNBUILT,
            )
                .into_response(),
            _ => (
                StatusCode::NOT_FOUND,
                [(header::CONTENT_TYPE, "text/plain; charset=utf-8")],
                "there is nothing here\n",
            )
                .into_response(),
        };
    };
    let (br, gz) = (wanted(headers, "br"), wanted(headers, "gzip"));
    let small = |packed: &'static [u8]| packed.len() < file.plain.len();
    let (bytes, encoding) = match () {
        () if br > 0 && br >= gz && small(file.brotli) => (file.brotli, Some("br")),
        () if gz > 0 && small(file.gzip) => (file.gzip, Some("gzip")),
        () => (file.plain, None),
    };
    let tag =
        format!("\"{}{}\"", file.hash, encoding.map(|name| format!("-{name}")).unwrap_or_default());
    let known =
        headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let known = known
        .flat_map(|list| list.split(','))
        .any(|one| one.trim().trim_start_matches("W/") == tag || one.trim() == "*");
    let keep = if is_hashed(name) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response =
        if known { StatusCode::NOT_MODIFIED.into_response() } else { bytes.into_response() };
    let head = response.headers_mut();
    let mut put = |name, value: &str| {
        HeaderValue::from_str(value).map(|value| head.insert(name, value)).is_ok()
    };
    put(header::CONTENT_TYPE, kind(file.name));
    put(header::CACHE_CONTROL, keep);
    put(header::ETAG, &tag);
    put(header::VARY, "Accept-Encoding");
    if let (Some(encoding), false) = (encoding, known) {
        put(header::CONTENT_ENCODING, encoding);
    }
    if file.name == "sw.js" {
        put(header::HeaderName::from_static("service-worker-allowed"), "/");
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_fingerprint_are_told_from_others() {
        assert!(is_hashed("engine-3f9a2b1c.wasm") && is_hashed("app.0123456789ab.js"));
        assert!(
            !is_hashed("app.js")
                && !is_hashed("index.html")
                && !is_hashed("manifest.webmanifest")
                && !is_hashed("icon-512.png")
        );
    }

    #[test]
    fn an_encoding_that_is_refused_is_not_used() {
        let asked = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_str(text).unwrap());
            (wanted(&headers, "br"), wanted(&headers, "gzip"))
        };
        assert_eq!(asked("gzip, deflate, br"), (1000, 1000));
        assert_eq!(asked("br;q=0, gzip;q=0.5"), (0, 500));
        assert_eq!(asked("br;q=nonsense"), (0, 0));
        assert_eq!(asked("identity"), (0, 0));
    }

    #[test]
    fn only_reading_is_answered_and_an_unknown_path_is_said() {
        let none = HeaderMap::new();
        assert_eq!(hand_out(&Method::POST, "/", &none).status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(hand_out(&Method::GET, "/no/such", &none).status(), StatusCode::NOT_FOUND);
        assert_eq!(hand_out(&Method::GET, "/", &none).status(), StatusCode::OK);
    }
}
