package import CTAP
internal import Causes
internal import Synchronization
package import VirtualAuthenticator

/// The armed faults of CTAP messages, which change the answers of a device.
package final class CTAPFaults: Sendable {
    /// The duration of a device's silence in seconds.
    private static let longestSilence = 600

    private let wait: @Sendable (Duration) async -> Void
    private let record: @Sendable (AuthenticatorEvent.Kind) -> Void
    private let state = Mutex(State())

    private struct State {
        var armed = ArmedFaults<CTAPFault>()
        /// The number of times all faults were cleared; clearing ends silences.
        var clearings = 0
    }

    /// - Parameters:
    ///   - wait: lets a span of the device's clock pass; returns early when the task is cancelled.
    ///   - record: receives each fault that has an effect, and the status that it puts in place of the device's.
    package init(
        wait: @escaping @Sendable (Duration) async -> Void,
        record: @escaping @Sendable (AuthenticatorEvent.Kind) -> Void = { _ in }
    ) {
        self.wait = wait
        self.record = record
    }

    /// Arms a fault for a number of answers; nil means until ``clear()``.
    package func arm(_ fault: CTAPFault, times: Int? = nil) { state.withLock { $0.armed.arm(fault, times: times) } }

    /// Disarms every fault and releases the answers that are withheld.
    package func clear() {
        state.withLock { state in
            state.armed.clear()
            state.clearings += 1
        }
    }

    /// The armed faults, with the number of answers each still changes.
    package var armed: [ArmedFaults<CTAPFault>.Armed] { state.withLock { $0.armed.all } }

    /// The device with its answers changed; without armed faults it answers as it does itself.
    package func changing<Device: CTAPDevice>(_ device: Device) -> InterceptedDevice<Device> {
        InterceptedDevice(device) { (device, message, onKeepalive) async throws(CTAPDeviceError) in
            try await self.answer(message, of: device, onKeepalive)
        }
    }

    private func answer(
        _ message: [UInt8], of device: some CTAPDevice, _ onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let (faults, clearings) = take(message)
        if let fault = faults.last, case .refusal(let status) = fault.effect {
            note(fault, status, message)
            return [status.rawValue]
        }
        var answer = try await device.transceive(message, onKeepalive: onKeepalive)
        // Once the faults are cleared, the answer stays unchanged.
        for fault in faults where state.withLock({ $0.clearings }) == clearings {
            switch fault.effect {
            case .change(let change):
                let changed = change(answer)
                guard changed != answer else { continue }
                let status = changed.first == answer.first ? nil : changed.first.map(CTAPStatus.init(rawValue:))
                note(fault, status, message)
                answer = changed
            case .delay(let span):
                await wait(span)
                note(fault, nil, message)
            case .silence:
                note(fault, nil, message)
                try await staySilent(since: clearings)
                // On a real clock the caller cancels long before; a simulated clock advances only here.
                guard !Task.isCancelled else { return [CTAPStatus.keepaliveCancel.rawValue] }
            case .refusal: break
            }
        }
        return answer
    }

    /// Waits until the faults are cleared, or the request is cancelled.
    private func staySilent(since clearings: Int) async throws(CTAPDeviceError) {
        for _ in 0..<Self.longestSilence {
            if Task.isCancelled || state.withLock({ $0.clearings }) != clearings { return }
            await wait(.seconds(1))
        }
        throw .timedOut("the armed fault silent withheld the answer")
    }

    /// Records a fault, and the status that the client gets if it is not the authenticator's.
    private func note(_ fault: CTAPFault, _ status: CTAPStatus?, _ message: [UInt8]) {
        record(.faultApplied(fault.spelling))
        guard let status else { return }
        let refusal = Refusal(status, RefusalReason(fault: Cause(fault.name)))
        record(.answer(CTAPCommand(rawValue: message.first ?? 0), status, status == .ok ? nil : refusal))
    }

    /// Counts a request against the faults that concern it.
    ///
    /// A refusal is the last of them: it ends the request, and the other faults wait for the next one.
    private func take(_ message: [UInt8]) -> (faults: [CTAPFault], clearings: Int) {
        state.withLock { state in
            var isRefused = false
            let faults = state.armed.countDown { fault in
                guard !isRefused, fault.concerns(message) else { return false }
                if case .refusal = fault.effect { isRefused = true }
                return true
            }
            return (faults, state.clearings)
        }
    }
}
