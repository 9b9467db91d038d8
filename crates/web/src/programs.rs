//! stub
use axum::response::{IntoResponse, Response};
pub(crate) async fn packs() -> Response {
    "".into_response()
}
pub(crate) async fn pack() -> Response {
    "".into_response()
}
pub(crate) async fn chart() -> Response {
    "".into_response()
}
pub(crate) async fn roll() -> Response {
    "".into_response()
}
pub(crate) async fn odds() -> Response {
    "".into_response()
}
pub(crate) async fn fight() -> Response {
    "".into_response()
}
pub(crate) async fn check() -> Response {
    "".into_response()
}
