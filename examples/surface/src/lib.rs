//! Gets the next texture of a surface, and repairs the surface if that is necessary. Copy it into your application.
//!
//! ```ignore
//! let create = || instance.create_surface(window.clone());
//! let texture = match next_frame(&mut surface, (&device, &config), create)? {
//!     NextFrame::Ready(texture) => texture,
//!     NextFrame::Later => return window.request_redraw(),
//!     // Request a redraw at `WindowEvent::Occluded(false)`.
//!     NextFrame::Hidden => return,
//! };
//! ```

use wgpu::{
    CreateSurfaceError, CurrentSurfaceTexture, Device, Surface, SurfaceConfiguration, SurfaceTexture,
};

/// The result of [`next_frame`].
#[derive(Debug, PartialEq, Eq)]
pub enum NextFrame<T = SurfaceTexture> {
    /// Draw into this texture and present it.
    Ready(T),
    /// There is no texture now: request another redraw, or the window keeps its old picture.
    Later,
    /// Nobody sees the window: draw nothing until it is shown again.
    Hidden,
}

/// Returns the next texture of a surface. Configures the surface again if it has changed, and creates it again if it is
/// lost or `None`. It is `None` after an error.
///
/// # Errors
/// Returns the error of `create`.
pub fn next_frame<'window>(
    surface: &mut Option<Surface<'window>>,
    (device, config): (&Device, &SurfaceConfiguration),
    create: impl Fn() -> Result<Surface<'window>, CreateSurfaceError>,
) -> Result<NextFrame, CreateSurfaceError> {
    acquire(|repair| {
        if repair == Some(Repair::Create) {
            // A window has one surface at a time.
            *surface = None;
        }
        let is_configured = surface.is_some() && repair.is_none();
        let surface = match surface {
            Some(surface) => surface,
            None => surface.insert(create()?),
        };
        if !is_configured {
            surface.configure(device, config);
        }
        Ok(surface.get_current_texture().into())
    })
}

/// The repair that a surface needs before its next texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repair {
    Configure,
    Create,
}

/// [`CurrentSurfaceTexture`] for any texture.
enum Acquired<T> {
    Optimal(T),
    Suboptimal(T),
    Outdated,
    Lost,
    Timeout,
    Hidden,
}

impl From<CurrentSurfaceTexture> for Acquired<SurfaceTexture> {
    fn from(texture: CurrentSurfaceTexture) -> Self {
        match texture {
            CurrentSurfaceTexture::Success(texture) => Self::Optimal(texture),
            CurrentSurfaceTexture::Suboptimal(texture) => Self::Suboptimal(texture),
            CurrentSurfaceTexture::Outdated => Self::Outdated,
            CurrentSurfaceTexture::Lost => Self::Lost,
            CurrentSurfaceTexture::Timeout => Self::Timeout,
            // The device reports a validation error itself.
            CurrentSurfaceTexture::Occluded | CurrentSurfaceTexture::Validation => Self::Hidden,
        }
    }
}

/// Acquires a texture, a second time if the first attempt shows that a repair is necessary.
fn acquire<T, E>(
    mut attempt: impl FnMut(Option<Repair>) -> Result<Acquired<T>, E>,
) -> Result<NextFrame<T>, E> {
    let mut repair = None;
    for is_last in [false, true] {
        let next = match attempt(repair)? {
            Acquired::Optimal(texture) => return Ok(NextFrame::Ready(texture)),
            // Some surfaces stay so, such as that of a window which is larger than all textures.
            Acquired::Suboptimal(texture) if is_last => return Ok(NextFrame::Ready(texture)),
            Acquired::Suboptimal(_) | Acquired::Outdated => Repair::Configure,
            Acquired::Lost => Repair::Create,
            Acquired::Timeout => return Ok(NextFrame::Later),
            Acquired::Hidden => return Ok(NextFrame::Hidden),
        };
        // The texture is dropped by now: `configure` panics if one of its surface exists.
        repair = Some(next);
    }
    Ok(NextFrame::Later)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    /// A surface that answers one by one, and that panics as that of wgpu if a texture outlives it.
    #[derive(Default)]
    struct Fake {
        alive: Rc<()>,
        repairs: Vec<Repair>,
    }

    type Texture = Rc<()>;

    impl Fake {
        /// Returns what the host gets if the surface answers so.
        fn frame(&mut self, answers: &[fn(Texture) -> Acquired<Texture>]) -> NextFrame<Texture> {
            let mut answers = answers.iter();
            let frame = acquire(|repair| {
                assert!(repair.is_none() || Rc::strong_count(&self.alive) == 1, "a texture is alive");
                self.repairs.extend(repair);
                answers.next().map(|answer| answer(self.alive.clone())).ok_or("too many attempts")
            });
            assert_eq!(answers.len(), 0, "all answers are asked for");
            frame.expect("no creation fails")
        }
    }

    #[test]
    fn suboptimal_texture_is_dropped_before_surface_is_configured() {
        let mut fake = Fake::default();
        let frame = fake.frame(&[Acquired::Suboptimal, Acquired::Optimal]);
        assert!(matches!(frame, NextFrame::Ready(_)), "{frame:?}");
        assert_eq!(fake.repairs, [Repair::Configure]);
    }

    #[test]
    fn surface_that_stays_suboptimal_is_drawn() {
        let mut fake = Fake::default();
        let frame = fake.frame(&[Acquired::Suboptimal, Acquired::Suboptimal]);
        assert!(matches!(frame, NextFrame::Ready(_)), "{frame:?}");
    }

    #[test]
    fn outdated_surface_is_configured() {
        let mut fake = Fake::default();
        assert_eq!(fake.frame(&[|_| Acquired::Outdated, Acquired::Optimal]), NextFrame::Ready(Rc::new(())));
        assert_eq!(fake.frame(&[|_| Acquired::Outdated, |_| Acquired::Outdated]), NextFrame::Later);
        assert_eq!(fake.repairs, [Repair::Configure; 2]);
    }

    #[test]
    fn lost_surface_is_created_again() {
        let mut fake = Fake::default();
        assert_eq!(fake.frame(&[|_| Acquired::Lost, Acquired::Optimal]), NextFrame::Ready(Rc::new(())));
        assert_eq!(fake.frame(&[|_| Acquired::Lost, |_| Acquired::Lost]), NextFrame::Later);
        assert_eq!(fake.frame(&[Acquired::Suboptimal, |_| Acquired::Lost]), NextFrame::Later);
        assert_eq!(fake.repairs, [Repair::Create, Repair::Create, Repair::Configure]);
    }

    #[test]
    fn timeout_is_tried_again_later_and_hidden_window_is_not() {
        let mut fake = Fake::default();
        assert_eq!(fake.frame(&[|_| Acquired::Timeout]), NextFrame::Later);
        assert_eq!(fake.frame(&[|_| Acquired::Hidden]), NextFrame::Hidden);
        assert_eq!(fake.repairs, []);
    }

    #[test]
    fn failed_creation_is_returned() {
        let mut answers = vec![Err("no window"), Ok(Acquired::Lost)];
        let frame: Result<NextFrame<Texture>, _> = acquire(|_| answers.pop().unwrap_or(Err("too many")));
        assert_eq!(frame, Err("no window"));
    }
}
