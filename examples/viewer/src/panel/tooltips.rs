//! Tooltips of the settings in the panel, by label.

/// Returns the tooltip of a setting.
pub(super) fn of(label: &str) -> Option<&'static str> {
    Some(match label {
        "Mode" => "The handles that are shown",
        "Orientation" => "The axes that handles follow. Scale always follows the local axes",
        "Axes" => "Move all nodes along shared axes, or each along its own",
        "Pivot" => "The point that nodes turn and scale about",
        "Box" => "Handles on the box of the active node: scale the node, or crop its mesh",
        "Min length" => "The length at which a side of the box stops",
        "Behind objects" => "How handles look where the scene hides them",
        "Grab" => "How a handle is dragged: by holding the button, or from click to click",
        "Solver" => "How a drag along an axis follows the pointer",
        "Shear" => "The rule for rotations under parents with non-uniform scale",
        "Theme" => "The colors of handles, background and panel",
        "Snap to" => "Steps from the start, lines of the grid, or round values",
        "Increments" => "The steps of translations, rotations and scales",
        "Under pointer" => "What a translation snaps to under the pointer",
        "Snap source" => "The point of the nodes that is put there",
        "Handles" => "How handles look and behave",
        "Align by" => "The part of the nodes that is aligned with the active node",
        _ => return None,
    })
}
