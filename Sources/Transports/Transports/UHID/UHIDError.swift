internal import MachineNeeds

/// The reason why a virtual USB key cannot be created.
package enum UHIDError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing(path: String)
    case forbidden(path: String)
    case failed(path: String, reason: String)

    package var description: String {
        switch self {
        case .missing(let path):
            MachineUse.virtualUSB.pointed(
                """
                \(path) is missing: a virtual USB key needs Linux with UHID; load it with `sudo \(MachineNeed.uhid.activation ?? "")`, or serve the \
                device over UDP (--udp) or NFC (--nfc) instead
                """)
        case .forbidden(let path):
            MachineUse.virtualUSB.pointed(
                """
                \(path) cannot be opened without permission: run as root, or install the udev rule \(UdevRule.name) \
                (\(UdevRule.installation()))
                """)
        case .failed(let path, let reason): "\(path): \(reason)"
        }
    }
}
