//! Writes the JavaScript of a wasm module, as the program `wasm-bindgen --target web` does.
//!
//! Usage: wgpu-gizmo-web-bindgen MODULE.wasm FOLDER NAME

use std::error::Error;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = &arguments[..] else {
        return Err("usage: wgpu-gizmo-web-bindgen MODULE.wasm FOLDER NAME".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).web(true)?.typescript(false).omit_default_module_path(false);
    bindgen.generate(folder)?;
    Ok(())
}
