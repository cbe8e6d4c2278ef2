internal import VirtualAuthenticator
package import WebAuthn

extension DeviceProfile {
    /// The transport of a device in the caller's process.
    ///
    /// NFC is avoided: every touch would need another tap, which nothing in the process makes.
    package var directTransport: AuthenticatorTransport { authenticator.transports.first { $0 != .nfc } ?? .internal }
}
