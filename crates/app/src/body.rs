//! The body of a request, written field by field. A `serde_json::Value` would do the same and bring three more writers of JSON, one
//! of them for floats with its tables, into the engine.

use serde::Serialize;

/// A JSON object in the making.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body(String);

impl Body {
    /// Without fields.
    pub fn new() -> Body {
        Body::default()
    }

    /// With one more field.
    #[must_use]
    pub fn with<T: Serialize + ?Sized>(self, name: &str, value: &T) -> Body {
        self.put(name, &serde_json::to_string(value).unwrap_or_default())
    }

    /// With an object as one more field.
    #[must_use]
    pub fn within(self, name: &str, inner: &Body) -> Body {
        self.put(name, &inner.text())
    }

    fn put(mut self, name: &str, json: &str) -> Body {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        self.0.push_str(&serde_json::to_string(name).unwrap_or_default());
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    /// The whole.
    pub fn text(&self) -> String {
        format!("{{{}}}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Body;

    #[test]
    fn it_is_json() {
        let body = Body::new().with("a\"b", &["x", "\n"]).within("c", &Body::new()).with("n", &7);
        let read: serde_json::Value = serde_json::from_str(&body.text()).unwrap();
        assert_eq!(read, serde_json::json!({ "a\"b": ["x", "\n"], "c": {}, "n": 7 }));
    }
}
