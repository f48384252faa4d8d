//! Prints the public items of a crate, one per line, from its rustdoc JSON.
//!
//! Usage: `wgpu-gizmo-public-api FILE.json`. Impls that every type has or that are derived are left out.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: wgpu-gizmo-public-api FILE.json")?;
    let api = public_api::Builder::from_rustdoc_json(path)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    for item in api.items() {
        println!("{item}");
    }
    Ok(())
}
