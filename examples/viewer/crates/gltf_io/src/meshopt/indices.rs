//! The codecs of triangles and of other indices.

use super::{Bytes, Damaged, unzigzag};

const TRIANGLES_HEADER: u8 = 0xe0;
const SEQUENCE_HEADER: u8 = 0xd0;
/// Bytes after the data: the table of codes, and padding.
const TABLE: usize = 16;
const SEQUENCE_TAIL: usize = 4;

/// The last 16 values.
struct Recent<T> {
    values: [T; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new(value: T) -> Self {
        Self { values: [value; 16], next: 0 }
    }

    fn push(&mut self, value: T) {
        self.values[self.next] = value;
        self.next = (self.next + 1) % 16;
    }

    /// Returns the value that was pushed before `age` others; an age of 16 or more wraps.
    fn get(&self, age: usize) -> T {
        self.values[(self.next + 31 - age % 16) % 16]
    }
}

/// The state of the decoder of triangles.
struct Triangles<'a> {
    data: Bytes<'a>,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The next vertex that was not used yet, and the last index that was stored as a difference.
    next: u32,
    last: u32,
}

impl Triangles<'_> {
    fn new_vertex(&mut self) -> u32 {
        self.next = self.next.wrapping_add(1);
        self.next.wrapping_sub(1)
    }

    fn difference(&mut self) -> Result<u32, Damaged> {
        self.last = self.last.wrapping_add(unzigzag(self.data.variable()?));
        Ok(self.last)
    }

    /// Returns a triangle that shares an edge with an earlier one.
    fn on_edge(&mut self, code: u8, is_first_version: bool) -> Result<[u32; 3], Damaged> {
        let [a, b] = self.edges.get(usize::from(code >> 4));
        let vertex = code & 15;
        let c = match vertex {
            0 => self.new_vertex(),
            15 => self.difference()?,
            13 | 14 if !is_first_version => {
                self.last = if vertex == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                self.last
            }
            _ => self.vertices.get(usize::from(vertex)),
        };
        let is_recent = (1..13).contains(&vertex) || (is_first_version && matches!(vertex, 13 | 14));
        if !is_recent {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// Returns a triangle without a known edge. Each code is 0 for a new vertex, 15 for a difference if
    /// `has_differences`, or one more than the age of a recent vertex.
    fn alone(&mut self, codes: [u8; 3], has_differences: bool) -> Result<[u32; 3], Damaged> {
        let mut corners = [0; 3];
        // Vertices are added to the recent ones only when the triangle is complete, and differences come after
        // new vertices.
        for (corner, code) in corners.iter_mut().zip(codes) {
            *corner = match code {
                0 => self.new_vertex(),
                15 if has_differences => 0,
                _ => self.vertices.get(usize::from(code) - 1),
            };
        }
        for (corner, code) in corners.iter_mut().zip(codes) {
            if code == 15 && has_differences {
                *corner = self.difference()?;
            }
        }
        for (corner, code) in corners.iter().zip(codes) {
            if code == 0 || (code == 15 && has_differences) {
                self.vertices.push(*corner);
            }
        }
        let [a, b, c] = corners;
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok(corners)
    }
}

/// Decodes `count` indices of triangles. `write` receives each index.
pub(super) fn decode_triangles(data: &[u8], count: usize, mut write: impl FnMut(u32)) -> Result<(), Damaged> {
    let mut bytes = Bytes(data);
    let version = bytes.byte()? ^ TRIANGLES_HEADER;
    if version > 1 || !count.is_multiple_of(3) {
        return Err(Damaged);
    }
    let codes = bytes.take(count / 3)?;
    let (data, table) = bytes.0.split_at_checked(bytes.0.len().wrapping_sub(TABLE)).ok_or(Damaged)?;
    let mut decoder = Triangles {
        data: Bytes(data),
        edges: Recent::new([u32::MAX; 2]),
        vertices: Recent::new(u32::MAX),
        next: 0,
        last: 0,
    };
    for code in codes {
        let triangle = match code {
            0..0xf0 => decoder.on_edge(*code, version == 0)?,
            0xf0..0xfe => {
                let more = table[usize::from(code & 15)];
                decoder.alone([0, more >> 4, more & 15], false)?
            }
            _ => {
                let more = decoder.data.byte()?;
                if more == 0 {
                    decoder.next = 0;
                }
                let first = if *code == 0xfe { 0 } else { 15 };
                decoder.alone([first, more >> 4, more & 15], true)?
            }
        };
        triangle.into_iter().for_each(&mut write);
    }
    if decoder.data.0.is_empty() { Ok(()) } else { Err(Damaged) }
}

/// Decodes `count` indices of any primitives. `write` receives each index.
pub(super) fn decode_sequence(data: &[u8], count: usize, mut write: impl FnMut(u32)) -> Result<(), Damaged> {
    let (data, _) = data.split_at_checked(data.len().wrapping_sub(SEQUENCE_TAIL)).ok_or(Damaged)?;
    let mut bytes = Bytes(data);
    if bytes.byte()? ^ SEQUENCE_HEADER > 1 {
        return Err(Damaged);
    }
    let mut last = [0_u32; 2];
    for _ in 0..count {
        let value = bytes.variable()?;
        let last = &mut last[(value & 1) as usize];
        *last = last.wrapping_add(unzigzag(value >> 1));
        write(*last);
    }
    if bytes.0.is_empty() { Ok(()) } else { Err(Damaged) }
}
