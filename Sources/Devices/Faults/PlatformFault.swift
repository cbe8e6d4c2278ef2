package import CTAP
internal import Synchronization

/// A fault of a phone's or computer's system, which the apps on it meet.
package enum PlatformFault: String, Hashable, Sendable, CaseIterable {
    case keyLostAtReboot = "key-lost-at-reboot"
    case keyStaysClosed = "key-stays-closed"
    case statusUnknown = "biometric-status-unknown"
    case authenticatorsUnsupported = "authenticators-unsupported"

    static let table = allCases.map { FaultRow($0.rawValue, $0.meaning, $0) }

    /// Whether only Android has it.
    package var isOfAndroid: Bool { self == .statusUnknown || self == .authenticatorsUnsupported }

    private var meaning: String {
        switch self {
        case .keyLostAtReboot: "a restart destroys the keys of secure storage that need a verification"
        case .keyStaysClosed: "the prompt matches, but the item or key behind it does not open"
        case .statusUnknown: "canAuthenticate answers BIOMETRIC_STATUS_UNKNOWN (-1); a prompt still opens"
        case .authenticatorsUnsupported:
            "canAuthenticate answers BIOMETRIC_ERROR_UNSUPPORTED (-2), and no prompt opens"
        }
    }
}

/// The armed faults of a device's system.
package final class PlatformFaults: Sendable {
    private let state = Mutex(ArmedFaults<PlatformFault>())
    private let record: @Sendable (PlatformFault) -> Void

    /// - Parameter record: receives each fault that has an effect.
    package init(record: @escaping @Sendable (PlatformFault) -> Void) { self.record = record }

    /// Arms a fault for a number of effects; nil means until ``clear()``.
    package func arm(_ fault: PlatformFault, times: Int? = nil) { state.withLock { $0.arm(fault, times: times) } }

    package func clear() { state.withLock { $0.clear() } }

    package var armed: [ArmedFaults<PlatformFault>.Armed] { state.withLock { $0.all } }

    /// Whether a fault is armed where it has an effect; counts and records it.
    package func strikes(_ fault: PlatformFault) -> Bool {
        guard state.withLock({ !$0.countDown { $0 == fault }.isEmpty }) else { return false }
        record(fault)
        return true
    }
}
