package import DeviceProfiles
package import WebAuthn

/// A security key whose answers are known, as a file in `hardware/keys/` describes it.
package struct KnownKey: Sendable {
    /// One AAGUID and what has it.
    package struct Model: Hashable, Sendable {
        /// The AAGUID.
        package let aaguid: AAGUID
        /// The product and its firmware, such as `YubiKey 5 NFC, firmware 5.2 and 5.4`.
        package let name: String
    }

    /// Bounds that getInfo does not tell; nil where no source says.
    package struct Limits: Hashable, Sendable {
        /// Wrong PINs before the key must be reset.
        package let pinRetries: Int?
        /// Failed built-in verifications before the PIN is needed.
        package let uvRetries: Int?
        /// How many passkeys fit.
        package let discoverableCredentials: Int?
        /// How long it waits for a touch.
        package let touchTimeout: Duration?
        /// How long after plugging in it can be reset.
        package let resetWindow: Duration?
    }

    /// Something it does otherwise than the specification says.
    package struct Quirk: Hashable, Sendable {
        /// One sentence.
        package let summary: String
        /// Who reported it where.
        package let source: String
    }

    /// A place where keys of this kind may differ from what is expected, and why.
    package struct Exception: Hashable, Sendable {
        /// ``InfoDifference/place``, such as `extensions.credBlob`.
        package let place: String
        /// The reason, in words.
        package let reason: String
    }

    /// The name, that of its file.
    package let name: String
    /// One line that says what it is.
    package let title: String
    /// Who makes it.
    package let maker: String
    /// Its AAGUIDs.
    package let models: [Model]
    /// How it shows on the USB bus, the usual way first; empty where no source says.
    package let usb: [USBIdentity]
    /// Whether it has NFC; a series in which only some models have it says so in ``exceptions``.
    package let hasNFC: Bool
    /// What its getInfo says.
    package let info: ExpectedInfo
    /// What getInfo does not say.
    package let limits: Limits
    /// What it is known to do wrong.
    package let quirks: [Quirk]
    /// Where one firmware or model differs from another.
    package let exceptions: [Exception]
    /// Where the virtual key of the same name cannot be what this one is.
    package let virtualExceptions: [Exception]
    /// What no public source confirms, by its path in the file.
    package let unverified: [String]
    /// Where the facts come from.
    package let sources: [String]

    /// The model an AAGUID belongs to.
    package func model(_ aaguid: AAGUID) -> Model? {
        models.first { $0.aaguid == aaguid }
    }
}
