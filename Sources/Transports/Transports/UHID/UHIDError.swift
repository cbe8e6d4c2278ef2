/// The reason why a virtual USB key cannot be created.
package enum UHIDError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing(path: String)
    case forbidden(path: String)
    case failed(path: String, reason: String)

    package var description: String {
        switch self {
        case .missing(let path):
            """
            \(path) is missing: a virtual USB key needs Linux with UHID. Load it with `sudo modprobe uhid`; \
            on a kernel without UHID, serve the device over UDP (--udp) or NFC (--nfc) instead
            """
        case .forbidden(let path):
            """
            \(path) cannot be opened without permission: run as root, or install hardware/70-touchstone.rules \
            (sudo cp hardware/70-touchstone.rules /etc/udev/rules.d/ && sudo udevadm control --reload && \
            sudo udevadm trigger /dev/uhid)
            """
        case .failed(let path, let reason): "\(path): \(reason)"
        }
    }
}
