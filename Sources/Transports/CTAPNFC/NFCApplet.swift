internal import CTAP

/// The card's next step after a command.
enum NFCAppletStep: Equatable {
    case respond(ResponseAPDU)
    case abandon(ResponseAPDU)
    /// Start a request on the device; respond with its answer, or with a status update if the client takes those.
    case start(NFCRequest, takesUpdates: Bool)
    /// Respond with the answer to the running request, or with a status update.
    case poll
    /// Cancel the running request, and respond with its answer.
    case cancel
}

/// A complete request, assembled from its chain.
enum NFCRequest: Equatable {
    case ctap([UInt8])
    case u2f(CommandAPDU)
}

/// The FIDO application of a card as a state machine: selection, command chaining and pieces of long responses.
///
/// It neither runs requests nor waits; ``NFCCard`` does.
struct NFCApplet {
    private struct Chain {
        let header: [UInt8]
        var data: [UInt8] = []
        var isTooLong = false
    }

    /// The protocols that the card answers.
    struct Versions {
        let u2f: Bool
        let ctap2: Bool
    }

    private let versions: Versions
    private let supportsExtendedLength: Bool
    private let maximumMessageLength: Int

    private var isSelected = false
    private var chain: Chain?
    /// The rest of a response for GET RESPONSE, and its final status word.
    private var rest: ArraySlice<UInt8> = []
    private var restStatus = StatusWord.noError
    private var isBusy = false

    init(_ versions: Versions, configuration: NFCCard.Configuration) {
        self.versions = versions
        supportsExtendedLength = configuration.supportsExtendedLength
        maximumMessageLength = configuration.maximumMessageLength
    }

    // MARK: Commands

    /// Any command ends a chain that it does not continue and a response that was not fetched completely.
    mutating func receive(_ command: CommandAPDU) -> NFCAppletStep {
        guard supportsExtendedLength || !command.isExtended else { return refuse(.wrongLength) }
        let isPart = command.instructionClass & NFCCTAP.chainingBit != 0
        var command = command
        command.instructionClass &= ~NFCCTAP.chainingBit
        if command.instruction == NFCCTAP.Instruction.interindustryGetResponse, !isPart {
            // Some clients use the class of the command that the response belongs to.
            return .respond(nextPiece(for: command))
        }
        rest = []
        let isSelection =
            command.instructionClass == NFCCTAP.interindustryClass
            && command.instruction == NFCCTAP.Instruction.select
        // Without a selected application the instruction is unknown; 0x6985 would mean "touch" in U2F.
        guard isSelected || isSelection else { return refuse(.insNotSupported) }
        guard isRequest(command) else {
            guard !isPart else { return refuse(.commandChainingNotSupported) }
            chain = nil
            return carryOut(command)
        }
        guard !isBusy else { return refuse(.conditionsNotSatisfied) }
        return join(command, isPart: isPart)
    }

    /// Ends the running request, and returns as much of its response as the command has room for.
    mutating func finish(_ response: ResponseAPDU, answering command: CommandAPDU) -> ResponseAPDU {
        isBusy = false
        return fit(response, to: command)
    }

    /// Refuses a command, and drops the chain and the response it interrupts.
    mutating func refuse(_ status: StatusWord) -> NFCAppletStep {
        chain = nil
        rest = []
        return .respond(ResponseAPDU([], status))
    }

    // MARK: Steps

    /// Whether the command is for the device; such a command may be chained.
    private func isRequest(_ command: CommandAPDU) -> Bool {
        switch command.instructionClass {
        case NFCCTAP.ctapClass: versions.ctap2 && command.instruction == NFCCTAP.Instruction.message
        case NFCCTAP.interindustryClass: versions.u2f && U2FInstruction(rawValue: command.instruction) != nil
        default: false
        }
    }

    private mutating func carryOut(_ command: CommandAPDU) -> NFCAppletStep {
        let isCTAP = versions.ctap2 && command.instructionClass == NFCCTAP.ctapClass
        guard isCTAP || command.instructionClass == NFCCTAP.interindustryClass else { return refuse(.claNotSupported) }
        switch command.instruction {
        case NFCCTAP.Instruction.select where !isCTAP: return select(command)
        case NFCCTAP.Instruction.getResponse where isCTAP: return getResponse(command)
        case NFCCTAP.Instruction.control where isCTAP: return control(command)
        default: return refuse(.insNotSupported)
        }
    }

    /// SELECT (§11.3.3); selecting an unknown application changes nothing.
    private mutating func select(_ command: CommandAPDU) -> NFCAppletStep {
        guard command.parameter1 == NFCCTAP.byName, command.parameter2 == 0 else { return refuse(.incorrectParameters) }
        guard command.data == NFCCTAP.applicationID else { return refuse(.notFound) }
        isSelected = true
        isBusy = false
        let version = versions.u2f ? NFCCTAP.u2fVersion : NFCCTAP.ctap2Version
        return .abandon(fit(ResponseAPDU(Array(version.utf8)), to: command))
    }

    /// NFCCTAP_GETRESPONSE (§11.3.7.2).
    private mutating func getResponse(_ command: CommandAPDU) -> NFCAppletStep {
        guard [0, NFCCTAP.cancel].contains(command.parameter1), command.parameter2 == 0 else {
            return refuse(.incorrectParameters)
        }
        guard isBusy else { return refuse(.conditionsNotSatisfied) }
        return command.parameter1 == NFCCTAP.cancel ? .cancel : .poll
    }

    /// NFCCTAP_CONTROL (§11.3.4): after END CTAP_MSG every command but SELECT is refused.
    private mutating func control(_ command: CommandAPDU) -> NFCAppletStep {
        guard command.parameter1 == NFCCTAP.endMessage, command.parameter2 == 0 else {
            return refuse(.incorrectParameters)
        }
        isSelected = false
        isBusy = false
        return .abandon(ResponseAPDU())
    }

    /// Adds a part to its request (§11.3.6), and starts the request with the last part.
    private mutating func join(_ command: CommandAPDU, isPart: Bool) -> NFCAppletStep {
        let header = [command.instructionClass, command.instruction, command.parameter1, command.parameter2]
        var whole = chain?.header == header ? chain ?? Chain(header: header) : Chain(header: header)
        chain = nil
        if whole.data.count + command.data.count > maximumMessageLength {
            // The refusal answers the last part, so the chain goes on.
            whole.isTooLong = true
            whole.data = []
        }
        if !whole.isTooLong { whole.data += command.data }
        guard !isPart else {
            chain = whole
            return .respond(ResponseAPDU())
        }
        return start(whole, command)
    }

    private mutating func start(_ whole: Chain, _ command: CommandAPDU) -> NFCAppletStep {
        guard command.instruction == NFCCTAP.Instruction.message else {
            guard !whole.isTooLong else { return refuse(.wrongLength) }
            isBusy = true
            var request = command
            request.data = whole.data
            request.isExtended = command.isExtended || whole.data.count > CommandAPDU.maximumShortLength
            return .start(.u2f(request), takesUpdates: false)
        }
        guard command.parameter1 & ~NFCCTAP.supportsGetResponse == 0, command.parameter2 == 0 else {
            return refuse(.incorrectParameters)
        }
        guard !whole.isTooLong else { return .respond(ResponseAPDU([CTAPStatus.requestTooLarge.rawValue])) }
        isBusy = true
        return .start(.ctap(whole.data), takesUpdates: command.parameter1 & NFCCTAP.supportsGetResponse != 0)
    }

    // MARK: Long responses

    /// Returns the part of a response the command has room for, and keeps the rest for GET RESPONSE (§11.3.6).
    ///
    /// A command without Le gets as much as its form allows: some clients omit Le and still expect data.
    private mutating func fit(_ response: ResponseAPDU, to command: CommandAPDU) -> ResponseAPDU {
        let most = command.expectedLength ?? (command.isExtended ? 65536 : 256)
        guard response.data.count > most else {
            rest = []
            return response
        }
        rest = response.data.dropFirst(most)
        restStatus = response.status
        return ResponseAPDU(Array(response.data.prefix(most)), .moreData(UInt8(exactly: rest.count) ?? 0))
    }

    private mutating func nextPiece(for command: CommandAPDU) -> ResponseAPDU {
        chain = nil
        guard isSelected else { return ResponseAPDU([], .insNotSupported) }
        guard command.parameter1 == 0, command.parameter2 == 0 else { return ResponseAPDU([], .incorrectParameters) }
        guard !rest.isEmpty else { return ResponseAPDU([], .conditionsNotSatisfied) }
        return fit(ResponseAPDU(Array(rest), restStatus), to: command)
    }
}
