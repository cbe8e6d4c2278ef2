internal import PlatformErrors
internal import VirtualAuthenticator
package import WebAuthn

extension DeviceProfile {
    /// The transport of a device in the caller's process.
    ///
    /// NFC is avoided: every touch would need another tap, which nothing in the process makes.
    package var directTransport: AuthenticatorTransport { authenticator.transports.first { $0 != .nfc } ?? .internal }

    /// Whether the device scans the QR codes of computers, for hybrid transport: a phone whose passkeys have it.
    package var scansCodes: Bool {
        authenticator.isPlatform && authenticator.transports.contains(.hybrid)
            && (platform == .ios || platform == .android)
    }
}
