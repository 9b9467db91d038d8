//! Cancellation of long work.

use std::fmt;
use std::sync::Arc;

/// Tells long work when to give up. The engine has no clock: the caller decides, for example by the
/// time or because the client has left. The default never stops.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    /// Stops as soon as `stop` returns true. It is called repeatedly.
    pub fn when(stop: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Some(Arc::new(stop)))
    }

    /// Whether the caller wants the work to end now.
    pub fn is_due(&self) -> bool {
        self.0.as_ref().is_some_and(|stop| stop())
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stop(when …)" } else { "Stop(never)" })
    }
}
