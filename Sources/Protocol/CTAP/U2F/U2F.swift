/// The instruction of a U2F raw message (FIDO U2F Raw Message Formats 1.2 §3.1).
public enum U2FInstruction: UInt8, Sendable, CaseIterable {
    case register = 0x01
    case authenticate = 0x02
    case version = 0x03
}

/// P1 of an authentication (FIDO U2F Raw Message Formats 1.2 §5.1).
public enum U2FControl: UInt8, Sendable, CaseIterable {
    /// Only checks whether the key handle is this device's.
    case checkOnly = 0x07
    /// Signs after a touch.
    case enforceUserPresence = 0x03
    /// Signs without waiting for a touch.
    case doNotEnforceUserPresence = 0x08
}

/// The status word that ends every U2F response (FIDO U2F Raw Message Formats 1.2 §3.3).
public typealias U2FStatus = StatusWord

/// A U2F request message as an ISO 7816-4 command, in short or extended length encoding.
public struct U2FRequest: Hashable, Sendable {
    /// INS.
    public var instruction: UInt8
    /// P1.
    public var parameter: UInt8
    /// The data.
    public var data: [UInt8]

    /// A request of an instruction, P1 and data.
    public init(instruction: U2FInstruction, parameter: UInt8 = 0, data: [UInt8] = []) {
        self.instruction = instruction.rawValue
        self.parameter = parameter
        self.data = data
    }

    /// Reads a command.
    ///
    /// - Throws: 0x6E00 for a class other than 0, 0x6700 for lengths that contradict each other.
    public init(parsing apdu: [UInt8]) throws(U2FStatus) {
        guard apdu.count >= 4 else { throw .wrongLength }
        guard apdu[0] == 0 else { throw .claNotSupported }
        let command = try CommandAPDU(parsing: apdu)
        instruction = command.instruction
        parameter = command.parameter1
        data = command.data
    }

    /// The command as an APDU, which asks for the longest response; CTAPHID carries it with extended lengths.
    public func command(extended: Bool) -> CommandAPDU {
        CommandAPDU(
            class: 0, instruction: instruction, parameter1: parameter, data: data,
            expectedLength: extended ? 65536 : 256, extended: extended)
    }

    /// The command in extended length encoding, as CTAPHID carries it.
    public var encoded: [UInt8] { command(extended: true).encoded }
}

/// A device that answers CTAP1/U2F beside CTAP2.
public protocol U2FDevice: Sendable {
    /// Answers one request message with a response message: data and status word.
    ///
    /// - Throws: ``CTAPDeviceError`` when there is no answer. A refusal is an answer, not an error.
    func answerU2F(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8]
}

/// Answers one U2F message (an APDU) with its response, for devices that also speak CTAP1.
public typealias U2FHandler = @Sendable (_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8]
