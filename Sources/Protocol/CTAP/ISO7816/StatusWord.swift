/// The two bytes SW1 SW2 that end every response APDU (ISO/IEC 7816-4 §5.6), and so every U2F response
/// (FIDO U2F Raw Message Formats 1.2 §3.3).
public struct StatusWord: RawRepresentable, Hashable, Sendable, Error, CustomStringConvertible {
    /// SW1 in the upper byte, SW2 in the lower.
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public static let noError = StatusWord(rawValue: 0x9000)
    /// NFCCTAP: the device still works, or waits for its person; the data is one status byte (CTAP 2.3 §11.3.7.1).
    public static let statusUpdate = StatusWord(rawValue: 0x9100)
    public static let wrongLength = StatusWord(rawValue: 0x6700)
    /// The last command of a chain was expected.
    public static let lastCommandExpected = StatusWord(rawValue: 0x6883)
    public static let commandChainingNotSupported = StatusWord(rawValue: 0x6884)
    /// What the command needs is not there; in U2F, the person's touch.
    public static let conditionsNotSatisfied = StatusWord(rawValue: 0x6985)
    public static let commandNotAllowed = StatusWord(rawValue: 0x6986)
    public static let wrongData = StatusWord(rawValue: 0x6A80)
    /// No application of that name.
    public static let notFound = StatusWord(rawValue: 0x6A82)
    public static let incorrectParameters = StatusWord(rawValue: 0x6A86)
    public static let insNotSupported = StatusWord(rawValue: 0x6D00)
    public static let claNotSupported = StatusWord(rawValue: 0x6E00)
    /// Something inside the device went wrong.
    public static let unknown = StatusWord(rawValue: 0x6F00)

    /// 61xx: the command worked and this much more is to be had by GET RESPONSE; `0` says 256 bytes or more.
    public static func moreData(_ count: UInt8) -> StatusWord {
        StatusWord(rawValue: 0x6100 | UInt16(count))
    }

    /// What 61xx says, in bytes: 256 for 6100; nil for any other status word.
    public var moreDataCount: Int? {
        guard rawValue >> 8 == 0x61 else { return nil }
        let count = Int(rawValue & 0xFF)
        return count == 0 ? 256 : count
    }

    /// The status word, most significant byte first.
    public var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }

    public var description: String {
        let name: String? =
            switch self {
            case .noError: "NO_ERROR"
            case .statusUpdate: "STATUS_UPDATE"
            case .wrongLength: "WRONG_LENGTH"
            case .lastCommandExpected: "LAST_COMMAND_EXPECTED"
            case .commandChainingNotSupported: "COMMAND_CHAINING_NOT_SUPPORTED"
            case .conditionsNotSatisfied: "CONDITIONS_NOT_SATISFIED"
            case .commandNotAllowed: "COMMAND_NOT_ALLOWED"
            case .wrongData: "WRONG_DATA"
            case .notFound: "NOT_FOUND"
            case .incorrectParameters: "INCORRECT_P1_P2"
            case .insNotSupported: "INS_NOT_SUPPORTED"
            case .claNotSupported: "CLA_NOT_SUPPORTED"
            default: moreDataCount == nil ? nil : "MORE_DATA"
            }
        let hex = "0x" + String(rawValue, radix: 16, uppercase: true)
        return name.map { "\($0) (\(hex))" } ?? hex
    }
}
