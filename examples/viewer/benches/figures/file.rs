//! Generates large scenes as files, so that loading them can be measured.

use serde_json::{Value, json};

/// The buffers and meshes of a file under construction.
#[derive(Default)]
struct Parts {
    binary: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
}

impl Parts {
    fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        self.views.push(json!({ "buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len() }));
        self.binary.extend_from_slice(bytes);
        let view = self.views.len() - 1;
        self.accessors
            .push(json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }));
        self.accessors.len() - 1
    }

    fn mesh(&mut self, positions: &[[f32; 3]], normals: &[[f32; 3]], indices: &[u32], material: usize) {
        let vectors = |vectors: &[[f32; 3]]| bytemuck::cast_slice(vectors).to_vec();
        let position = self.accessor(&vectors(positions), 5126, "VEC3", positions.len());
        let normal = self.accessor(&vectors(normals), 5126, "VEC3", normals.len());
        let index = self.accessor(bytemuck::cast_slice(indices), 5125, "SCALAR", indices.len());
        let attributes = json!({ "POSITION": position, "NORMAL": normal });
        let primitive = json!({ "attributes": attributes, "indices": index, "material": material });
        self.meshes.push(json!({ "primitives": [primitive] }));
    }

    /// Returns the bytes of a `.glb` file.
    fn file(self, nodes: Vec<Value>, roots: Vec<usize>) -> Vec<u8> {
        let color = |r: f64, g: f64, b: f64| {
            json!({ "pbrMetallicRoughness":
                { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6 } })
        };
        let document = json!({
            "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": roots }],
            "nodes": nodes, "meshes": self.meshes, "accessors": self.accessors,
            "bufferViews": self.views, "buffers": [{ "byteLength": self.binary.len() }],
            "materials": [color(0.65, 0.24, 0.16), color(0.10, 0.32, 0.34), color(0.66, 0.62, 0.54)],
        });
        gltf_io::whole_glb(document.to_string().as_bytes(), &self.binary).expect("the file is small")
    }
}

/// Returns a `.glb` file of 99 000 nodes with three meshes, as children of a thousand others.
pub(crate) fn nodes() -> Vec<u8> {
    let mut parts = Parts::default();
    for material in 0..3 {
        let mesh = scene::shapes::cube();
        parts.mesh(&mesh.positions, &mesh.normals, &mesh.indices, material);
    }
    let (mut nodes, mut roots) = (Vec::new(), Vec::new());
    for group in 0..1000 {
        let (x, z) = (f64::from(group % 40) - 19.5, f64::from(group / 40) - 12.0);
        let first = nodes.len() + 1;
        roots.push(nodes.len());
        nodes.push(json!({ "name": format!("group {group}"), "translation": [12.0 * x, 0.0, 12.0 * z],
            "children": (first..first + 99).collect::<Vec<_>>() }));
        for index in 0..99 {
            let (x, y, z) = (index % 5, index / 25, index / 5 % 5);
            let half_angle = 0.05 * f64::from((group * 7 + index * 3) % 40);
            nodes.push(json!({ "name": format!("box {group} {index}"), "mesh": (group + index) % 3,
                "translation": [2.0 * f64::from(x) - 4.0, 0.5 + 1.5 * f64::from(y), 2.0 * f64::from(z) - 4.0],
                "rotation": [0.0, half_angle.sin(), 0.0, half_angle.cos()] }));
        }
    }
    parts.file(nodes, roots)
}

/// The number of quads along a side of a tile.
const SIDE: u32 = 224;

/// Returns a `.glb` file of 10 million triangles: a terrain of ten by ten nodes, with a mesh each.
pub(crate) fn triangles() -> Vec<u8> {
    let mut parts = Parts::default();
    let mut nodes = Vec::new();
    for tile in 0..100u32 {
        let (left, front) = ((tile % 10) as f32 * 10.0 - 50.0, (tile / 10) as f32 * 10.0 - 50.0);
        let hill = |x: f32, z: f32| {
            let far = (x * 0.11).sin() * (z * 0.13).cos() * 3.0 + 3.0;
            far + 0.35 * (x * 0.9).sin() * (z * 1.1).sin() + 0.05 * (x * 6.0).cos() * (z * 7.0).sin()
        };
        let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        for (i, j) in (0..=SIDE).flat_map(|j| (0..=SIDE).map(move |i| (i, j))) {
            let [x, z] = [i, j].map(|k| k as f32 * 10.0 / SIDE as f32);
            let at = |dx: f32, dz: f32| hill(left + x + dx, front + z + dz);
            positions.push([x, at(0.0, 0.0), z]);
            normals.push([at(-0.01, 0.0) - at(0.01, 0.0), 0.02, at(0.0, -0.01) - at(0.0, 0.01)]);
            if i < SIDE && j < SIDE {
                let a = j * (SIDE + 1) + i;
                let b = a + SIDE + 1;
                indices.extend([a, b, a + 1, a + 1, b, b + 1]);
            }
        }
        parts.mesh(&positions, &normals, &indices, (tile % 3) as usize);
        nodes
            .push(json!({ "name": format!("tile {tile}"), "mesh": tile, "translation": [left, 0.0, front] }));
    }
    parts.file(nodes, (0..100).collect())
}
