#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wgpu_gizmo_fuzz::gltf(bytes));
