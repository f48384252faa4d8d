//! Textures from every source, and broken ones.

use super::*;
use scene::material::{Alpha, Mipmaps, Sampler, Texture, Wrap};

#[test]
fn textures_are_read_from_buffers_data_uris_and_files() {
    let folder = folder();
    write(&folder, "a picture.png", &png());
    let base64 = BASE64.encode(png());
    let embedded = json!({"bufferView": 3, "mimeType": "image/png"});
    let data = json!({"uri": format!("data:image/png;base64,{base64}")});
    for image in [embedded, data, json!({"uri": "a%20picture.png"})] {
        let (document, bytes) = textured(image);
        let scene = opened_in(&folder, &document, &bytes);
        assert_eq!(scene.notice, None);
        let Look { materials, images } = &*scene.look;
        assert_eq!((images.len(), images[0].size, images[0].rgba[4]), (1, [3, 2], [1, 1, 7, 255]));
        let texture = materials[0].textures[Slot::BaseColor as usize].expect("the texture exists");
        let sampler = Sampler {
            wrap: [Wrap::Clamp, Wrap::Mirror],
            linear_mag: false,
            linear_min: true,
            mipmaps: Mipmaps::Nearest,
        };
        let image_from_uv = [[2.0, 0.0, 0.5], [0.0, 3.0, 0.0]];
        assert_eq!(texture, Texture { image: 0, sampler, image_from_uv });
        assert_eq!((materials[0].alpha, materials[0].uv_set), (Alpha::Mask(0.5), 1));
        assert_eq!(scene.meshes()[0].uvs[3], [0.0, 0.0]);
        assert_eq!(scene.meshes()[0].uvs[1], [1.0, 1.0]);
    }
}

#[test]
fn broken_texture_leaves_plain_color_and_notice() {
    let folder = folder();
    write(&folder, "text.png", b"this is not an image");
    let cases = [
        (json!({"uri": "text.png"}), "textures (1; images[0]: is neither PNG, JPEG, WebP nor KTX2)"),
        (json!({"uri": "missing.png"}), "textures (1; images[0].uri: the image file"),
        (json!({"uri": "http://x/y.png"}), "http URIs are not supported: only files in"),
        (json!({"bufferView": 99}), "index 99 is out of range (4 buffer views)"),
        (json!({"bufferView": 2}), "images[0]: is neither"),
        (json!({}), "images[0]: has neither a uri nor a bufferView)"),
        (json!("x"), "images[0]: must be an object"),
    ];
    for (image, wanted) in cases {
        let (document, bytes) = textured(image);
        let scene = opened_in(&folder, &document, &bytes);
        let notice = scene.notice.as_deref().unwrap_or_default();
        assert!(notice.starts_with("Not shown: textures (1; ") && notice.contains(wanted), "{notice}");
        assert_eq!(scene.look.materials[0].textures, [None; Slot::COUNT]);
        assert_eq!(scene.look.materials[0].base_color, [1.0, 0.5, 0.0, 1.0]);
    }
    let (mut document, bytes) = textured(json!({"bufferView": 3}));
    document["textures"] = json!([{"extensions": {"MSFT_texture_dds": {"source": 0}}}]);
    let scene = opened_in(&folder, &document, &bytes);
    let notice = "Not shown: textures (1; textures[0]: has no image in a supported format)";
    assert_eq!(scene.notice.as_deref(), Some(notice));
}

#[test]
fn texture_of_extension_is_shown_without_other_source() {
    let webp = include_bytes!("../../../../scene/src/pixels/webp/lossy.webp");
    let basis = include_bytes!("../../../../scene/src/pixels/basis/uastc_zstd.ktx2");
    for (name, image) in [("EXT_texture_webp", &webp[..]), ("KHR_texture_basisu", basis)] {
        let (mut document, mut bytes) = textured(json!({"bufferView": 4}));
        let view = json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": image.len()});
        push(&mut document["bufferViews"], view);
        bytes.extend(image);
        document["buffers"][0]["byteLength"] = json!(bytes.len());
        document["extensionsRequired"] = json!([name]);
        document["textures"] = json!([{"extensions": {name: {"source": 0}}}]);
        let scene = opened(&document, &bytes);
        assert_eq!((&scene.notice, scene.look.images[0].size), (&None, [20, 12]), "{name}");
        document["textures"] = json!([{"extensions": {name: {}}}]);
        let notice = opened(&document, &bytes).notice.unwrap_or_default();
        assert!(notice.contains("has no image in a supported format"), "{notice}");
    }
}

#[test]
fn specular_glossiness_is_shown_as_diffuse_color() {
    let (mut document, bytes) = textured(json!({"bufferView": 3}));
    document["materials"] = json!([{"extensions": {"KHR_materials_pbrSpecularGlossiness": {
        "diffuseFactor": [0.5, 0.25, 1, 1], "glossinessFactor": 0.25, "diffuseTexture": {"index": 0},
    }}}]);
    let scene = opened(&document, &bytes);
    let material = &scene.look.materials[0];
    assert_eq!(material.base_color, [0.5, 0.25, 1.0, 1.0]);
    assert_eq!([material.metallic, material.roughness], [0.0, 0.75]);
    assert!(material.textures[Slot::BaseColor as usize].is_some());
}
