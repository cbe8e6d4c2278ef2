internal import SimulatedDevice
internal import Synchronization

/// The user's acts that prompts ignored, since the device's start or since the plan was last forgotten.
final class IgnoredActs: Sendable {
    private static let capacity = 500

    private let state = Mutex<[IgnoredAct]>([])

    var all: [IgnoredAct] { state.withLock { $0 } }

    func add(_ act: IgnoredAct) {
        state.withLock { acts in
            if acts.count < Self.capacity { acts.append(act) }
        }
    }

    func forget() { state.withLock { $0 = [] } }
}
