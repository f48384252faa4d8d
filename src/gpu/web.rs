use super::error::GpuError;

/// True in builds for a browser.
pub(super) const IS_BROWSER: bool = cfg!(target_arch = "wasm32");

/// Returns an error in a browser, which cannot wait: the result would never arrive.
pub(super) fn may_wait(is_browser: bool) -> Result<(), GpuError> {
    if is_browser { Err(GpuError::BlockingOnWeb) } else { Ok(()) }
}

/// Returns an error in a browser without WebGPU, because some browsers read integer textures back wrongly
/// through WebGL without an error.
pub(super) fn may_read_ids(is_browser: bool, backend: wgpu::Backend) -> Result<(), GpuError> {
    if is_browser && backend == wgpu::Backend::Gl { Err(GpuError::WebGl) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browser_wait_error_names_alternative() {
        let refused = may_wait(true).expect_err("no call waits in a browser");
        assert_eq!(refused, GpuError::BlockingOnWeb);
        assert!(refused.to_string().contains("poll once a frame"), "{refused}");
        assert_eq!(may_wait(false), Ok(()));
    }

    #[test]
    fn webgl_is_refused_but_native_gl_is_not() {
        let refused = may_read_ids(true, wgpu::Backend::Gl).expect_err("WebGL cannot read ids back");
        assert_eq!(refused, GpuError::WebGl);
        assert!(refused.to_string().contains("WebGPU"), "{refused}");
        for (is_browser, backend) in
            [(true, wgpu::Backend::BrowserWebGpu), (false, wgpu::Backend::Gl), (false, wgpu::Backend::Vulkan)]
        {
            assert_eq!(may_read_ids(is_browser, backend), Ok(()));
        }
    }
}
