use super::spheres::{Block, LANES, SIDES, SLACK, greatest};

/// Boxes round groups of balls, so that most of a scene is left out a group at a time.
///
/// A group is neighbouring slots: near each other in space where a host has added them in some
/// order of place. Where it has not, looking at the boxes costs a fiftieth of what looking at the
/// balls does. Nothing is to be rebuilt when things move: a box grows with each ball that is put
/// down, and is fitted anew once its group has had as many of them as it has slots.
#[derive(Debug, Default)]
pub(super) struct Groups {
    boxes: Vec<Boxes>,
    /// For each group: balls put down since its box was fitted.
    puts: Vec<u32>,
}

/// Blocks of balls to a group.
pub(super) const BLOCKS: usize = 4;
/// Slots of a group.
const SLOTS: usize = BLOCKS * LANES;
/// Farther than any ball is, and far from what overflows.
const NOWHERE: f32 = 1e30;

/// The lowest and the highest corners of boxes.
#[derive(Debug, Clone, Copy)]
struct Boxes {
    low: [[f32; LANES]; 3],
    high: [[f32; LANES]; 3],
}

impl Boxes {
    const EMPTY: Self = Self { low: [[NOWHERE; LANES]; 3], high: [[-NOWHERE; LANES]; 3] };

    /// How far each box reaches to the inner side of the plane that it reaches least over.
    fn reach(&self, planes: &[[f32; 4]; SIDES]) -> [f32; LANES] {
        let mut least = [f32::INFINITY; LANES];
        for plane in planes {
            // The corner farthest along the normal.
            let farthest = |i: usize| if plane[i] >= 0.0 { &self.high[i] } else { &self.low[i] };
            let ([nx, ny, nz, d], [x, y, z]) = (plane, [0, 1, 2].map(farthest));
            for (i, least) in least.iter_mut().enumerate() {
                let distance = (nx * x[i] + ny * y[i]) + (nz * z[i] + d);
                *least = if distance < *least { distance } else { *least };
            }
            // Neighbours are often beyond one plane all together.
            if greatest(&least) < 0.0 {
                break;
            }
        }
        least
    }
}

impl Groups {
    /// A ball was put down in `slot`, or taken away: it is in `blocks` by now.
    pub(super) fn put(&mut self, slot: usize, blocks: &[Block]) {
        let group = slot / SLOTS;
        if self.puts.len() <= group {
            self.puts.resize(group + 1, 0);
            self.boxes.resize(self.puts.len().div_ceil(LANES), Boxes::EMPTY);
        }
        self.puts[group] += 1;
        if (self.puts[group] as usize) < SLOTS {
            self.grow(group, blocks[slot / LANES].ball(slot % LANES));
            return;
        }
        self.puts[group] = 0;
        self.set(group, [[NOWHERE; 3], [-NOWHERE; 3]]);
        for block in blocks.iter().skip(group * BLOCKS).take(BLOCKS) {
            (0..LANES).for_each(|lane| self.grow(group, block.ball(lane)));
        }
    }

    /// Takes a ball into a group's box: centre and radius.
    fn grow(&mut self, group: usize, [x, y, z, radius]: [f32; 4]) {
        if radius < 0.0 {
            return;
        }
        // What rounding can do to a corner's distance from a plane.
        let lost = SLACK as f32 * (x.abs() + y.abs() + z.abs() + radius);
        let reach = (radius + lost).min(NOWHERE);
        let (boxes, lane) = (&mut self.boxes[group / LANES], group % LANES);
        for (i, centre) in [x, y, z].into_iter().enumerate() {
            boxes.low[i][lane] = boxes.low[i][lane].min(centre - reach);
            boxes.high[i][lane] = boxes.high[i][lane].max(centre + reach);
        }
    }

    fn set(&mut self, group: usize, [low, high]: [[f32; 3]; 2]) {
        let (boxes, lane) = (&mut self.boxes[group / LANES], group % LANES);
        for i in 0..3 {
            (boxes.low[i][lane], boxes.high[i][lane]) = (low[i], high[i]);
        }
    }

    /// Calls `take` with the first block of each group that may reach over all the planes, in
    /// ascending order.
    pub(super) fn for_each_touched(&self, planes: &[[f32; 4]; SIDES], mut take: impl FnMut(usize)) {
        for (boxes, first) in self.boxes.iter().zip((0..).step_by(LANES)) {
            let reach = boxes.reach(planes);
            let touched = (first..).zip(reach).filter(|(_, reach)| *reach >= 0.0);
            touched.for_each(|(group, _)| take(group * BLOCKS));
        }
    }
}
