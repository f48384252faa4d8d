//! Accessors: typed arrays inside the buffers. All offsets are checked before anything is read.

use crate::budget::{Budget, Charge, Scratch};
use crate::buffers::{self, Buffer};
use crate::file_error::Result;
use crate::json::Json;
use crate::meshopt::DecodedViews;
use crate::read::draco::DecodedAccessor;
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

/// The tightly packed elements of an accessor, with sparse substitutions applied.
struct Packed<'a> {
    component: Component,
    /// Components per element.
    width: usize,
    normalized: bool,
    bytes: Cow<'a, [u8]>,
    /// Memory for the elements and for their conversion.
    _scratch: Scratch<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(json: &Json<'_>) -> Result<Self> {
        match json.index()? {
            5120 => Ok(Self::I8),
            5121 => Ok(Self::U8),
            5122 => Ok(Self::I16),
            5123 => Ok(Self::U16),
            5125 => Ok(Self::U32),
            5126 => Ok(Self::F32),
            other => Err(json.error(format!("unknown component type {other}"))),
        }
    }

    pub(crate) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Returns the value and the divisor that applies if the accessor is normalized.
    fn float(self, bytes: &[u8]) -> (f32, f32) {
        match (self, bytes) {
            (Self::I8, &[a]) => (f32::from(a.cast_signed()), 127.0),
            (Self::U8, &[a]) => (f32::from(a), 255.0),
            (Self::I16, &[a, b]) => (f32::from(i16::from_le_bytes([a, b])), 32767.0),
            (Self::U16, &[a, b]) => (f32::from(u16::from_le_bytes([a, b])), 65535.0),
            (Self::U32, &[a, b, c, d]) => (u32::from_le_bytes([a, b, c, d]) as f32, 1.0),
            (Self::F32, &[a, b, c, d]) => (f32::from_le_bytes([a, b, c, d]), 1.0),
            _ => (f32::NAN, 1.0),
        }
    }

    /// Returns the value of an unsigned integer component.
    fn unsigned(self, bytes: &[u8]) -> Option<u32> {
        match (self, bytes) {
            (Self::U8, &[a]) => Some(a.into()),
            (Self::U16, &[a, b]) => Some(u16::from_le_bytes([a, b]).into()),
            (Self::U32, &[a, b, c, d]) => Some(u32::from_le_bytes([a, b, c, d])),
            _ => None,
        }
    }
}

impl Packed<'_> {
    /// Returns the number in the bytes of a component.
    fn float(&self, bytes: &[u8]) -> f32 {
        let (value, divisor) = self.component.float(bytes);
        if self.normalized { (value / divisor).max(-1.0) } else { value }
    }
}

/// Returns elements of `N` numbers of four bytes each.
fn words<T, const N: usize>(bytes: &[u8], number: impl Fn([u8; 4]) -> T) -> Vec<[T; N]> {
    let (words, _) = bytes.as_chunks::<4>();
    words.as_chunks::<N>().0.iter().map(|words| words.map(&number)).collect()
}

/// More elements than a mesh may have (see `MeshReader`). The limit keeps a few bytes of JSON from
/// allocating gigabytes of zeros.
pub(crate) const MAX_ELEMENTS: usize = 1 << 26;

/// The buffer views of a file, with their bytes.
#[derive(Clone)]
pub(crate) struct Views<'a> {
    pub(crate) list: Rc<Vec<Json<'a>>>,
    pub(crate) buffers: &'a [Buffer<'a>],
    pub(crate) decoded: &'a DecodedViews,
}

impl<'a> Views<'a> {
    /// Returns the index of a view that exists.
    fn index_of(&self, index: &Json<'_>) -> Result<usize> {
        index.index_below(self.list.len(), "buffer views")
    }

    /// Returns the bytes of the buffer view whose index is the value at `index`.
    pub(crate) fn bytes(&self, index: &Json<'_>) -> Result<&'a [u8]> {
        let index = self.index_of(index)?;
        self.decoded
            .get(&index)
            .map_or_else(|| buffers::part(&self.list[index], self.buffers), |view| Ok(view))
    }
}

/// All accessors of a file.
pub(crate) struct Accessors<'a> {
    accessors: Vec<Json<'a>>,
    pub(crate) views: Views<'a>,
    /// The accessors that compressed primitives stand for, by index.
    pub(crate) draco: HashMap<usize, DecodedAccessor>,
    budget: &'a Budget,
}

impl<'a> Accessors<'a> {
    pub(crate) fn new(root: &Json<'a>, views: Views<'a>, budget: &'a Budget) -> Result<Self> {
        Ok(Self { accessors: root.items_of("accessors")?, views, draco: HashMap::new(), budget })
    }

    /// Reads the elements of the accessor whose index is the value at `index`. Each element is cut or
    /// padded with `fill` to `N` components, which covers colors with and without alpha. An element
    /// whose number of components is not in `widths` is an error.
    pub(crate) fn floats<const N: usize>(
        &self,
        index: &Json<'_>,
        widths: &[usize],
        fill: f32,
    ) -> Result<Vec<[f32; N]>> {
        let packed = self.packed_of(index, widths)?;
        if packed.component == Component::F32 && packed.width == N {
            // The common layout, which compiles to a plain copy.
            return Ok(words(&packed.bytes, f32::from_le_bytes));
        }
        let size = packed.component.size();
        let element = |bytes: &[u8]| {
            let mut element = [fill; N];
            let numbers = bytes.chunks_exact(size).map(|bytes| packed.float(bytes));
            element.iter_mut().zip(numbers).for_each(|(out, number)| *out = number);
            element
        };
        Ok(packed.bytes.chunks_exact(packed.width * size).map(element).collect())
    }

    /// Reads the numbers of elements with `width` components. Their memory is charged.
    pub(crate) fn flat_floats(&self, index: &Json<'_>, width: usize) -> Result<Vec<f32>> {
        let packed = self.packed_of(index, &[width])?;
        let numbers = packed.bytes.chunks_exact(packed.component.size());
        self.budget.charge(Charge::Memory, 4 * numbers.len() as u64, self.at(index)?)?;
        Ok(numbers.map(|bytes| packed.float(bytes)).collect())
    }

    fn packed_of(&self, index: &Json<'_>, widths: &[usize]) -> Result<Packed<'_>> {
        let packed = self.packed(index)?;
        match packed.width {
            width if widths.contains(&width) => Ok(packed),
            width => Err(self.at(index)?.error(format!("has {width} components; expected {widths:?}"))),
        }
    }

    /// Reads vertex indices. They are not checked against the number of vertices.
    pub(crate) fn indices(&self, index: &Json<'_>) -> Result<Vec<u32>> {
        let indices = self.unsigned::<1>(index, "holds indices, so it must be a SCALAR of an unsigned type");
        indices.map(Vec::into_flattened)
    }

    /// Reads elements of `N` unsigned integers. `expected` is the error for others.
    pub(crate) fn unsigned<const N: usize>(&self, index: &Json<'_>, expected: &str) -> Result<Vec<[u32; N]>> {
        let Packed { component, width, bytes, _scratch, .. } = self.packed(index)?;
        let size = component.size();
        let number = |bytes: &[u8]| component.unsigned(bytes).unwrap_or(u32::MAX);
        let element = |bytes: &[u8]| std::array::from_fn(|i| number(&bytes[i * size..][..size]));
        match component {
            Component::U32 if width == N => Ok(words(&bytes, u32::from_le_bytes)),
            Component::U8 | Component::U16 if width == N => {
                Ok(bytes.chunks_exact(N * size).map(element).collect())
            }
            _ => Err(self.at(index)?.error(expected)),
        }
    }

    /// Returns the number of elements of an accessor without reading them.
    pub(crate) fn count(&self, index: &Json<'_>) -> Result<usize> {
        match self.draco(index)? {
            Some(decoded) => Ok(decoded.count()),
            None => self.at(index)?.need("count")?.index(),
        }
    }

    /// Returns the elements of an accessor that a compressed primitive stands for.
    pub(crate) fn draco(&self, index: &Json<'_>) -> Result<Option<&DecodedAccessor>> {
        Ok(self.draco.get(&self.index_of(index)?))
    }

    /// Returns the accessor whose index is the value at `index`.
    pub(crate) fn at(&self, index: &Json<'_>) -> Result<&Json<'a>> {
        Ok(&self.accessors[self.index_of(index)?])
    }

    /// Returns the index of an accessor that exists.
    pub(crate) fn index_of(&self, index: &Json<'_>) -> Result<usize> {
        index.index_below(self.accessors.len(), "accessors")
    }

    fn packed(&self, index: &Json<'_>) -> Result<Packed<'_>> {
        let (accessor, decoded) = (self.at(index)?, self.draco(index)?);
        let (component, width, elements) = match decoded {
            Some(decoded) => (decoded.component, decoded.width, decoded.count()),
            None => {
                let component = Component::of(&accessor.need("componentType")?)?;
                let widths = [("SCALAR", 1), ("VEC2", 2), ("VEC3", 3), ("VEC4", 4), ("MAT4", 16)];
                let width = accessor.need("type")?.one_of(&widths)?;
                (component, width, accessor.need("count")?.index()?)
            }
        };
        let normalized = accessor.get_or("normalized", false, Json::boolean)?;
        let element = width * component.size();
        if elements > MAX_ELEMENTS {
            let what = format!("more than {MAX_ELEMENTS} elements are not supported");
            return Err(accessor.need("count")?.error(what));
        }
        // The packed bytes, and elements of up to four numbers made from them, or matrices.
        let scratch = elements as u64 * (element + 4 * width.max(4)) as u64;
        let scratch = self.budget.scratch(scratch, accessor)?;
        let mut bytes = match (decoded, accessor.get("bufferView")?) {
            (Some(decoded), _) => Cow::Borrowed(decoded.bytes.as_slice()),
            (None, Some(view)) => self.elements(accessor, &view, element, elements)?,
            (None, None) => vec![0; elements * element].into(),
        };
        if let Some(sparse) = accessor.get("sparse")? {
            self.apply_sparse(&sparse, element, bytes.to_mut())?;
        }
        Ok(Packed { component, width, normalized, bytes, _scratch: scratch })
    }

    /// Substitutes the elements of a sparse accessor (glTF 2.0 specification, §3.6.2.3).
    fn apply_sparse(&self, sparse: &Json<'_>, element: usize, bytes: &mut [u8]) -> Result<()> {
        let count = sparse.need("count")?;
        let elements = bytes.len() / element;
        if count.index()? > elements {
            return Err(count.error(format!("is greater than the accessor's count of {elements}")));
        }
        let (indices, values) = (sparse.need("indices")?, sparse.need("values")?);
        let component = Component::of(&indices.need("componentType")?)?;
        let slots =
            self.elements(&indices, &indices.need("bufferView")?, component.size(), count.index()?)?;
        let changed = self.elements(&values, &values.need("bufferView")?, element, count.index()?)?;
        for (slot, new) in slots.chunks_exact(component.size()).zip(changed.chunks_exact(element)) {
            let index = component.unsigned(slot).filter(|&i| (i as usize) < elements);
            let out_of_range = || indices.error(format!("an index is out of range ({elements} elements)"));
            let index = index.ok_or_else(out_of_range)? as usize;
            bytes[index * element..][..element].copy_from_slice(new);
        }
        Ok(())
    }

    /// Returns `count` elements of `size` bytes from a buffer view, starting at `user.byteOffset`.
    fn elements(&self, user: &Json<'_>, view: &Json<'_>, size: usize, count: usize) -> Result<Cow<'a, [u8]>> {
        let view_bytes = self.views.bytes(view)?;
        let view = &self.views.list[self.views.index_of(view)?];
        let offset = user.get_or("byteOffset", 0, Json::index)?;
        let stride = view.get_or("byteStride", size, Json::index)?;
        if stride < size {
            let what = format!("has a byteStride of {stride}, but its elements have {size} bytes");
            return Err(view.error(what));
        }
        let end = match count.checked_sub(1) {
            None => Some(offset),
            Some(last) => last.checked_mul(stride).and_then(|n| n.checked_add(offset)?.checked_add(size)),
        };
        let Some(used) = end.and_then(|end| view_bytes.get(offset..end)) else {
            let (length, path) = (view_bytes.len(), view.place());
            return Err(user.error(format!("extends past the end of {path} ({length} bytes)")));
        };
        Ok(match stride == size {
            true => Cow::Borrowed(used),
            false => used.chunks(stride).flat_map(|chunk| &chunk[..size]).copied().collect(),
        })
    }
}
