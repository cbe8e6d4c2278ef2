/// The two bytes SW1 SW2 that end every response APDU (ISO/IEC 7816-4 §5.6), and so every U2F response
/// (FIDO U2F Raw Message Formats 1.2 §3.3).
public struct StatusWord: RawRepresentable, Hashable, Sendable, Error {
    /// SW1 in the upper byte, SW2 in the lower.
    public let rawValue: UInt16
    package let name: String?

    /// The status word of two bytes, named or not.
    public init(rawValue: UInt16) { self = Self.named.first { $0.rawValue == rawValue } ?? StatusWord(rawValue) }

    private init(_ rawValue: UInt16, _ name: String? = nil) {
        self.rawValue = rawValue
        self.name = name
    }

    /// The command succeeded.
    public static let noError = StatusWord(0x9000, "NO_ERROR")
    /// NFCCTAP: the device still works or waits for the user; the data is one status byte (CTAP 2.3 §11.3.7.1).
    public static let statusUpdate = StatusWord(0x9100, "STATUS_UPDATE")
    /// The lengths of the command contradict each other.
    public static let wrongLength = StatusWord(0x6700, "WRONG_LENGTH")
    /// The device expected the last command of a chain.
    public static let lastCommandExpected = StatusWord(0x6883, "LAST_COMMAND_EXPECTED")
    /// The device does not support command chaining.
    public static let commandChainingNotSupported = StatusWord(0x6884, "COMMAND_CHAINING_NOT_SUPPORTED")
    /// A condition of the command is not met; in U2F, the user's touch is missing.
    public static let conditionsNotSatisfied = StatusWord(0x6985, "CONDITIONS_NOT_SATISFIED")
    /// The command is not allowed in the device's current state.
    public static let commandNotAllowed = StatusWord(0x6986, "COMMAND_NOT_ALLOWED")
    /// The data is wrong; in U2F, the key handle is not this device's.
    public static let wrongData = StatusWord(0x6A80, "WRONG_DATA")
    /// The device has no application of that name.
    public static let notFound = StatusWord(0x6A82, "NOT_FOUND")
    /// P1 or P2 is wrong.
    public static let incorrectParameters = StatusWord(0x6A86, "INCORRECT_P1_P2")
    /// The instruction is unknown or not supported.
    public static let insNotSupported = StatusWord(0x6D00, "INS_NOT_SUPPORTED")
    /// The class is unknown or not supported.
    public static let claNotSupported = StatusWord(0x6E00, "CLA_NOT_SUPPORTED")
    /// An internal error of the device.
    public static let unknown = StatusWord(0x6F00)

    private static let named: [StatusWord] = [
        .noError, .statusUpdate, .wrongLength, .lastCommandExpected, .commandChainingNotSupported,
        .conditionsNotSatisfied, .commandNotAllowed, .wrongData, .notFound, .incorrectParameters, .insNotSupported,
        .claNotSupported,
    ]

    /// 61xx: the command succeeded, and GET RESPONSE returns `count` more bytes; `0` means 256 bytes or more.
    public static func moreData(_ count: UInt8) -> StatusWord { StatusWord(0x6100 | UInt16(count)) }

    /// The bytes 61xx announces: 256 for 6100; nil for any other status word.
    public var moreDataCount: Int? {
        guard rawValue >> 8 == 0x61 else { return nil }
        let count = Int(rawValue & 0xFF)
        return count == 0 ? 256 : count
    }

    /// The status word, most significant byte first.
    public var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }
}

extension StatusWord: CustomStringConvertible {
    /// The name and the bytes, such as `WRONG_LENGTH (0x6700)`; the bytes alone for one without a name.
    public var description: String {
        let hex = "0x" + String(rawValue, radix: 16, uppercase: true)
        return (name ?? (moreDataCount == nil ? nil : "MORE_DATA")).map { "\($0) (\(hex))" } ?? hex
    }
}
