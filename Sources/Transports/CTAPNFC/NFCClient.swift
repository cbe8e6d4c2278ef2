package import CTAP

/// The reader's side of CTAP over NFC: a card behind an ``APDUChannel`` as a ``CTAPDevice`` (CTAP 2.3 §11.3).
///
/// ```swift
/// let client = try await NFCClient.select(over: channel)
/// let answer = try await client.transceive([0x04])
/// ```
///
/// Requests of several tasks are sent one after the other. Cancelling a task cancels its request with the card's next
/// status update; a card that sends none cannot be interrupted.
package actor NFCClient: CTAPDevice, U2FDevice {
    package struct Configuration: Sendable {
        /// The encodings of requests of more than 255 bytes.
        package enum Lengths: String, Hashable, Sendable, CaseIterable {
            /// A chain of short commands (§11.3.6), which every reader supports.
            case short
            case extended
        }

        /// The encoding tried first; a card that refuses it gets the other.
        package var lengths = Lengths.short
        /// Whether the card may send status updates (NFCCTAP_GETRESPONSE).
        package var takesUpdates = true
        /// The time between two polls of a working card.
        package var pollInterval = Duration.milliseconds(100)
        /// The number of polls after a cancel before the request times out.
        package var pollsAfterCancel = 50

        package init() {}
    }

    /// The version in the card's answer to SELECT: `U2F_V2` or `FIDO_2_0`.
    package private(set) var version = ""

    /// Whether the card has CTAP1/U2F; only getInfo tells whether it also has CTAP2 (§11.3.3).
    package var supportsU2F: Bool { version == NFCCTAP.u2fVersion }

    private let exchange: APDUExchange
    private let configuration: Configuration
    private let sleep: @Sendable (Duration) async throws -> Void
    private var isBusy = false
    private var queue: [CheckedContinuation<Void, Never>] = []

    private init(
        _ exchange: APDUExchange, _ configuration: Configuration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.exchange = exchange
        self.configuration = configuration
        self.sleep = sleep
    }

    /// Selects the FIDO application of the card.
    ///
    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` without a card or without the application on it,
    ///   ``CTAPDeviceError/protocolViolation(_:)`` for an unexpected answer.
    package static func select(
        over channel: any APDUChannel, configuration: Configuration = Configuration(),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(CTAPDeviceError) -> NFCClient {
        let client = NFCClient(APDUExchange(channel, configuration.lengths), configuration) {
            try await clock.sleep(for: $0)
        }
        try await client.select()
        return client
    }

    /// Selects the application again, which abandons the card's running request.
    package func select() async throws(CTAPDeviceError) {
        try await exclusively { () async throws(CTAPDeviceError) in
            let command = CommandAPDU(
                class: NFCCTAP.interindustryClass, instruction: NFCCTAP.Instruction.select,
                parameter1: NFCCTAP.byName, data: NFCCTAP.applicationID, expectedLength: 256)
            let response = try await self.exchange.send(command)
            guard response.status != .notFound else {
                throw .disconnected("the card has no FIDO application (SELECT was answered \(response.status))")
            }
            guard response.status == .noError else { throw Self.refused("SELECT", response.status) }
            let name = String(decoding: response.data, as: UTF8.self)
            guard [NFCCTAP.u2fVersion, NFCCTAP.ctap2Version].contains(name) else {
                throw .protocolViolation("SELECT was answered with a version that is neither U2F_V2 nor FIDO_2_0")
            }
            self.version = name
        }
    }

    /// Ends the session with the card (NFCCTAP_CONTROL END CTAP_MSG, §11.3.4); the next call must be ``select()``.
    package func deselect() async throws(CTAPDeviceError) {
        try await exclusively { () async throws(CTAPDeviceError) in
            let response = try await self.exchange.send(
                CommandAPDU(
                    class: NFCCTAP.ctapClass, instruction: NFCCTAP.Instruction.control,
                    parameter1: NFCCTAP.endMessage))
            guard response.status == .noError else { throw Self.refused("NFCCTAP_CONTROL", response.status) }
        }
    }

    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await exclusively { () async throws(CTAPDeviceError) in
            let response = try await self.outcome(of: message, onKeepalive)
            guard response.status == .noError else { throw Self.refused("NFCCTAP_MSG", response.status) }
            guard !response.data.isEmpty else { throw .protocolViolation("the card answered without a status") }
            return response.data
        }
    }

    /// Sends one U2F message in either length encoding, and returns the response with its status word.
    package func answerU2F(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        var command: CommandAPDU
        do {
            command = try CommandAPDU(parsing: apdu)
        } catch {
            throw .protocolViolation("a U2F message of \(apdu.count) bytes whose lengths contradict each other")
        }
        command.expectedLength = command.expectedLength ?? 256
        return try await exclusively { [command] () async throws(CTAPDeviceError) in
            try await self.exchange.send(command).encoded
        }
    }

    // MARK: The running request

    private func outcome(
        of message: [UInt8], _ onKeepalive: @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> ResponseAPDU {
        var response = try await exchange.send(
            CommandAPDU(
                class: NFCCTAP.ctapClass, instruction: NFCCTAP.Instruction.message,
                parameter1: configuration.takesUpdates ? NFCCTAP.supportsGetResponse : 0, data: message,
                expectedLength: 256))
        var lastStatus: KeepaliveStatus?
        var questionsAfterCancel = 0
        while response.status == .statusUpdate {
            guard let byte = response.data.first else {
                throw .protocolViolation("a status update (9100) without a status")
            }
            // Only a change is reported.
            if let status = KeepaliveStatus(rawValue: byte), status != lastStatus {
                lastStatus = status
                onKeepalive(status)
            }
            // A cancelled task cannot sleep; its first poll follows at once.
            if !Task.isCancelled || questionsAfterCancel > 0 { await pause() }
            if Task.isCancelled { questionsAfterCancel += 1 }
            guard questionsAfterCancel <= configuration.pollsAfterCancel else {
                throw .timedOut("the card did not stop after the request was cancelled")
            }
            response = try await exchange.send(
                CommandAPDU(
                    class: NFCCTAP.ctapClass, instruction: NFCCTAP.Instruction.getResponse,
                    parameter1: questionsAfterCancel == 1 ? NFCCTAP.cancel : 0, expectedLength: 256))
        }
        return response
    }

    /// Waits for the poll interval, even in a cancelled task.
    private func pause() async {
        guard Task.isCancelled else {
            _ = try? await sleep(configuration.pollInterval)
            return
        }
        await Task { [sleep, configuration] in _ = try? await sleep(configuration.pollInterval) }.value
    }

    private func exclusively<Answer: Sendable>(
        _ body: () async throws(CTAPDeviceError) -> Answer
    ) async throws(CTAPDeviceError) -> Answer {
        if isBusy { await withCheckedContinuation { queue.append($0) } }
        isBusy = true
        defer {
            // The next in the queue takes over while `isBusy` stays set.
            if queue.isEmpty { isBusy = false } else { queue.removeFirst().resume() }
        }
        return try await body()
    }

    private static func refused(_ command: String, _ status: StatusWord) -> CTAPDeviceError {
        .protocolViolation("the card answered \(command) with \(status)")
    }
}
