internal import CTAP
internal import Synchronization
internal import VirtualAuthenticator

/// A running call of a traced device.
///
/// It is a task-local value: the events that a simulated device records belong to the call of their task, even with
/// several clients at once.
final class TracedCall: Sendable {
    @TaskLocal static var current: TracedCall?

    /// The exchange's number; nil for a power cycle.
    let exchange: Int?
    let request: [UInt8]
    /// Whether the messages are U2F rather than CTAP2.
    let isU2F: Bool
    let beganAt: Duration
    /// The power cycles of the device before the call.
    let powerCycles: Int

    private struct State {
        var keepalive: KeepaliveStatus?
        var refusal: (refusal: Refusal, event: AuthenticatorEvent)?
        var hasPowerCycled = false
    }

    private let state = Mutex(State())

    init(exchange: Int?, request: [UInt8], isU2F: Bool = false, beganAt: Duration, powerCycles: Int = 0) {
        (self.isU2F, self.exchange, self.request, self.beganAt) = (isU2F, exchange, request, beganAt)
        self.powerCycles = powerCycles
    }

    /// The reason of a refusal and its event, from a simulated device.
    var refusal: (refusal: Refusal, event: AuthenticatorEvent)? { state.withLock { $0.refusal } }

    /// Whether the device recorded a power cycle itself.
    var hasPowerCycled: Bool { state.withLock { $0.hasPowerCycled } }

    func refused(_ refusal: (refusal: Refusal, event: AuthenticatorEvent)?) { state.withLock { $0.refusal = refusal } }

    func powerCycled() { state.withLock { $0.hasPowerCycled = true } }

    /// Whether this status differs from the previous one.
    func isChange(_ status: KeepaliveStatus) -> Bool {
        state.withLock { state in
            defer { state.keepalive = status }
            return state.keepalive != status
        }
    }
}
