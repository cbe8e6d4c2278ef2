public import Devices
public import WebAuthn

/// A security key whose answers are known, as a file in `hardware/keys/` describes it.
public struct KnownKey: Sendable {
    /// One AAGUID and what has it.
    public struct Model: Hashable, Sendable {
        /// The AAGUID.
        public let aaguid: AAGUID
        /// The product and its firmware, such as `YubiKey 5 NFC, firmware 5.2 and 5.4`.
        public let name: String
    }

    /// Bounds that getInfo does not tell; nil where no source says.
    public struct Limits: Hashable, Sendable {
        /// Wrong PINs before the key must be reset.
        public let pinRetries: Int?
        /// Failed built-in verifications before the PIN is needed.
        public let uvRetries: Int?
        /// How many passkeys fit.
        public let discoverableCredentials: Int?
        /// How long it waits for a touch.
        public let touchTimeout: Duration?
        /// How long after plugging in it can be reset.
        public let resetWindow: Duration?
    }

    /// Something it does otherwise than the specification says.
    public struct Quirk: Hashable, Sendable {
        /// One sentence.
        public let summary: String
        /// Who reported it where.
        public let source: String
    }

    /// A place where keys of this kind may differ from what is expected, and why.
    public struct Exception: Hashable, Sendable {
        /// ``InfoDifference/place``, such as `extensions.credBlob`.
        public let place: String
        /// The reason, in words.
        public let reason: String
    }

    /// The name, that of its file.
    public let name: String
    /// One line that says what it is.
    public let title: String
    /// Who makes it.
    public let maker: String
    /// Its AAGUIDs.
    public let models: [Model]
    /// How it shows on the USB bus, the usual way first; empty where no source says.
    public let usb: [USBIdentity]
    /// Whether it has NFC; a series in which only some models have it says so in ``exceptions``.
    public let hasNFC: Bool
    /// What its getInfo says.
    public let info: ExpectedInfo
    /// What getInfo does not say.
    public let limits: Limits
    /// What it is known to do wrong.
    public let quirks: [Quirk]
    /// Where one firmware or model differs from another.
    public let exceptions: [Exception]
    /// Where the virtual key of the same name cannot be what this one is.
    public let virtualExceptions: [Exception]
    /// What no public source confirms, by its path in the file.
    public let unverified: [String]
    /// Where the facts come from.
    public let sources: [String]

    /// The model an AAGUID belongs to.
    public func model(_ aaguid: AAGUID) -> Model? {
        models.first { $0.aaguid == aaguid }
    }
}
