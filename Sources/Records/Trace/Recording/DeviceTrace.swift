package import CTAP
internal import PlatformErrors
internal import SimulatedDevice
internal import Synchronization
package import VirtualAuthenticator

/// The trace of one device.
package struct DeviceTrace: Sendable {
    package let name: String

    private let recorder: TraceRecorder
    private let vocabulary: PlatformErrorVocabulary?
    private let now: @Sendable () -> Duration
    private let powerCycles = PowerCycleCount()

    init(
        recorder: TraceRecorder, name: String, vocabulary: PlatformErrorVocabulary?,
        now: @escaping @Sendable () -> Duration
    ) {
        (self.recorder, self.name, self.vocabulary, self.now) = (recorder, name, vocabulary, now)
    }

    /// Wraps a device so that its messages are recorded.
    package func traced(_ device: some CTAPDevice) -> any CTAPDevice {
        InterceptedDevice(
            device,
            aroundPowerCycle: { cycle in
                powerCycles.add()
                let call = TracedCall(exchange: nil, request: [], beganAt: .zero)
                await TracedCall.$current.withValue(call) { await cycle() }
                // A simulated device records it in its own events.
                if !call.hasPowerCycled { emit { .powerCycle } }
            },
            answer: { (device, message, onKeepalive) async throws(CTAPDeviceError) in
                let call = began(message)
                return try await during(call) { () async throws(CTAPDeviceError) in
                    try await device.transceive(message) { status in
                        keepalive(status, during: call)
                        onKeepalive(status)
                    }
                }
            })
    }

    /// Wraps a U2F responder so that its messages are recorded; transports carry them separately (CTAPHID_MSG).
    package func tracedU2F(
        _ answer: @escaping @Sendable ([UInt8]) async throws(CTAPDeviceError) -> [UInt8]
    ) -> @Sendable ([UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        { (message: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] in
            try await during(began(message, isU2F: true)) { () async throws(CTAPDeviceError) in
                try await answer(message)
            }
        }
    }

    /// Records exchanges that another client, such as a library, runs.
    package func follower() -> TraceFollower { TraceFollower(self) }

    /// Records an event of a simulated device; meant for the `record` of its environment.
    ///
    /// Requests and answers are recorded by the traced device. An answer's refusal comes from the event, since the wire
    /// does not carry it.
    package func note(_ event: AuthenticatorEvent) {
        let call = TracedCall.current
        switch event.kind {
        case .request: break
        case .answer(_, _, let refusal): call?.refused(refusal.map { ($0, event) })
        case .powerCycled:
            powerCycles.add()
            call?.powerCycled()
            emit(at: event.at) { .powerCycle }
        default:
            emit(of: call, at: event.at) { [vocabulary] in
                let description = EventDescription(event, in: vocabulary)
                return .event(
                    TraceEvent(
                        kind: description.kind, text: description.text, cause: description.cause,
                        platformErrors: description.platformErrors))
            }
        }
    }

    // MARK: Records of a traced device

    func began(_ message: [UInt8], isU2F: Bool = false) -> TracedCall {
        let call = TracedCall(
            exchange: recorder.nextExchange(), request: message, isU2F: isU2F, beganAt: now(),
            powerCycles: powerCycles.count)
        emit(of: call, at: call.beganAt) {
            .request(isU2F ? U2FDecoder.request(message) : MessageDecoder.request(message))
        }
        return call
    }

    /// Runs a call, and records its cancellation and its end.
    func during(
        _ call: TracedCall, _ answer: () async throws(CTAPDeviceError) -> [UInt8]
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let result = await withTaskCancellationHandler {
            await TracedCall.$current.withValue(call) { () async -> Result<[UInt8], CTAPDeviceError> in
                do throws(CTAPDeviceError) {
                    return .success(try await answer())
                } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            // A loss of power ends the call without a word of the client.
            if powerCycles.count == call.powerCycles { emit(of: call) { .cancel } }
        }
        let isCut = powerCycles.count != call.powerCycles
        ended(call, isCut ? .failure(.disconnected("the device lost its power")) : result)
        return try result.get()
    }

    func keepalive(_ status: KeepaliveStatus, during call: TracedCall) {
        // Transports repeat keepalives; only a change is recorded.
        guard call.isChange(status) else { return }
        emit(of: call) { .keepalive(status) }
    }

    func ended(_ call: TracedCall, _ result: Result<[UInt8], CTAPDeviceError>) {
        let time = now()
        let duration = time - call.beganAt
        let refusal = call.refusal
        emit(of: call, at: time) { [vocabulary] in
            switch result {
            case .success(let bytes) where call.isU2F:
                let (word, message) = U2FDecoder.response(bytes, to: call.request)
                return .response(TraceResponse(status: nil, statusWord: word, duration: duration, message: message))
            case .success(let bytes):
                let (status, message) = MessageDecoder.response(bytes, to: call.request)
                let description = refusal.map { EventDescription($0.event, in: vocabulary) }
                return .response(
                    TraceResponse(
                        status: status, duration: duration, reason: refusal?.refusal.reason.label,
                        clause: refusal?.refusal.reason.clause, detail: refusal?.refusal.detail,
                        cause: description?.cause, platformErrors: description?.platformErrors, message: message))
            case .failure(let error): return .failure(TraceFailure(error, duration: duration))
            }
        }
    }

    func emit(
        of call: TracedCall? = nil, at time: Duration? = nil, _ content: @escaping @Sendable () -> TraceRecord.Content
    ) {
        let time = time ?? now()
        let exchange = call?.exchange
        recorder.emit { [name] in TraceRecord(at: time, device: name, exchange: exchange, content: content()) }
    }
}

/// The number of power cycles that a trace has seen.
private final class PowerCycleCount: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock(\.self) }

    func add() { state.withLock { $0 += 1 } }
}
