//! The scene helper: objects by id, outlined.

use crate::common::prelude::*;

struct Host {
    case: Case,
    ids: IdSpace,
    objects: OutlinedScene,
    mesh: PickMeshKey,
}

impl Host {
    fn new() -> Self {
        let mut objects = OutlinedScene::new(device(), PLAIN).expect("the render target is supported");
        let (corners, indices) = cube();
        let mesh = PickMesh::new(&corners, &indices).expect("the mesh is valid");
        let mesh = objects.add_mesh(device(), &mesh).expect("the device is alive");
        Self { case: cases::named("right-handed perspective"), ids: IdSpace::new(), objects, mesh }
    }

    /// Inserts a small cube beside the pivot.
    fn insert(&mut self, aside: f64) -> NonZeroU32 {
        let at = self.at(aside);
        self.objects.insert(&mut self.ids, self.mesh, at).expect("an id is free")
    }

    fn at(&self, aside: f64) -> DAffine3 {
        placed(PIVOT_WORLD + aside * self.case.view.right(), 0.1)
    }

    /// Returns the image of the outlines on black.
    fn picture(&mut self, styles: &[OutlineStyle<'_>]) -> Vec<[u8; 4]> {
        let view = self.case.view;
        self.pictures(&[view], styles).remove(0)
    }

    /// Returns the image of each view, all of one submit.
    fn pictures(&mut self, views: &[View], styles: &[OutlineStyle<'_>]) -> Vec<Vec<[u8; 4]>> {
        let mut encoder = gpu().encoder();
        self.objects.prepare(device(), queue(), &mut encoder, views, styles).expect("the ids fit");
        let colors: Vec<_> = views
            .iter()
            .map(|view| {
                let color = texture(self.case.target, PLAIN.format, 1);
                self.objects.render(&mut begin_pass(&mut encoder, &color, BLACK), view);
                color
            })
            .collect();
        queue().submit([encoder.finish()]);
        colors.iter().map(|color| gpu().texels(color)).collect()
    }
}

fn count(picture: &[[u8; 4]], color: [u8; 3]) -> usize {
    picture.iter().filter(|texel| texel[..3] == color).count()
}

#[test]
fn removed_and_refused_objects_take_no_id() {
    let mut host = Host::new();
    let (left, right) = (host.insert(-0.5), host.insert(0.5));
    let center = host.at(0.0);
    assert!(left != right && host.objects.place(left, center));
    assert!(host.objects.remove(&mut host.ids, left));
    assert!(!host.objects.remove(&mut host.ids, left) && !host.objects.place(left, center));
    assert!(host.objects.key(right).is_some() && host.objects.key(left).is_none());
    assert!(host.ids.range_of(left).is_none() && host.ids.range_of(right).is_some());
    assert!(host.objects.remove(&mut host.ids, right) && host.objects.scene.remove_mesh(host.mesh));
    assert_eq!(host.objects.insert(&mut host.ids, host.mesh, center), None);
    assert!((1..100).all(|id| NonZeroU32::new(id).is_some_and(|id| host.ids.range_of(id).is_none())));
}

#[test]
fn views_of_one_submit_have_their_own_outlines() {
    let mut host = Host::new();
    let ids = [host.insert(0.0)];
    let style = [OutlineStyle { ids: &ids, ..OutlineStyle::default() }];
    let view = host.case.view;
    let aside = DMat4::from_translation(0.3 * view.right());
    let moved =
        |viewport| View::from_clip_from_world(view.clip_from_world() * aside, viewport, 1.0).expect("valid");
    let Viewport { x, y, width, height } = view.viewport();
    let half = Viewport { x: x + 0.5 * width, y, width: 0.5 * width, height };
    // Views differ in their keys, or in their viewports.
    for moved in [moved(view.viewport()).with_key(1), moved(half)] {
        let alone = [view, moved].map(|view| host.pictures(&[view], &style).remove(0));
        assert_ne!(alone[0], alone[1]);
        assert_eq!(host.pictures(&[view, moved], &style), alone);
        host.pictures(&[view], &style);
        // A view that was not prepared draws nothing.
        let color = texture(host.case.target, PLAIN.format, 1);
        let mut encoder = gpu().encoder();
        host.objects.render(&mut begin_pass(&mut encoder, &color, BLACK), &moved);
        queue().submit([encoder.finish()]);
        assert!(gpu().texels(&color).iter().all(|texel| texel[..3] == [0; 3]));
    }
}

#[test]
fn nothing_of_another_device_is_drawn() {
    // wgpu compares the devices of one instance.
    let adapter = adapter(&instance());
    let [own, other] = [Gpu::on(&adapter), Gpu::on(&adapter)];
    let mut objects = OutlinedScene::new(&own.device, PLAIN).expect("the render target is supported");
    let mut outline = Outline::new(&own.device, PLAIN).expect("the render target is supported");
    let views = [0, 1].map(|key| cases::named("right-handed perspective").view.with_key(key));
    let styles = [OutlineStyle { ids: &[NonZeroU32::MIN], ..OutlineStyle::default() }];
    let mut encoder = own.encoder();
    objects.prepare(&own.device, &own.queue, &mut encoder, &views, &styles).expect("the ids fit");
    outline.set(&own.device, &own.queue, &styles).expect("the ids fit");
    outline.prepare(&own.device, &own.queue, &mut encoder, &views[0], |_, _| {}).expect("it is alive");
    own.queue.submit([encoder.finish()]);

    let Gpu { device, queue } = &other;
    let mut encoder = other.encoder();
    let query = PickQuery::new(&views[0], DVec2::splat(100.0), 5.0);
    let mut picker = Picker::new(device).expect("the backend is not WebGL");
    let encoded =
        picker.encode(device, queue, &mut encoder, &query, &DrawList::new(), |pass, clip_from_clip| {
            objects.draw(device, queue, pass, &query, clip_from_clip);
        });
    assert_eq!(encoded, Ok(()));
    assert_eq!(objects.scene.batch(device).err(), Some(GpuError::OtherDevice));
    let (corners, indices) = cube();
    let mesh = PickMesh::new(&corners, &indices).expect("the mesh is valid");
    assert_eq!(objects.add_mesh(device, &mesh), Err(GpuError::OtherDevice));
    let refused = objects.prepare(device, queue, &mut encoder, &views, &styles);
    assert_eq!(
        [refused, outline.set(device, queue, &styles)],
        [Err(GpuError::OtherDevice), Err(GpuError::OtherDevice)]
    );
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
    let color = texture_on(device, [320, 240], (PLAIN.format, 1), usage);
    let mut pass = begin_pass(&mut encoder, &color, BLACK);
    views.iter().for_each(|view| objects.render(&mut pass, view));
    outline.render(&mut pass);
    drop(pass);
    queue.submit([encoder.finish()]);
}

#[test]
fn first_of_many_outline_styles_is_on_top() {
    let mut host = Host::new();
    let count_of_styles = Outline::STYLES + 2;
    let ids: Vec<_> = (0..count_of_styles).map(|i| [host.insert(i as f64 * 0.25 - 0.6)]).collect();
    let color = |i: usize| [(i * 40 + 15) as u8, 255 - (i * 30) as u8, 90];
    let encoded = |i: usize| {
        let [r, g, b] = color(i).map(|c| f32::from(c) / 255.0);
        [r, g, b, 1.0]
    };
    let styles: Vec<_> = ids
        .iter()
        .enumerate()
        .map(|(i, ids)| OutlineStyle { ids, color: encoded(i), width_lpx: 2.0 })
        .collect();
    let picture = host.picture(&styles);
    for i in 0..count_of_styles {
        assert!(count(&picture, color(i)) > 10, "style {i}");
    }
    // The same styles again are not uploaded, and look the same.
    assert_eq!(host.picture(&styles), picture);
    // An id in the first and in the last style gets the first.
    let mut twice = styles.clone();
    twice[count_of_styles - 1].ids = &ids[0];
    let picture = host.picture(&twice);
    assert_eq!(count(&picture, color(count_of_styles - 1)), 0);
    assert!(count(&picture, color(0)) > 10);
    // Fewer styles draw nothing of the others.
    let picture = host.picture(&styles[..1]);
    assert!(count(&picture, color(0)) > 10 && (1..count_of_styles).all(|i| count(&picture, color(i)) == 0));
    let picture = host.picture(&[]);
    assert!(picture.iter().all(|texel| texel[..3] == [0; 3]));
}
