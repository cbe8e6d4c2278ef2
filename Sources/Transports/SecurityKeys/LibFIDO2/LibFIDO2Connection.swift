package import CTAP

/// How libfido2 reaches a key.
package enum LibFIDO2Connection: Sendable {
    /// By libfido2's own transport: the path of a USB key, as its manifest tells it.
    case path(String)
    /// By its I/O functions: CTAPHID is libfido2's, the cable is ours.
    case reports(any ReportCable)
    /// By its transport functions: only whole messages are libfido2's.
    case messages(any CTAPDevice, u2f: (any U2FDevice)?)
}
