/// The instruction of a U2F raw message (FIDO U2F Raw Message Formats 1.2 §3.1).
public enum U2FInstruction: UInt8, Sendable, CaseIterable {
    case register = 0x01
    case authenticate = 0x02
    case version = 0x03
}

/// What P1 of an authentication asks for (FIDO U2F Raw Message Formats 1.2 §5.1).
public enum U2FControl: UInt8, Sendable, CaseIterable {
    /// Only says whether the key handle is this device's.
    case checkOnly = 0x07
    /// Signs after a touch.
    case enforceUserPresence = 0x03
    /// Signs without waiting for a touch.
    case doNotEnforceUserPresence = 0x08
}

/// The two bytes that end every U2F response (FIDO U2F Raw Message Formats 1.2 §3.3).
public struct U2FStatus: RawRepresentable, Hashable, Sendable, Error, CustomStringConvertible {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public static let noError = U2FStatus(rawValue: 0x9000)
    public static let conditionsNotSatisfied = U2FStatus(rawValue: 0x6985)
    public static let commandNotAllowed = U2FStatus(rawValue: 0x6986)
    public static let wrongData = U2FStatus(rawValue: 0x6A80)
    public static let wrongLength = U2FStatus(rawValue: 0x6700)
    public static let claNotSupported = U2FStatus(rawValue: 0x6E00)
    public static let insNotSupported = U2FStatus(rawValue: 0x6D00)
    /// Something inside the device went wrong.
    public static let unknown = U2FStatus(rawValue: 0x6F00)

    /// The status word, most significant byte first.
    public var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }

    public var description: String {
        let name: String? =
            switch self {
            case .noError: "NO_ERROR"
            case .conditionsNotSatisfied: "CONDITIONS_NOT_SATISFIED"
            case .commandNotAllowed: "COMMAND_NOT_ALLOWED"
            case .wrongData: "WRONG_DATA"
            case .wrongLength: "WRONG_LENGTH"
            case .claNotSupported: "CLA_NOT_SUPPORTED"
            case .insNotSupported: "INS_NOT_SUPPORTED"
            default: nil
            }
        let hex = "0x" + String(rawValue, radix: 16, uppercase: true)
        return name.map { "\($0) (\(hex))" } ?? hex
    }
}

/// A U2F request message as an ISO 7816-4 command, in short or extended length encoding.
public struct U2FRequest: Hashable, Sendable {
    /// INS.
    public var instruction: UInt8
    /// P1.
    public var parameter: UInt8
    /// The data.
    public var data: [UInt8]

    public init(instruction: U2FInstruction, parameter: UInt8 = 0, data: [UInt8] = []) {
        self.instruction = instruction.rawValue
        self.parameter = parameter
        self.data = data
    }

    /// Reads a command.
    ///
    /// - Throws: the status the response carries: 0x6E00 for a class other than 0, 0x6700 for lengths that contradict
    ///   each other.
    public init(parsing apdu: [UInt8]) throws(U2FStatus) {
        guard apdu.count >= 4 else { throw .wrongLength }
        guard apdu[0] == 0 else { throw .claNotSupported }
        instruction = apdu[1]
        parameter = apdu[2]
        let body = Array(apdu.dropFirst(4))
        guard let data = Self.data(of: body) else { throw .wrongLength }
        self.data = data
    }

    /// The data between Lc and Le; nil when the lengths contradict each other.
    private static func data(of body: [UInt8]) -> [UInt8]? {
        guard let first = body.first else { return [] }
        if first == 0, body.count >= 3 {
            // Extended: 00 Lc Lc, data, Le of two bytes or none; or 00 Le Le alone.
            let length = Int(body[1]) << 8 | Int(body[2])
            let rest = body.count - 3
            if rest == 0 { return [] }
            return rest == length || rest == length + 2 ? Array(body[3..<3 + length]) : nil
        }
        if body.count == 1 { return [] }
        let rest = body.count - 1
        return rest == Int(first) || rest == Int(first) + 1 ? Array(body[1..<1 + Int(first)]) : nil
    }

    /// The command in extended length encoding, as CTAPHID carries it.
    public var encoded: [UInt8] {
        [
            0, instruction, parameter, 0, 0, UInt8(truncatingIfNeeded: data.count >> 8),
            UInt8(truncatingIfNeeded: data.count),
        ] + data + [0, 0]
    }
}

/// A device that answers CTAP1/U2F beside CTAP2.
public protocol U2FDevice: Sendable {
    /// Answers one request message with a response message: data and status word.
    ///
    /// - Throws: ``CTAPDeviceError`` when no answer could be had. A refusal is an answer.
    func answerU2F(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8]
}
