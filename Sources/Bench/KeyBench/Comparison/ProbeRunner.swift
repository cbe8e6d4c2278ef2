internal import CBOR
internal import COSE
package import CTAP
internal import Synchronization
internal import WebAuthn

/// Sends a set of probes to one device.
package struct ProbeRunner: Sendable {
    /// The device failed during a probe.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// The probe at which it failed.
        package let probe: String
        package let error: CTAPDeviceError

        package var description: String { "\(error), at \(probe)" }
    }

    let touching: Bool
    let now: @Sendable () -> Duration
    let onKeepalive: @Sendable (KeepaliveStatus) -> Void
    let onProbe: @Sendable (Probe) -> Void

    /// - Parameters:
    ///   - touching: whether to send the probes that wait for a touch.
    ///   - now: the clock that measures durations.
    ///   - onKeepalive: is called when the device waits for the user.
    ///   - onProbe: is called with each probe before it is sent.
    package init(
        touching: Bool = false, now: @escaping @Sendable () -> Duration,
        onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void = { _ in },
        onProbe: @escaping @Sendable (Probe) -> Void = { _ in }
    ) {
        self.touching = touching
        self.now = now
        self.onKeepalive = onKeepalive
        self.onProbe = onProbe
    }

    /// Sends every probe to a device.
    ///
    /// - Throws: ``Failure`` when it disconnects or does not answer, or the calling task is cancelled. A request that
    ///   its transport refuses is an answer.
    package func run(on device: any CTAPDevice) async throws(Failure) -> DeviceAnswers {
        var context = Probe.Context()
        var results: [ProbeResult] = []
        for probe in ProbeCatalogue.probes(touching: touching) {
            onProbe(probe)
            let result: ProbeResult
            do throws(CTAPDeviceError) {
                result = try await send(probe, to: device, context)
            } catch {
                throw Failure(probe: probe.name, error: error)
            }
            // The answer to a cancelled request is not comparable.
            guard !Task.isCancelled else {
                throw Failure(probe: probe.name, error: .disconnected("the comparison was cancelled"))
            }
            learn(from: result, &context)
            results.append(result)
        }
        return DeviceAnswers(results: results)
    }

    private func send(
        _ probe: Probe, to device: any CTAPDevice, _ context: Probe.Context
    ) async throws(CTAPDeviceError) -> ProbeResult {
        var (answers, durations): ([ProbeAnswer], [Duration]) = ([], [])
        var sent: [UInt8] = []
        switch probe.request(context) {
        case .nothing(let reason): answers = [.notSent(reason)]
        case .message(let message):
            sent = message
            for _ in 0..<probe.repetitions {
                let began = now()
                let answer = try await exchange(message, with: device, mayAsk: probe.needsTouch)
                durations.append(now() - began)
                answers.append(answer)
                // A request that asks the user is not repeated.
                guard case .answer = answer else { break }
            }
        }
        return ProbeResult(
            probe: probe, message: sent, answers: answers, durations: durations, credential: context.credential)
    }

    /// Sends one request, and cancels it when the device waits for a touch that it should not need.
    private func exchange(
        _ message: [UInt8], with device: any CTAPDevice, mayAsk: Bool
    ) async throws(CTAPDeviceError) -> ProbeAnswer {
        let wait = Wait()
        let task = Task { () -> Result<[UInt8], CTAPDeviceError> in
            do throws(CTAPDeviceError) {
                return .success(
                    try await device.transceive(message) { status in
                        if mayAsk { return onKeepalive(status) }
                        if status == .userPresenceNeeded { wait.cancel() }
                    })
            } catch {
                return .failure(error)
            }
        }
        wait.belongs(to: task)
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if mayAsk { onKeepalive(.processing) }
        switch result {
        case .success where wait.isCancelled: return .askedForTouch
        case .success(let bytes): return .answer(bytes)
        case .failure(.protocolViolation(let detail)): return .transportError(detail)
        case .failure(let error): throw error
        }
    }

    /// Keeps what later probes need.
    private func learn(from result: ProbeResult, _ context: inout Probe.Context) {
        guard let body = result.answers.first?.body else { return }
        switch result.probe.reading {
        case .information: context.info = try? AuthenticatorInfo(cbor: body)
        case .credential:
            guard let response = try? MakeCredentialResponse(cbor: body),
                let data = try? AuthenticatorData(parsing: response.authenticatorData),
                let made = data.attestedCredentialData,
                let key = try? COSE.PublicKey(cbor: made.credentialPublicKey)
            else { return }
            context.credential = Probe.MadeCredential(id: made.credentialID, publicKey: key)
        default: break
        }
    }
}

/// A request that its own keepalive may cancel before its task is known.
private final class Wait: Sendable {
    private let state = Mutex<(isCancelled: Bool, cancel: (@Sendable () -> Void)?)>((false, nil))

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func belongs(to task: Task<Result<[UInt8], CTAPDeviceError>, Never>) {
        let isLate = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.isCancelled
        }
        if isLate { task.cancel() }
    }

    func cancel() {
        let cancel = state.withLock { state in
            state.isCancelled = true
            return state.cancel
        }
        cancel?()
    }
}
