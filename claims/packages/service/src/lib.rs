//! What an anonymous program about the service has in scope.

pub mod prelude {
    pub use anyhow::{Context, Result, bail, ensure};
}
