package import CTAP

/// The connection of libfido2 to a key.
package enum LibFIDO2Connection: Sendable {
    /// libfido2's own transport: the path of a USB key from its manifest.
    case path(String)
    /// libfido2's I/O functions: libfido2 does CTAPHID, the transport carries its reports.
    case reports(any ReportTransport)
    /// libfido2's transport functions: libfido2 makes whole messages, the device answers them.
    case messages(any CTAPDevice, u2f: (any U2FDevice)?)
}
