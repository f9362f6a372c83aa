//! `contraflow check`: the proof of a derivative by running it.

use crate::arguments::Check;
use crate::console::Console;
use crate::failure::Failure;

/// Runs `contraflow check`.
///
/// # Errors
/// The user's fault, the machine's, or a derivative that is not proved.
pub fn command(arguments: &Check, console: &mut Console) -> Result<(), Failure> {
    let _ = (arguments, console);
    Ok(())
}
