/// Why no virtual USB key can be made.
package enum UHIDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system has no UHID.
    case missing(path: String)
    /// The user may not make HID devices.
    case forbidden(path: String)
    /// Something else, in the system's words.
    case failed(path: String, reason: String)

    package var description: String {
        switch self {
        case .missing(let path):
            """
            there is no \(path): a virtual USB key needs Linux with UHID. `sudo modprobe uhid` loads it; \
            where the kernel has none, serve the device over UDP (--udp) or NFC (--nfc) instead
            """
        case .forbidden(let path):
            """
            \(path) may not be opened: run as root, or install hardware/70-touchstone.rules \
            (sudo cp hardware/70-touchstone.rules /etc/udev/rules.d/ && sudo udevadm control --reload && \
            sudo udevadm trigger /dev/uhid)
            """
        case .failed(let path, let reason): "\(path): \(reason)"
        }
    }
}
