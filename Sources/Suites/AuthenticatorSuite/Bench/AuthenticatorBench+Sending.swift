package import CBOR
package import CTAP
internal import CTAPHID
internal import Conformance
internal import Synchronization
internal import Trace

extension AuthenticatorBench {
    /// Sends a message and notes the exchange.
    ///
    /// - Parameter cancelling: whether the request is cancelled when the authenticator waits for the user.
    /// - Throws: `CTAPDeviceError` when there is no answer.
    package func send(_ message: [UInt8], cancelling: Bool = false) async throws -> AuthenticatorAnswer {
        if let command = message.first.map(CTAPCommand.init), Self.changesInfo.contains(command) {
            state.withLock { $0.isInfoStale = true }
        }
        let command = message.first.map(CTAPCommand.init)
        if let command, let words = state.withLock({ $0.silence(of: command) }) { throw CaseStop.blocked(words) }
        if cancelling {
            guard link.tellsOfWaiting else {
                throw CaseStop.notApplicable(
                    "the platform ends the connection over this transport, and sends no cancel")
            }
            try await userWaits()
        }
        let comparison = settings.comparison
        let needsPerson = state.withLock { $0.needsPerson }
        let cancels = cancelling || (comparison != nil && !needsPerson)
        let recorder = recorder
        let keepalives = Mutex<[KeepaliveStatus]>([])
        let isSlow = Atomic(false)
        let isTouchWithheld = state.withLock(\.isTouchWithheld)
        let touch = Mutex<Task<Void, any Error>?>(nil)
        defer { state.withLock { $0.isTouchWithheld = false } }
        let device = state.withLock(\.route) ?? link.device
        let now: @Sendable () -> Duration = comparison?.now ?? Self.timeSinceStart
        let began = now()
        let bytes: [UInt8]
        do {
            let onKeepalive: @Sendable (KeepaliveStatus) -> Void = { status in
                let isNew = keepalives.withLock { noted in
                    guard noted.last != status else { return false }
                    noted.append(status)
                    return true
                }
                if isNew, status == .userPresenceNeeded, !cancels {
                    touch.withLock { $0 = $0 ?? self.askForTouch() }
                }
                if needsPerson { comparison?.onKeepalive(status) }
                if status == .processing, now() - began > Self.longProcessing,
                    isSlow.exchange(true, ordering: .relaxed) == false
                {
                    self.settings.instruct(
                        "the authenticator still processes the request after \(Self.longProcessing.components.seconds) seconds"
                    )
                }
            }
            bytes = try await repeatingOnce { () async throws(CTAPDeviceError) in
                try await device.transceive(message, cancellingAtTouch: cancels, onKeepalive: onKeepalive)
            }
        } catch {
            recorder?.record(CaseExchange(sent: ExchangeText.request(message), received: ["no answer: \(error)"]))
            comparison?.onExchange(DeviceAnswers.Exchange(message: message, answer: .failure(error)))
            try await endTouch(touch.withLock(\.self))
            if case .timedOut = error, settings.answerLimit < CTAPHIDClient.exchangeLimit,
                !keepalives.withLock(\.isEmpty)
            {
                // The key may answer later, at the end of its own time for a touch.
                let reason =
                    "the key did not answer within the run's limit of \(settings.answerLimit.components.seconds) seconds"
                state.withLock { $0.lateAnswer = reason }
                throw CaseStop.blocked(reason)
            }
            if case .timedOut = error { state.withLock { $0.unanswered = command } }
            throw error
        }
        try await endTouch(touch.withLock(\.self))
        let answer = AuthenticatorAnswer(
            bytes, to: message.first.map(CTAPCommand.init), keepalives: keepalives.withLock { $0 },
            duration: now() - began)
        recorder?.record(
            CaseExchange(
                sent: ExchangeText.request(message), received: ExchangeText.response(bytes, to: message)))
        if answer.status == .userActionTimeout, answer.askedForUser, !isTouchWithheld, !isSimulated, comparison == nil {
            throw CaseStop.blocked("the key got no touch in time; touch it when it asks, and run the case again")
        }
        let isFirst = state.withLock { state in
            defer { state.isFresh = false }
            return state.isFresh
        }
        // Platforms send getInfo first. Only state.firstCommand judges this refusal.
        if isFirst, answer.status == .invalidCommand, try await renewInfo() == .ok {
            state.withLock { $0.isTouchWithheld = isTouchWithheld }
            let second = try await send(message, cancelling: cancelling)
            if second.status != .invalidCommand { state.withLock { $0.needsInfoFirst = true } }
            return second
        }
        if needsPerson { comparison?.onKeepalive(.processing) }
        // Messages that tidy up do not belong to a case.
        if recorder != nil {
            comparison?.onExchange(DeviceAnswers.Exchange(message: message, answer: .success(answer)))
        }
        return answer
    }

    /// Sends a message, and sends it again after ERR_MSG_TIMEOUT: a busy machine may be slower than the device waits
    /// (CTAP 2.3 §11.2.5.2).
    private func repeatingOnce(
        _ send: () async throws(CTAPDeviceError) -> [UInt8]
    ) async throws(CTAPDeviceError) -> [UInt8] {
        do { return try await send() } catch .messageTimeout { return try await send() }
    }

    /// Sends a command with its parameters in canonical form.
    package func send(
        _ command: CTAPCommand, _ parameters: CBOR.Map? = nil, cancelling: Bool = false
    ) async throws -> AuthenticatorAnswer {
        let answer = try await send(
            [command.rawValue] + (parameters.map { CBOR.encode(.map($0)) } ?? []), cancelling: cancelling)
        if answer.status == .ok {
            state.withLock { _ = $0.acceptedRequests.insert(RequestKind(command, parameters)) }
        }
        return answer
    }

    /// Sends a U2F message, and returns the answer with its status word.
    ///
    /// - Throws: `CaseStop` where the transport carries none, `CTAPDeviceError` when there is no answer.
    package func sendU2F(_ apdu: [UInt8]) async throws -> ResponseAPDU {
        guard let u2f = link.u2f else { throw CaseStop.notRun("this transport carries no U2F messages") }
        defer { state.withLock { $0.isTouchWithheld = false } }
        let send: @Sendable () async throws -> [UInt8] = {
            try await self.repeatingOnce { () async throws(CTAPDeviceError) in try await u2f.answerU2F(apdu) }
        }
        let first = try await send()
        let bytes: [UInt8]
        // A key of U2F refuses at once while it is not touched; the platform sends the message again.
        if ResponseAPDU(parsing: first)?.status == .conditionsNotSatisfied, let touch = askForMachineTouch() {
            bytes = try await touched(by: touch, send)
        } else {
            bytes = first
        }
        recorder?.record(
            CaseExchange(sent: ExchangeText.u2fRequest(apdu), received: ExchangeText.u2fResponse(bytes, to: apdu)))
        guard let answer = ResponseAPDU(parsing: bytes) else {
            throw CTAPDeviceError.protocolViolation("a U2F answer of \(bytes.count) bytes has no status word")
        }
        return answer
    }

    /// The device as clients of this package use it; its exchanges are noted.
    package var device: any CTAPDevice {
        link.device.replaced { message async throws(CTAPDeviceError) in
            do {
                return try await self.send(message).bytes
            } catch let error as CTAPDeviceError {
                throw error
            } catch {
                throw .protocolViolation("\(error)")
            }
        }
    }

    package var client: AuthenticatorClient { AuthenticatorClient(device) }

    private static let start = ContinuousClock.now

    private static func timeSinceStart() -> Duration { ContinuousClock.now - start }

    /// A processing time after which the user is told that the run goes on.
    private static let longProcessing = Duration.seconds(10)

    /// The commands after which getInfo may say something else.
    private static let changesInfo: Set<CTAPCommand> = [
        .clientPIN, .reset, .config, .bioEnrollment, .bioEnrollmentPreview,
    ]
}
