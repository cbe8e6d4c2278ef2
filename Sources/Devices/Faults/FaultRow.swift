internal import CTAP
internal import CTAPHID
internal import CTAPHybrid

/// A fault of one layer: its name, its meaning and the effect that its text stands for.
struct FaultRow<Effect: Sendable>: Sendable {
    let name: String
    let meaning: String
    private let make: @Sendable (FaultArgument) throws(FaultSyntaxError) -> Effect

    /// A fault that takes an argument.
    init(
        _ name: String, _ meaning: String,
        make: @escaping @Sendable (FaultArgument) throws(FaultSyntaxError) -> Effect
    ) {
        self.name = name
        self.meaning = meaning
        self.make = make
    }

    /// A fault without an argument.
    init(_ name: String, _ meaning: String, _ effect: Effect) {
        self.init(name, meaning) { argument throws(FaultSyntaxError) in
            guard argument.text == nil else {
                throw FaultSyntaxError("\(name) takes no value; remove the text after the colon")
            }
            return effect
        }
    }

    /// Makes the effect; throws for an invalid, a missing or a surplus argument after the colon.
    func effect(_ argument: String?) throws(FaultSyntaxError) -> Effect {
        try make(FaultArgument(fault: name, text: argument))
    }
}

/// The text after the colon of a fault.
struct FaultArgument {
    /// The fault's name, for errors.
    let fault: String
    /// The text; nil for a fault written without a colon.
    let text: String?

    /// A CTAP status: its name, or its number in hexadecimal after `0x`.
    func status() throws(FaultSyntaxError) -> CTAPStatus { try status(text ?? "") }

    /// Two CTAP statuses around an equals sign.
    func statuses() throws(FaultSyntaxError) -> (CTAPStatus, CTAPStatus) {
        let parts = (text ?? "").split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw FaultSyntaxError("\(fault) needs two statuses, as in \(fault):PIN_INVALID=PIN_AUTH_INVALID")
        }
        return (try status(parts[0]), try status(parts[1]))
    }

    private func status(_ text: String) throws(FaultSyntaxError) -> CTAPStatus {
        guard let status = Self.byte(text).map(CTAPStatus.init(rawValue:)) ?? CTAPStatus.named(text) else {
            let found = text.isEmpty ? "" : "; found \"\(text)\""
            throw FaultSyntaxError("\(fault) needs a status of CTAP such as KEY_STORE_FULL or 0x28\(found)")
        }
        return status
    }

    /// A time in seconds, 0.001 to 3600; a fault of no time has no effect.
    func seconds(default standard: Duration) throws(FaultSyntaxError) -> Duration {
        guard let text else { return standard }
        guard let seconds = Double(text), (0.001...3600).contains(seconds) else {
            throw FaultSyntaxError("\(fault) needs seconds after the colon, 0.001 to 3600, as in \(fault):2.5")
        }
        return .seconds(seconds)
    }

    func number(in range: ClosedRange<Int>, default standard: Int) throws(FaultSyntaxError) -> Int {
        guard let text else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw FaultSyntaxError(
                "\(fault) needs a number after the colon, \(range.lowerBound) to \(range.upperBound), as in \(fault):3"
            )
        }
        return number
    }

    /// A stage of a hybrid connection.
    func stage(default standard: HybridStage) throws(FaultSyntaxError) -> HybridStage {
        guard let text else { return standard }
        guard let stage = Self.stages.first(where: { Self.name(of: $0) == text }) else {
            throw FaultSyntaxError(
                "\(fault) needs one of \(Self.stageNames) after the colon, as in \(fault):handshake")
        }
        return stage
    }

    /// The stages in which a phone has a tunnel, or opens it.
    private static let stages = HybridStage.allCases.filter { $0 > .discovery && $0 < .closed }

    private static func name(of stage: HybridStage) -> String { stage.rawValue.replacing(" ", with: "-") }

    /// The names of the stages, in their order.
    static let stageNames = stages.map(name).joined(separator: ", ")

    func command(default standard: CTAPHIDCommand) throws(FaultSyntaxError) -> CTAPHIDCommand {
        guard let text else { return standard }
        guard let command = Self.commands[text] else {
            let names = Self.commands.keys.sorted().joined(separator: ", ")
            throw FaultSyntaxError("\(fault) needs one of \(names) after the colon, as in \(fault):MSG")
        }
        return command
    }

    /// A CTAPHID error code: its name, or its number in hexadecimal after `0x`.
    func errorCode(default standard: CTAPHIDErrorCode) throws(FaultSyntaxError) -> CTAPHIDErrorCode {
        guard let text else { return standard }
        guard let code = Self.byte(text).map(CTAPHIDErrorCode.init(rawValue:)) ?? Self.errorCodes[text] else {
            let names = Self.errorCodes.keys.sorted().joined(separator: ", ")
            throw FaultSyntaxError("\(fault) needs one of \(names) or a number after the colon, as in \(fault):0x06")
        }
        return code
    }

    private static func byte(_ text: String) -> UInt8? {
        text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : nil
    }

    private static let commands: [String: CTAPHIDCommand] = [
        "PING": .ping, "MSG": .message, "LOCK": .lock, "INIT": .initialize, "WINK": .wink, "CBOR": .cbor,
    ]

    private static let errorCodes: [String: CTAPHIDErrorCode] = [
        "INVALID_CMD": .invalidCommand, "INVALID_PAR": .invalidParameter, "INVALID_LEN": .invalidLength,
        "INVALID_SEQ": .invalidSequence, "MSG_TIMEOUT": .messageTimeout, "CHANNEL_BUSY": .channelBusy,
        "LOCK_REQUIRED": .lockRequired, "INVALID_CHANNEL": .invalidChannel, "OTHER": .other,
    ]
}
