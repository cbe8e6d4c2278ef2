internal import CTAP

/// Sends commands of any length to a card, and assembles responses of any length (CTAP 2.3 §11.3.6).
///
/// ``NFCClient`` runs one exchange at a time.
actor APDUExchange {
    /// The longest response accepted, well above any CTAP message.
    private static let longestResponse = 131_072

    /// The status words of a card or reader that does not support this form of command.
    private static let formRefusals: Set<StatusWord> = [
        .wrongLength, .lastCommandExpected, .commandChainingNotSupported, .insNotSupported, .claNotSupported,
    ]

    private let channel: any APDUChannel
    private var lengths: NFCClient.Configuration.Lengths
    private var hasChanged = false

    init(_ channel: any APDUChannel, _ lengths: NFCClient.Configuration.Lengths) {
        self.channel = channel
        self.lengths = lengths
    }

    func send(_ command: CommandAPDU) async throws(CTAPDeviceError) -> ResponseAPDU {
        guard command.data.count <= CommandAPDU.maximumExtendedLength else {
            throw .protocolViolation("a message of \(command.data.count) bytes does not fit a command")
        }
        let response = try await send(command, lengths)
        // A command that fits the short form is the same in both encodings.
        let isLong = command.data.count > CommandAPDU.maximumShortLength
        guard isLong, !hasChanged, Self.formRefusals.contains(response.status) else { return response }
        let other: NFCClient.Configuration.Lengths = lengths == .short ? .extended : .short
        let second = try await send(command, other)
        if !Self.formRefusals.contains(second.status) {
            lengths = other
            hasChanged = true
        }
        return second
    }

    private func send(
        _ command: CommandAPDU, _ lengths: NFCClient.Configuration.Lengths
    ) async throws(CTAPDeviceError) -> ResponseAPDU {
        let isLong = command.data.count > CommandAPDU.maximumShortLength
        var command = command
        command.isExtended = isLong && lengths == .extended
        command.expectedLength = command.expectedLength.map { _ in command.isExtended ? 65536 : 256 }
        if isLong, lengths == .short {
            while command.data.count > CommandAPDU.maximumShortLength {
                var part = command
                part.instructionClass |= NFCCTAP.chainingBit
                part.data = Array(command.data.prefix(CommandAPDU.maximumShortLength))
                part.expectedLength = nil
                command.data.removeFirst(CommandAPDU.maximumShortLength)
                let response = try await transmit(part)
                guard response.status == .noError else { return response }
            }
        }
        return try await collect(try await transmit(command))
    }

    private func collect(_ first: ResponseAPDU) async throws(CTAPDeviceError) -> ResponseAPDU {
        var response = first
        while let count = response.status.moreDataCount {
            let next = try await transmit(
                CommandAPDU(
                    class: NFCCTAP.interindustryClass, instruction: NFCCTAP.Instruction.interindustryGetResponse,
                    expectedLength: count))
            guard next.status == .noError || next.status.moreDataCount != nil else {
                throw .protocolViolation("the card answered GET RESPONSE with \(next.status)")
            }
            guard !next.data.isEmpty else {
                throw .protocolViolation("the card announced more bytes (\(count)) and sent none")
            }
            response = ResponseAPDU(response.data + next.data, next.status)
            guard response.data.count <= Self.longestResponse else {
                throw .protocolViolation("a response that does not end after \(response.data.count) bytes")
            }
        }
        return response
    }

    private func transmit(_ command: CommandAPDU) async throws(CTAPDeviceError) -> ResponseAPDU {
        let answer = try await channel.transmit(command.encoded)
        guard let response = ResponseAPDU(parsing: answer) else {
            throw .protocolViolation(
                "a response with \(answer.isEmpty ? "no bytes" : "1 byte"), too short for a status word")
        }
        return response
    }
}
