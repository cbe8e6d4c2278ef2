package import Transports

/// The transports of a running device.
package struct DeviceConnections: Sendable {
    /// The address for CTAPHID over UDP, if any.
    package var udp: UDPEndpoint.Configuration?
    /// Whether it appears to the operating system as a USB security key (Linux UHID).
    package var usb: Bool
    /// The virtual pcscd reader it is on, if any (vsmartcard's vpcd).
    package var nfc: VPCDEndpoint.Configuration?

    package init(udp: UDPEndpoint.Configuration? = nil, usb: Bool = false, nfc: VPCDEndpoint.Configuration? = nil) {
        self.udp = udp
        self.usb = usb
        self.nfc = nfc
    }
}
