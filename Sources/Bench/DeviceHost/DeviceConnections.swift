package import Transports

/// The ways in which a running device is reached, one or several at once.
package struct DeviceConnections: Sendable {
    /// Where it listens for CTAPHID over UDP, if it does.
    package var udp: UDPEndpoint.Configuration?
    /// Whether the operating system sees it as a USB security key (Linux UHID).
    package var usb: Bool
    /// The virtual reader of pcscd it lies on, if it does (vsmartcard's vpcd).
    package var nfc: VPCDEndpoint.Configuration?

    /// None, unless given.
    package init(
        udp: UDPEndpoint.Configuration? = nil, usb: Bool = false, nfc: VPCDEndpoint.Configuration? = nil
    ) {
        self.udp = udp
        self.usb = usb
        self.nfc = nfc
    }
}
