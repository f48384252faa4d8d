use super::error::GpuError;

/// True in builds for a browser.
pub(crate) const IS_BROWSER: bool = cfg!(target_arch = "wasm32");

/// Returns true if error scopes report errors later than the call.
pub(crate) fn reports_later(is_browser: bool, backend: wgpu::Backend) -> bool {
    is_browser && backend == wgpu::Backend::BrowserWebGpu
}

/// Returns an error in a browser. On WebGPU, wgpu drops the query set of the pass, and on WebGL the results.
pub(crate) fn may_query_occlusion(is_browser: bool) -> Result<(), GpuError> {
    if is_browser { Err(GpuError::OcclusionOnWeb) } else { Ok(()) }
}

/// Returns an error in a browser, which cannot wait: the result would never arrive.
pub(crate) fn may_wait(is_browser: bool) -> Result<(), GpuError> {
    if is_browser { Err(GpuError::BlockingOnWeb) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_webgpu_reports_errors_later() {
        use wgpu::Backend::{BrowserWebGpu, Gl, Vulkan};
        for (is_browser, backend) in [(true, BrowserWebGpu), (true, Gl), (false, Gl), (false, Vulkan)] {
            assert_eq!(reports_later(is_browser, backend), backend == BrowserWebGpu);
        }
    }

    #[test]
    fn browser_occlusion_error_names_alternative() {
        let refused = may_query_occlusion(true).expect_err("no browser gets the queries");
        assert!(refused.to_string().contains("IdImage"), "{refused}");
        assert_eq!(may_query_occlusion(false), Ok(()));
    }

    #[test]
    fn browser_wait_error_names_alternative() {
        let refused = may_wait(true).expect_err("no call waits in a browser");
        assert_eq!(refused, GpuError::BlockingOnWeb);
        assert!(refused.to_string().contains("poll once a frame"), "{refused}");
        assert_eq!(may_wait(false), Ok(()));
    }
}
