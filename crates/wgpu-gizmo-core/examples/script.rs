//! Edits a transform by lines such as `rotate_z 0.5` on standard input, without a window: for scripts and servers. An
//! amount is in world units, in radians, or a factor; handles in a plane take two.
//!
//! ```text
//! echo "translate_x 2.5" | cargo run -p wgpu-gizmo-core --example script
//! ```

use std::error::Error;
use std::io::stdin;
use wgpu_gizmo_core::interaction::drive::Amount;
use wgpu_gizmo_core::{Gizmo, HandleId, IdSpace, Target, Transform};

fn main() -> Result<(), Box<dyn Error>> {
    let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    let mut targets = [Target::from_world(Transform::IDENTITY)];
    for line in stdin().lines() {
        let line = line?;
        let (name, numbers) = line.trim().split_once(' ').ok_or("a line is HANDLE AMOUNT")?;
        let numbers = numbers.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        let amount: Amount = match numbers[..] {
            [number] => number.into(),
            [a, b] => [a, b].into(),
            _ => return Err("an amount is one number or two".into()),
        };
        let handle = HandleId::from_name(name).ok_or_else(|| format!("no handle is named {name}"))?;
        gizmo.drive(handle, amount, &mut targets)?;
        println!("{:?}", targets[0].local);
    }
    Ok(())
}
