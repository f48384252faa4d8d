//! Materials with holes, and with normals.

use super::*;
use scene::style::Shading;

/// Creates a square that faces z, with a texture with a hole in each corner and one in the center.
pub(super) fn holed() -> Scene {
    let transform = |translation| Transform { translation, ..Transform::IDENTITY };
    let mut nodes = vec![
        Node::new("holed", None, transform(DVec3::Z * 2.0)),
        Node::new("behind", None, Transform { scale: DVec3::splat(3.0), ..Transform::IDENTITY }),
    ];
    (nodes[0].mesh, nodes[1].mesh) = (Some(0), Some(1));
    let square = Mesh {
        positions: vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]; 4],
        colors: vec![[255; 4]; 4],
        uvs: vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]],
        indices: vec![0, 1, 2, 0, 2, 3],
        parts: vec![Part { indices: 0..6, material: Some(0) }],
    };
    let texel = |i: u32| {
        let (x, y) = (i % 64, i / 64);
        let is_hole = [(0, 0), (63, 0), (0, 63), (63, 63), (32, 32)]
            .iter()
            .any(|(cx, cy)| x.abs_diff(*cx).pow(2) + y.abs_diff(*cy).pow(2) < 150);
        [255, 0, 0, if is_hole { 0 } else { 255 }]
    };
    let image = Pixels { size: [64; 2], rgba: (0..64 * 64).map(texel).collect() };
    let sampler = Sampler { wrap: [Wrap::Clamp; 2], ..Sampler::default() };
    let texture = Texture { image: 0, sampler, image_from_uv: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] };
    let mut material = Material { alpha: Alpha::Mask(0.5), is_unlit: true, ..Material::default() };
    material.textures[Slot::BaseColor as usize] = Some(texture);
    let mut scene = Scene::new(nodes, vec![square, shapes::cube()]).expect("the nodes form a tree");
    scene.look = Arc::new(Look { materials: vec![material], images: vec![image] });
    scene
}

#[test]
fn alpha_cutout_is_picked_exactly_where_visible() {
    let scene = holed();
    let view = look([0.9, 0.5, 6.0], [0.0, 0.0, 0.5], perspective(true));
    let scene_style = SceneStyle { without_grid: true, ..SceneStyle::default() };
    let texels = picture(&scene, &view, scene_style, "holed");
    let (ids, _) = ids(&scene, &view, DMat4::IDENTITY, SIZE);
    // Through the central hole and a corner, and beside them.
    for ([x, y], id) in [([0.0, 0.0], 2), ([0.9, -0.9], 2), ([0.5, 0.1], 1)] {
        assert_eq!(ids[texel_of(&view, DVec3::new(x, y, 2.0))], id, "{x} {y}");
    }
    // If a pixel and its neighbors all belong to one node, the picture has the color of that node. The
    // square is plain red.
    let is_red = |[r, g, b, _]: [u8; 4]| r > 200 && g < 30 && b < 30;
    let width = SIZE[0] as usize;
    let (mut inside, mut wrong) = (0, 0);
    for i in width + 1..ids.len() - width - 1 {
        let around = [i - 1, i, i + 1, i - width, i + width];
        if around.iter().all(|j| ids[*j] == ids[i]) {
            inside += usize::from(ids[i] == 1);
            wrong += usize::from(is_red(texels[i]) != (ids[i] == 1));
        }
    }
    assert!(inside > 10_000, "{inside}");
    assert_eq!(wrong, 0);
}

#[test]
fn alpha_cutout_edges_are_antialiased_and_opaque() {
    let scene = holed();
    let view = look([0.3, 0.2, 6.0], [0.0, 0.0, 0.5], perspective(true));
    let scene_style = SceneStyle { without_grid: true, ..SceneStyle::default() };
    let texels = picture(&scene, &view, scene_style, "holed-edges");
    let (ids, _) = ids(&scene, &view, DMat4::IDENTITY, SIZE);
    // Around the hole in the center, with the cube behind it, away from the edges of the square.
    let corner =
        |x: f64, y: f64| view.px_from_world(DVec3::new(x, y, 2.0)).expect("the point is in front of the eye");
    let (from, to) = (corner(-0.5, 0.5), corner(0.5, -0.5));
    let (mut on_edge, mut mixed) = (0, 0);
    for (x, y) in
        (from.y as usize..to.y as usize).flat_map(|y| (from.x as usize..to.x as usize).map(move |x| (x, y)))
    {
        let at = y * SIZE[0] as usize + x;
        on_edge += usize::from(ids[at] != ids[at + 1] || ids[at] != ids[at + SIZE[0] as usize]);
        // The square is plain red, the cube gray.
        let [r, g, ..] = texels[at];
        mixed += usize::from((40..215).contains(&r.abs_diff(g)));
    }
    assert!(on_edge > 100 && mixed > on_edge / 2, "{mixed} of {on_edge}");
    assert!(texels.iter().all(|texel| texel[3] == 255), "the picture is opaque");
}

#[test]
fn unlit_color_is_opaque_from_cutoff_and_gray_as_clay() {
    let mut scene = holed();
    let view = look([0.0, 0.0, 6.0], [0.0; 3], perspective(true));
    for (alpha, shading) in [(0.498, Shading::Materials), (0.5, Shading::Materials), (0.5, Shading::Clay)] {
        let color = [1.0, 0.0, 0.0, alpha];
        let base =
            Material { base_color: color, alpha: Alpha::Mask(0.5), is_unlit: true, ..Material::default() };
        scene.look = Arc::new(Look { materials: vec![base], images: Vec::new() });
        let scene_style = SceneStyle { without_grid: true, shading, ..SceneStyle::default() };
        let texels = picture(&scene, &view, scene_style, "cutoff");
        let texel = texels[(SIZE[1] / 2 * SIZE[0] + SIZE[0] / 2) as usize];
        let is_plain = texel == [255, 0, 0, 255];
        assert_eq!(is_plain, alpha == 0.5 && shading == Shading::Materials, "{alpha}: {texel:?}");
        assert!(shading != Shading::Clay || texel[0].abs_diff(texel[1]) < 20, "{texel:?}");
    }
}

#[test]
fn normal_texture_shades_like_normals_on_both_sides() {
    let normal = DVec3::new(-0.5, 0.6, 0.8).normalize();
    let holed = holed();
    let texture = holed.look.materials[0].textures[Slot::BaseColor as usize];
    let mut materials = vec![Material::default(); 2];
    materials[0].textures[Slot::Normal as usize] = texture;
    let [r, g, b] = normal.to_array().map(|c| (127.5 + 127.5 * c).round() as u8);
    let images = vec![Pixels { size: [1; 2], rgba: vec![[r, g, b, 255]] }];
    let textured = Mesh::clone(&holed.meshes()[0]);
    let mut tilted = textured.clone();
    tilted.normals = vec![normal.as_vec3().to_array(); 4];
    tilted.parts[0].material = Some(1);
    let centers = [DVec3::X * -2.0, DVec3::X * 2.0];
    let mut nodes = [("textured", centers[0]), ("tilted", centers[1])]
        .map(|(name, translation)| Node::new(name, None, Transform { translation, ..Transform::IDENTITY }));
    (nodes[0].mesh, nodes[1].mesh) = (Some(0), Some(1));
    let mut scene = Scene::new(nodes.into(), vec![textured, tilted]).expect("the nodes form a tree");
    scene.look = Arc::new(Look { materials, images });
    let projection = Projection::Orthographic { height: 4.0, near: 0.1, far: 20.0, reversed: true };
    for z in [6.0, -6.0] {
        let view = look([0.0, 0.0, z], [0.0; 3], projection);
        let texels = picture(&scene, &view, SceneStyle::default(), "normals");
        let [by_texture, by_normals] = centers.map(|center| texels[texel_of(&view, center)]);
        let differ = (0..3).any(|i| by_texture[i].abs_diff(by_normals[i]) > 2);
        assert!(!differ, "from {z}: {by_texture:?} is not {by_normals:?}");
    }
}
