package import CTAP
internal import Causes
internal import Synchronization
package import VirtualAuthenticator

/// A device with faults in its answers.
///
/// Without armed faults it is the device it wraps.
package final class FaultyDevice: CTAPDevice, PowerCyclable {
    private struct Armed {
        let fault: CTAPFault
        var remaining: Int?
    }

    /// The duration of a device's silence in seconds.
    private static let patience = 600

    private let device: any CTAPDevice
    private let wait: @Sendable (Duration) async -> Void
    private let record: @Sendable (AuthenticatorEvent.Kind) -> Void
    private let state = Mutex(State())

    private struct State {
        var faults: [Armed] = []
        /// The number of times all faults were cleared; clearing ends silences.
        var clearings = 0
    }

    /// - Parameters:
    ///   - device: the device whose answers are changed.
    ///   - wait: lets a span of the device's clock pass; returns early when the task is cancelled.
    ///   - record: hears which fault changed an answer, and what the answer says instead.
    package init(
        _ device: any CTAPDevice, wait: @escaping @Sendable (Duration) async -> Void,
        record: @escaping @Sendable (AuthenticatorEvent.Kind) -> Void = { _ in }
    ) {
        self.device = device
        self.wait = wait
        self.record = record
    }

    /// Changes answers from now on.
    ///
    /// - Parameter times: how many answers; nil until ``clear()``.
    package func arm(_ fault: CTAPFault, times: Int? = nil) {
        state.withLock { $0.faults.append(Armed(fault: fault, remaining: times)) }
    }

    /// Passes answers on unchanged again, those that are being withheld included.
    package func clear() {
        state.withLock { state in
            state.faults = []
            state.clearings += 1
        }
    }

    /// The faults that are on, and how many more answers each changes; nil until ``clear()``.
    package var armed: [(fault: CTAPFault, remaining: Int?)] {
        state.withLock { $0.faults.map { ($0.fault, $0.remaining) } }
    }

    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await transceive(message, with: device, onKeepalive: onKeepalive)
    }

    /// The same faults in front of another way to the device.
    package func reaching(_ device: any CTAPDevice & PowerCyclable) -> any CTAPDevice & PowerCyclable {
        FaultyRoute(faults: self, device: device)
    }

    fileprivate func transceive(
        _ message: [UInt8], with device: any CTAPDevice, onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let (faults, clearings) = take(message)
        for fault in faults {
            guard let immediate = fault.immediateAnswer else { continue }
            note(fault, immediate, insteadOf: nil, message)
            return immediate
        }
        var answer = try await device.transceive(message, onKeepalive: onKeepalive)
        for fault in faults {
            // The faults were cleared meanwhile: the answer stays unchanged.
            guard state.withLock({ $0.clearings }) == clearings else { break }
            if case .late(let span) = fault.kind { await wait(span) }
            guard let changed = fault.changed(answer) else {
                // On a real clock the caller cancels long before; a simulated clock advances only here.
                record(.faultApplied(fault.spelling))
                try await staySilent(since: clearings)
                guard !Task.isCancelled else { return [CTAPStatus.keepaliveCancel.rawValue] }
                continue
            }
            note(fault, changed, insteadOf: answer, message)
            answer = changed
        }
        return answer
    }

    /// Waits until the faults are cleared, or the request is cancelled.
    private func staySilent(since clearings: Int) async throws(CTAPDeviceError) {
        for _ in 0..<Self.patience {
            if Task.isCancelled || state.withLock({ $0.clearings }) != clearings { return }
            await wait(.seconds(1))
        }
        throw .timedOut("it stayed silent on purpose (fault silent)")
    }

    /// Tells of a fault, and of the status the client gets where it is not the authenticator's.
    private func note(_ fault: CTAPFault, _ answer: [UInt8], insteadOf honest: [UInt8]?, _ message: [UInt8]) {
        guard answer != honest || fault.isDelay else { return }
        record(.faultApplied(fault.spelling))
        guard let status = answer.first.map(CTAPStatus.init(rawValue:)), status.rawValue != honest?.first else {
            return
        }
        let refusal = Refusal(status, RefusalReason("fault", Cause(fault.name), "on purpose"))
        record(.answer(CTAPCommand(rawValue: message.first ?? 0), status, status == .ok ? nil : refusal))
    }

    private func take(_ message: [UInt8]) -> (faults: [CTAPFault], clearings: Int) {
        state.withLock { state in
            var taken: [CTAPFault] = []
            for index in state.faults.indices where state.faults[index].fault.concerns(message) {
                taken.append(state.faults[index].fault)
                state.faults[index].remaining = state.faults[index].remaining.map { $0 - 1 }
                // The fault ends the request; the other faults wait for the next one.
                if state.faults[index].fault.immediateAnswer != nil { break }
            }
            state.faults.removeAll { $0.remaining.map { $0 <= 0 } ?? false }
            return (taken, state.clearings)
        }
    }

    package func powerCycle() async {
        await (device as? any PowerCyclable)?.powerCycle()
    }
}

private struct FaultyRoute: CTAPDevice, PowerCyclable {
    let faults: FaultyDevice
    let device: any CTAPDevice & PowerCyclable

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await faults.transceive(message, with: device, onKeepalive: onKeepalive)
    }

    func powerCycle() async { await device.powerCycle() }
}
