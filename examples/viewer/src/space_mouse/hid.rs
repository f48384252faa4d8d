//! Reads 3Dconnexion devices by their HID reports, without a daemon or a driver. On Linux, a udev rule must let the
//! user read them.

use super::Closed;
use hidapi::{DeviceInfo, HidApi};
use session::space_mouse::{HidReader, Report};

/// Logitech, which sold the first devices, and 3Dconnexion.
const VENDORS: [u16; 2] = [0x046d, 0x256f];
/// Usage page and usage of multi-axis controllers.
const MULTI_AXIS: [u16; 2] = [0x01, 0x08];
/// More than the largest report.
const MAX_REPORT_BYTES: usize = 64;

fn is_space_mouse(device: &DeviceInfo) -> bool {
    VENDORS.contains(&device.vendor_id()) && [device.usage_page(), device.usage()] == MULTI_AXIS
}

/// Reads reports until the device is unplugged. Returns false if there is no device that can be read.
pub(super) fn read(send: &mut impl FnMut(Report) -> Result<(), Closed>) -> Result<bool, Closed> {
    let Ok(api) = HidApi::new() else { return Ok(false) };
    let Some(device) = api
        .device_list()
        .filter(|device| is_space_mouse(device))
        .find_map(|device| device.open_device(&api).ok())
    else {
        return Ok(false);
    };
    let (mut reader, mut bytes) = (HidReader::default(), [0; MAX_REPORT_BYTES]);
    while let Ok(length) = device.read(&mut bytes) {
        for report in reader.read(bytes.get(..length).unwrap_or_default()) {
            send(report)?;
        }
    }
    Ok(true)
}
