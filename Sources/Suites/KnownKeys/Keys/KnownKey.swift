package import DeviceProfiles
package import WebAuthn

/// A security key with known answers, as a file in `hardware/keys/` describes it.
package struct KnownKey: Sendable {
    package struct Model: Hashable, Sendable {
        package let aaguid: AAGUID
        /// The product and its firmware, such as `YubiKey 5 NFC, firmware 5.2 and 5.4`.
        package let name: String
    }

    /// Limits that getInfo does not report; nil without a source.
    package struct Limits: Hashable, Sendable {
        /// Wrong PINs before the key must be reset.
        package let pinRetries: Int?
        /// Failed built-in verifications before the PIN is needed.
        package let uvRetries: Int?
        package let discoverableCredentials: Int?
        package let touchTimeout: Duration?
        /// The time after power-up in which it accepts a reset.
        package let resetWindow: Duration?
    }

    /// A deviation from the specification.
    package struct Quirk: Hashable, Sendable {
        /// One sentence.
        package let summary: String
        package let source: String
    }

    /// A place where keys of this kind may differ from the expectation, and the reason.
    package struct Exception: Hashable, Sendable {
        /// ``InfoDifference/place``, such as `extensions.credBlob`.
        package let place: String
        package let reason: String
    }

    /// The name, which is also the file's name.
    package let name: String
    /// One line about the key.
    package let title: String
    package let maker: String
    package let models: [Model]
    /// Its identities on the USB bus, the usual one first; empty without a source.
    package let usb: [USBIdentity]
    /// Whether it has NFC; ``exceptions`` names the models of a series without it.
    package let hasNFC: Bool
    package let info: ExpectedInfo
    package let limits: Limits
    package let quirks: [Quirk]
    /// The places where firmware versions or models differ.
    package let exceptions: [Exception]
    /// The places where the virtual key of the same name differs.
    package let virtualExceptions: [Exception]
    /// The facts that no public source confirms, by their path in the file.
    package let unverified: [String]
    package let sources: [String]

    package func model(_ aaguid: AAGUID) -> Model? { models.first { $0.aaguid == aaguid } }
}
