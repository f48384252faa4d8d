//! The features of a file that the viewer does not show.

use crate::file_error::LocatedError;
use crate::json::Json;

/// Returns phrases such as `lights (3)`, one per unsupported feature, for a message to the user.
pub(crate) fn unsupported(root: &Json<'_>) -> Result<Vec<String>, LocatedError> {
    let mut found = Vec::new();
    let mut count = |feature: &str, n: usize| {
        if n > 0 {
            found.push(format!("{feature} ({n})"));
        }
    };
    let more_scenes = root.items_of("scenes")?.len().saturating_sub(1);
    count("other scenes", more_scenes);
    if let Some(lights) = root.extension("KHR_lights_punctual")? {
        count("illumination by lights", lights.items_of("lights")?.len());
    }
    Ok(found)
}
