//! The pass state after `render`: the host's next draw calls must land where they belong.

use crate::common::prelude::*;

/// A label near the upper right corner of the viewport, in a color that no handle has.
const LABEL_SHADER: &str = "
    @vertex fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
        let corner = vec2f(f32(index & 1u), f32(index >> 1u));
        return vec4f(vec2f(0.27, 0.82) + corner * vec2f(0.6, 0.11), 0.0, 1.0);
    }
    @fragment fn fs() -> @location(0) vec4f { return vec4f(1.0, 0.0, 1.0, 1.0); }
";
const LABEL: [u8; 4] = [255, 0, 255, 255];

/// Returns the pixels of the label after a pass that sets the viewport, runs a tool and draws the label.
fn label_after(case: &Case, tool: impl FnOnce(&mut wgpu::RenderPass<'_>)) -> Vec<usize> {
    let stages = Stages { shader: LABEL_SHADER, fragment: "fs", buffers: &[] };
    let (label, mut encoder) = (pipeline(stages, &[Some(PLAIN.format.into())], None), gpu().encoder());
    let color = texture(case.target, PLAIN.format, 1);
    let mut pass = begin_pass(&mut encoder, &color, BLACK);
    let v = case.view.viewport();
    pass.set_viewport(v.x as f32, v.y as f32, v.width as f32, v.height as f32, 0.0, 1.0);
    tool(&mut pass);
    pass.set_pipeline(&label);
    pass.draw(0..3, 0..1);
    drop(pass);
    queue().submit([encoder.finish()]);
    let texels = gpu().texels(&color);
    (0..texels.len()).filter(|i| texels[*i] == LABEL).collect()
}

/// Returns the draw list of a gizmo that is much smaller than the view.
fn small(case: &Case, mode: Mode) -> DrawList {
    let (mut gizmo, mut targets) = gizmo(case, mode, &mut IdSpace::new());
    gizmo.settings.display.size_lpx = 30.0;
    gizmo.update(&case.view, &mut targets);
    drawn(&case.view, &mut gizmo)
}

#[test]
fn handles_and_outlines_keep_viewport_of_view() {
    let mut renderer = GizmoRenderer::new(device(), PLAIN).expect("the render target is supported");
    let mut outline = Outline::new(device(), PLAIN).expect("the render target is supported");
    for case in cases::all() {
        let expected = label_after(&case, |_| {});
        assert!(expected.len() > 200, "{}: {} pixels of a label", case.name, expected.len());
        let mut lists: Vec<_> = MODES.iter().map(|mode| small(&case, *mode)).collect();
        if !case.name.contains("partly outside") {
            let list = crate::guides::dragged(&case, Mode::Translate, DVec3::X * 0.7, true);
            assert!(list.guides().iter().all(|layer| !layer.is_empty()), "{}: no guides", case.name);
            lists.push(list);
        }
        // A hidden gizmo must not make a difference either.
        let mut empty = DrawList::new();
        empty.begin(&case.view);
        lists.push(empty);
        for list in &lists {
            renderer.prepare(device(), queue(), list).expect("the device is alive");
            assert_eq!(label_after(&case, |pass| renderer.render(pass)), expected, "{}", case.name);
        }
        let host = Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 40.0), id(5))]);
        // First without lines, when those of the last case have left their viewport.
        for ids in [&[][..], &[id(5)], &[]] {
            let style = OutlineStyle { ids, ..OutlineStyle::default() };
            outline.set(device(), queue(), &[style]).expect("the ids fit");
            let mut encoder = gpu().encoder();
            let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| host.draw(pass, clip_from_clip);
            outline.prepare(device(), queue(), &mut encoder, &case.view, draw).expect("the device is alive");
            queue().submit([encoder.finish()]);
            assert_eq!(label_after(&case, |pass| outline.render(pass)), expected, "{}", case.name);
        }
    }
}
