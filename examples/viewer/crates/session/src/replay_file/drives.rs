//! Drags without a pointer in a replay: a handle and an amount in degrees, world units or factors.

use gltf_io::Result;
use gltf_io::json::Json;
use serde_json::{Value, json};
use wgpu_gizmo_core::HandleId;
use wgpu_gizmo_core::handle::Constraint;
use wgpu_gizmo_core::interaction::drive::Amount;

/// Reads a handle and an amount that fits it.
pub(super) fn read(json: &Json<'_>) -> Result<(HandleId, Amount)> {
    json.only(&["handle", "amount"])?;
    let handle = handle(&json.need("handle")?)?;
    let amount = json.need("amount")?;
    let amount = match handle.constraint() {
        Constraint::Plane(_) | Constraint::ViewPlane => Amount::from(amount.numbers::<2>()?),
        Constraint::Box(grip) if grip.axes().count() == 2 => Amount::from(amount.numbers::<2>()?),
        // A corner takes one number if the aspect is kept when the event runs, and two otherwise.
        Constraint::Box(grip) if grip.axes().count() == 3 => {
            amount.number().map(Amount::from).or_else(|_| amount.numbers::<2>().map(Amount::from))?
        }
        _ if is_rotation(handle) => Amount::from(amount.number()?.to_radians()),
        _ => Amount::from(amount.number()?),
    };
    Ok((handle, amount))
}

/// Reads the name of a handle.
pub(super) fn handle(name: &Json<'_>) -> Result<HandleId> {
    let text = name.text()?;
    HandleId::from_name(text).ok_or_else(|| name.error(format!("no handle is named `{text}`")))
}

/// Returns a handle and an amount as JSON.
pub(super) fn write(handle: HandleId, amount: Amount) -> Value {
    let amount = match *amount.numbers() {
        [number] if is_rotation(handle) => json!(crate::settings::degrees(number)),
        [number] => json!(number),
        ref numbers => json!(numbers),
    };
    json!({ "handle": handle.name(), "amount": amount })
}

fn is_rotation(handle: HandleId) -> bool {
    handle.constraint().rotates()
}
