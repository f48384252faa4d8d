//! Reads of the ID image that are not picks: the magnifier, lassos, and whole images for tests.

use crate::scene::{Gpu, pixel_of};
use wgpu_gizmo::glam::{DMat4, DVec2};
use wgpu_gizmo::gpu::{GpuError, IdImage, IdTexels};
use wgpu_gizmo::pick::Region;
use wgpu_gizmo::{DrawList, View};

/// The side of the magnified square, in pixels.
pub(crate) const MAGNIFIED: u32 = 25;

/// The images, and what waits for them.
#[derive(Debug, Default)]
pub(crate) struct Probes {
    /// The magnifier is shown.
    pub(crate) is_magnifying: bool,
    magnifier: Slot,
    /// The pixel around which the next magnified square is read.
    wanted_px: Option<DVec2>,
    /// The last square.
    pub(crate) magnified: Option<IdTexels>,
    whole: Slot,
    lasso: Option<Vec<DVec2>>,
    wants_whole: bool,
    /// What the whole image in flight is for.
    purpose: Option<Purpose>,
    /// The last image that was asked for with [`Probes::request_whole`].
    pub(crate) whole_texels: Option<IdTexels>,
}

#[derive(Debug)]
enum Purpose {
    Lasso(Region),
    Report,
}

/// An image of one size, created on first use.
#[derive(Debug, Default)]
struct Slot {
    image: Option<IdImage>,
    size: [u32; 2],
    is_in_flight: bool,
}

impl Slot {
    /// Returns the image, unless one is in flight.
    fn idle(&mut self, device: &wgpu::Device, size: [u32; 2]) -> Result<Option<&mut IdImage>, GpuError> {
        if self.is_in_flight {
            return Ok(None);
        }
        if self.image.is_none() || self.size != size {
            (self.image, self.size) = (Some(IdImage::new(device, size[0], size[1])?), size);
        }
        self.is_in_flight = true;
        Ok(self.image.as_mut())
    }

    fn poll(&mut self, device: &wgpu::Device) -> Result<Option<IdTexels>, GpuError> {
        let Some(image) = self.image.as_mut().filter(|_| self.is_in_flight) else { return Ok(None) };
        let polled = image.poll(device);
        self.is_in_flight = matches!(polled, Ok(None));
        polled
    }
}

impl Probes {
    /// Asks for the square around the pointer, if the magnifier is shown.
    pub(crate) fn magnify(&mut self, px: DVec2) {
        self.wanted_px = Some(px).filter(|_| self.is_magnifying);
    }

    /// Asks for the objects in a lasso.
    pub(crate) fn request_lasso(&mut self, path: Vec<DVec2>) {
        self.lasso = Some(path);
    }

    /// Asks for the whole image.
    pub(crate) fn request_whole(&mut self) {
        (self.wants_whole, self.whole_texels) = (true, None);
    }

    /// Returns true if something must be encoded.
    pub(crate) fn has_request(&self) -> bool {
        let wants_tile = self.wanted_px.is_some() && !self.magnifier.is_in_flight;
        let wants_whole = self.lasso.is_some() || self.wants_whole;
        wants_tile || (wants_whole && !self.whole.is_in_flight)
    }

    /// Returns true if something is asked for or in flight.
    pub(crate) fn is_pending(&self) -> bool {
        self.has_request() || self.magnifier.is_in_flight || self.whole.is_in_flight
    }

    /// Receives images. Returns those of lassos, with the regions.
    pub(crate) fn receive(&mut self, device: &wgpu::Device) -> Result<Option<(IdTexels, Region)>, GpuError> {
        if let Some(texels) = self.magnifier.poll(device)? {
            self.magnified = Some(texels);
        }
        let Some(texels) = self.whole.poll(device)? else { return Ok(None) };
        match self.purpose.take() {
            Some(Purpose::Lasso(region)) => return Ok(Some((texels, region))),
            Some(Purpose::Report) => self.whole_texels = Some(texels),
            None => {}
        }
        Ok(None)
    }

    /// Encodes what is asked for. `list` is that of the view, and `draw` draws the objects with the first or
    /// the second of two batches.
    pub(crate) fn encode(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        list: &DrawList,
        draw: &mut dyn FnMut(usize, &mut wgpu::RenderPass<'_>, DMat4),
    ) -> Result<(), GpuError> {
        let Gpu { device, queue, .. } = gpu;
        if let Some(px) = self.wanted_px {
            if let Some(image) = self.magnifier.idle(device, [MAGNIFIED; 2])? {
                let half = i64::from(MAGNIFIED / 2);
                image.origin_px = pixel_of(px).map(|center| center - half);
                self.wanted_px = None;
                image.encode(device, queue, encoder, view, list, |pass, clip| draw(0, pass, clip))?;
            }
        }
        if self.lasso.is_none() && !self.wants_whole {
            return Ok(());
        }
        let viewport = view.viewport();
        let size = [viewport.x + viewport.width, viewport.y + viewport.height].map(|end| end.ceil() as u32);
        let Some(image) = self.whole.idle(device, size)? else { return Ok(()) };
        let nothing = DrawList::new();
        // A lasso selects objects, and no handles.
        let (purpose, list) = match self.lasso.take() {
            Some(path) => (Purpose::Lasso(Region::Lasso(path)), &nothing),
            None => {
                self.wants_whole = false;
                (Purpose::Report, list)
            }
        };
        self.purpose = Some(purpose);
        image.encode(device, queue, encoder, view, list, |pass, clip| draw(1, pass, clip))
    }
}
