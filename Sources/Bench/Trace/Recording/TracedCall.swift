internal import CTAP
internal import SimulatedDevice
internal import Synchronization

/// One call into a traced device, while it runs.
///
/// It travels as a task-local value: what a simulated device records on the way belongs to the call whose task it is,
/// however many clients there are.
final class TracedCall: Sendable {
    @TaskLocal static var current: TracedCall?

    /// The exchange's number; nil for a power cycle.
    let exchange: Int?
    let request: [UInt8]
    /// Whether the messages are U2F rather than CTAP2.
    let isU2F: Bool
    let beganAt: Duration

    private struct State {
        var keepalive: KeepaliveStatus?
        var refusal: Refusal?
        var refusalDescription: EventDescription?
        var hasPowerCycled = false
    }

    private let state = Mutex(State())

    init(exchange: Int?, request: [UInt8], isU2F: Bool = false, beganAt: Duration) {
        self.isU2F = isU2F
        self.exchange = exchange
        self.request = request
        self.beganAt = beganAt
    }

    /// Why the device refused, when it is one that tells.
    var refusal: Refusal? { state.withLock { $0.refusal } }

    /// The same in words, with its cause and its platform errors.
    var refusalDescription: EventDescription? { state.withLock { $0.refusalDescription } }

    /// Whether the device itself has told of a power cycle.
    var hasPowerCycled: Bool { state.withLock { $0.hasPowerCycled } }

    func refused(_ refusal: Refusal?, _ description: EventDescription?) {
        state.withLock { state in
            state.refusal = refusal
            state.refusalDescription = description
        }
    }

    func powerCycled() {
        state.withLock { $0.hasPowerCycled = true }
    }

    /// Whether this status differs from the one before.
    func isNews(_ status: KeepaliveStatus) -> Bool {
        state.withLock { state in
            defer { state.keepalive = status }
            return state.keepalive != status
        }
    }
}
