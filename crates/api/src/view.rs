//! Types of JSON that show a part of a pack, a game or an answer. Each key stands once, with its type
//! and the expression that gives its value.

/// Declares types of JSON, each with `new`: `Name(from: Type) { key: Type = value, }`.
macro_rules! views {
    ($(
        $(#[$meta:meta])*
        $name:ident $(<$life:lifetime>)? ($($from:ident: $source:ty),+) {
            $($(#[$key_meta:meta])* $key:ident: $type:ty = $value:expr,)+
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name $(<$life>)? {
            $($(#[$key_meta])* pub $key: $type,)+
        }

        impl $(<$life>)? $name $(<$life>)? {
            pub fn new($($from: $source),+) -> Self {
                Self { $($key: $value,)+ }
            }
        }
    )+};
}
pub(crate) use views;

/// A list of views.
pub(crate) fn all<I: IntoIterator, V>(list: I, view: impl FnMut(I::Item) -> V) -> Vec<V> {
    list.into_iter().map(view).collect()
}
