//! What an anonymous program about tract has in scope.

pub mod prelude {
    pub use anyhow::{Context, Result, bail, ensure};
}
