/// A way for a client to reach an authenticator (WebAuthn L3 §5.8.4).
///
/// A struct rather than an enum: relying parties store transports they do not know (WebAuthn L3 §7.1 step 27).
/// Encoded as its text.
public struct AuthenticatorTransport: RawRepresentable, Hashable, Sendable, Codable {
    /// The text, such as `usb`.
    public let rawValue: String

    /// Wraps any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Wraps any text, known or not.
    public init(_ text: String) { self.init(rawValue: text) }

    /// Removable USB.
    public static let usb = AuthenticatorTransport("usb")
    /// Near-field communication.
    public static let nfc = AuthenticatorTransport("nfc")
    /// Bluetooth Low Energy.
    public static let ble = AuthenticatorTransport("ble")
    /// ISO/IEC 7816 with contacts.
    public static let smartCard = AuthenticatorTransport("smart-card")
    /// A phone that the client reaches over a data transport of its own and proximity.
    public static let hybrid = AuthenticatorTransport("hybrid")
    /// Built into the client device.
    public static let `internal` = AuthenticatorTransport("internal")

    /// The transports of the specification.
    public static let all: [AuthenticatorTransport] = [.usb, .nfc, .ble, .smartCard, .hybrid, .internal]

    /// Whether an authenticator with this transport can be carried from one client device to another.
    public var isRoaming: Bool { [.usb, .nfc, .ble, .smartCard].contains(self) }
}

extension AuthenticatorTransport: CustomStringConvertible {
    /// The text.
    public var description: String { rawValue }
}
