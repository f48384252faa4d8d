// Cubes: the distances from the edges and the coordinates on the faces are linear on screen, and interpolated.

// The outermost edges of a cube along one direction.
struct PairOfEdges {
    // The distance of a pixel from the middle between them, and half of the distance between them.
    across: f32,
    half: f32,
    normal: vec2f,
}

// Returns the edges along `edge` whose ends are at `ends` across it.
fn pair_of_edges(edge: vec2f, ends: vec2f, p: vec2f) -> PairOfEdges {
    let squared = dot(edge, edge);
    let normal = vec2f(-edge.y, edge.x) * inverseSqrt(max(squared, 1.0e-12));
    // Edges that point at the viewer bound nothing.
    let half = select(0.5 * (ends.y - ends.x), 1.0e3, squared < 1.0e-6);
    return PairOfEdges(dot(normal, p) - 0.5 * (ends.x + ends.y), half, normal);
}

// The coordinates on the visible faces of a cube at a pixel: how far it is inside of the edges at the corner that
// is nearest to the viewer, along the other two edges.
struct CubeFaces {
    x: vec2f,
    y: vec2f,
    z: vec2f,
}

fn cube_faces(in: Raster, p: vec2f) -> CubeFaces {
    let x = in.a.zw;
    let y = in.b.xy;
    let z = in.b.zw;
    let r = in.a.xy - p;
    // r = α e + β f
    return CubeFaces(
        on_face(vec2f(cross_2(r, z), cross_2(y, r)), cross_2(y, z)),
        on_face(vec2f(cross_2(r, x), cross_2(z, r)), cross_2(z, x)),
        on_face(vec2f(cross_2(r, y), cross_2(x, r)), cross_2(x, y)),
    );
}

// The visible face of a cube at a pixel, as weights of the faces.
fn face_weights(faces: CubeFaces) -> vec3f {
    let inside = vec3f(min(faces.x.x, faces.x.y), min(faces.y.x, faces.y.y), min(faces.z.x, faces.z.y));
    let is_x = inside.x >= inside.y && inside.x >= inside.z;
    let is_y = !is_x && inside.y >= inside.z;
    return select(select(vec3f(0.0, 0.0, 1.0), vec3f(0.0, 1.0, 0.0), is_y), vec3f(1.0, 0.0, 0.0), is_x);
}

// The depth of a cube at a pixel, from that of the corner that is nearest to the viewer and its changes along the
// edges.
fn cube_depth(faces: CubeFaces, depth: vec4f) -> f32 {
    let along = vec3f(dot(faces.x, depth.zw), dot(faces.y, depth.wy), dot(faces.z, depth.yz));
    return depth.x - dot(face_weights(faces), along);
}

// The coordinates on a face, or negative ones if the face is seen edge-on.
fn on_face(scaled: vec2f, area: f32) -> vec2f {
    return select(scaled / area, vec2f(-1.0e3), abs(area) < 1.0e-3);
}

// A cube at a corner of its rectangle or at a pixel.
struct CubeRaster {
    @builtin(position) position_px: vec4f,
    // The distances from the middles between the outermost edges along x, y and z.
    @location(0) across: vec3f,
    // The coordinates on the faces (`CubeFaces`).
    @location(1) face_xy: vec4f,
    // The position along the stem, which is attached where it is positive, and the distance from its axis.
    @location(2) face_z_stem: vec4f,
    // Half of the distances between the outermost edges, and half of the width of the stem.
    @location(3) @interpolate(flat) halves: vec4f,
    // The constants of `box_coverage` for the edges along x, y and z.
    @location(4) @interpolate(flat) x_box: vec4f,
    @location(5) @interpolate(flat) y_box: vec4f,
    @location(6) @interpolate(flat) z_box: vec4f,
    // The cosines between the normals of x and y, y and z, z and x.
    @location(7) @interpolate(flat) cosines: vec3f,
    // The factors on the brightness of the faces.
    @location(8) @interpolate(flat) lights: vec3f,
    @location(9) @interpolate(flat) color: vec4f,
    @location(10) @interpolate(flat) rim: vec4f,
    // Its width plus half a pixel, and its opacity.
    @location(11) @interpolate(flat) halo: vec2f,
    @location(12) @interpolate(flat) depth: vec4f,
}

@vertex
fn vs_cube(shape: Shape, @builtin(vertex_index) index: u32) -> CubeRaster {
    let p = corner_of(shape, index);
    return cube_raster(raster(shape, p), p);
}

fn cube_raster(in: Raster, p: vec2f) -> CubeRaster {
    let x = pair_of_edges(in.a.zw, in.c.xy, p);
    let y = pair_of_edges(in.b.xy, in.c.zw, p);
    let z = pair_of_edges(in.b.zw, in.d.xy, p);
    let faces = cube_faces(in, p);
    let offset = p - (in.a.xy - in.a.zw - in.b.xy - in.b.zw);
    // The sign of the stem's width selects the side that the stem is attached to.
    let along = -dot(in.a.zw, offset) * in.d.w;
    let from_axis = cross_2(in.a.zw, offset) / max(length(in.a.zw), 1.0e-6);
    return CubeRaster(
        in.position_px,
        vec3f(x.across, y.across, z.across),
        vec4f(faces.x, faces.y),
        vec4f(faces.z, along, from_axis),
        vec4f(x.half, y.half, z.half, abs(in.d.w)),
        box_of(x.normal),
        box_of(y.normal),
        box_of(z.normal),
        vec3f(dot(x.normal, y.normal), dot(y.normal, z.normal), dot(z.normal, x.normal)),
        in.second_color.rgb,
        in.first_color,
        in.rim,
        vec2f(in.anchor_halo.z + 0.5, in.anchor_halo.w),
        in.depth,
    );
}

fn faces_of(in: CubeRaster) -> CubeFaces {
    return CubeFaces(in.face_xy.xy, in.face_xy.zw, in.face_z_stem.xy);
}

fn painted_cube(in: CubeRaster) -> vec4f {
    let distances = abs(in.across) - in.halves.xyz;
    let covered = vec3f(
        box_coverage(distances.x, in.x_box),
        box_coverage(distances.y, in.y_box),
        box_coverage(distances.z, in.z_box),
    );
    // The two pairs of edges that cross at the nearest corner. Their normals point outward.
    let cosines = in.cosines * sign(in.across * in.across.yzx);
    let xy = both(covered.x, covered.y, cosines.x);
    let yz = both(covered.y, covered.z, cosines.y);
    let zx = both(covered.z, covered.x, cosines.z);
    let light = dot(face_weights(faces_of(in)), in.lights);
    let distance = max(distances.x, max(distances.y, distances.z));
    let from_axis = select(1.0e6, abs(in.face_z_stem.w), in.face_z_stem.z > 0.0);
    let halo = select(0.0, in.halo.y * saturate(in.halo.x - distance), from_axis >= in.halves.w);
    let rim = rim_at(in.rim.w, in.halves.w, from_axis);
    return painted_solid(in.color, light, min(xy, min(yz, zx)), distance, halo, vec4f(in.rim.rgb, rim));
}

@fragment
fn fs_cube_encoded(in: CubeRaster) -> @location(0) vec4f {
    return painted_cube(in);
}

@fragment
fn fs_cube_linear(in: CubeRaster) -> @location(0) vec4f {
    return linear_from_encoded(painted_cube(in));
}
