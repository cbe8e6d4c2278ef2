/// The request that follows, as the QR code or the contact request announces it (CTAP 2.3 §11.5.1, key 5).
///
/// The hint only serves guidance to the user; it does not limit the commands.
package struct QROperation: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// authenticatorGetAssertion.
    package static let getAssertion = QROperation(rawValue: "ga")
    /// authenticatorMakeCredential.
    package static let makeCredential = QROperation(rawValue: "mc")
    /// The presentation of a digital credential, which Chromium announces.
    package static let digitalCredentialPresentation = QROperation(rawValue: "dcp")

    private static let known: Set<QROperation> = [.getAssertion, .makeCredential, .digitalCredentialPresentation]

    /// The operation that a phone assumes: unknown values count as ``getAssertion``.
    package var effective: QROperation { Self.known.contains(self) ? self : .getAssertion }
}
