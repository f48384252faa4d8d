//! §15 of docs/spec.md: garbage in calls that no script of a host makes.

use crate::bytes::Bytes;
use crate::prelude::*;
use crate::script::assert_valid;
use proptest::num::u8;

#[test]
fn immediate_mode_survives_garbage_input() {
    holds_in(1_000, &vec(u8::ANY, 0..600), 0.1, |script| {
        let mut bytes = Bytes(script);
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        let (mut list, mut world, mut has_drag) = (DrawList::new(), Transform::IDENTITY, false);
        let shown = bytes.view()?;
        while !bytes.is_empty() {
            if bytes.byte().is_multiple_of(32) {
                bytes.change_settings(&mut gizmo.settings);
            }
            let buttons = bytes.byte();
            let center = shown.px_from_world(world.translation).unwrap_or_default();
            let near = center + 60.0 * DVec2::new(bytes.signed_unit(), bytes.signed_unit());
            let pointer = Pointer {
                position_px: [None, Some(bytes.px()), Some(near), Some(near)][usize::from(buttons & 3)],
                primary_down: buttons & 12 != 0,
                cancel_down: buttons & 0xf0 == 0,
                held: HeldKeys { snap: bytes.flag(), precision: bytes.flag(), symmetric: bytes.flag() },
            };
            gizmo.interact(&shown, pointer, &mut world);
            assert!(world.is_finite(), "{world:?}");
            has_drag |= gizmo.is_active();
            if !bytes.byte().is_multiple_of(20) {
                gizmo.draw(list.begin(&shown));
            }
        }
        has_drag.then_some(())
    });
}

#[test]
fn guides_and_meshes_of_host_survive_garbage() {
    holds_in(3_000, &vec(u8::ANY, 300..600), 0.1, |script| {
        let mut bytes = Bytes(script);
        let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
        let shown = bytes.view()?;
        list.begin(&shown);
        let style = StrokeStyle { color: bytes.theme().colors.guide, width_lpx: bytes.number() as f32 };
        for layer in [GuideLayer::Under, GuideLayer::Over] {
            let mut painter = list.guide_painter(layer).expect("the list has a view");
            painter.stroke([bytes.px(), bytes.px()], style);
            painter.dashes([bytes.px(), bytes.px()], style);
            painter.world_stroke(bytes.vector(), bytes.vector(), style);
            painter.circle(bytes.px(), bytes.number(), style.faded(bytes.number() as f32));
        }
        let ids = IdSpace::new().allocate_for_handles(1).expect("ids are free");
        let (center_px, right, down) = (bytes.px(), bytes.vector(), bytes.vector());
        let bounds_px = Rect { min: bytes.px(), max: bytes.px() };
        let mesh = HandleMesh::cube();
        let cube = ScreenMesh { mesh: &mesh, color: [1.0; 4], id: Some(ids.first()) };
        list.push_meshes(ids, &ScreenPlacement { center_px, right, down, bounds_px }, [cube]);
        list.pick(bytes.px(), bytes.number());
        list.triangles_px(&mut triangles);
        assert_valid(&triangles);
        Painting::default().edges(&list, &Rect::EVERYWHERE, |part| assert!(part.anchor_px.is_finite()));
        (!list.items().is_empty()).then_some(())
    });
}
