internal import CTAP

/// A state in which the user or an administrator puts a key, and which changes its answers.
enum SetUpState: CaseIterable {
    case pin
    case alwaysUv
    case verification
    case retries

    /// A device's state in words; nil for a device that cannot be in it.
    func words(_ answers: DeviceAnswers) -> String? {
        guard let info = answers.info else { return nil }
        switch self {
        case .pin: return info.option(.clientPin).map { $0 ? "a PIN" : "no PIN" }
        case .alwaysUv: return info.option(.alwaysUv).map { $0 ? "alwaysUv on" : "alwaysUv off" }
        case .verification: return info.option(.uv).map { $0 ? "an enrolled user" : "no enrolled user" }
        case .retries:
            let counts = [("PIN", "pinRetries"), ("sensor", "uvRetries")].compactMap { name, member in
                answers.retries[member].flatMap { $0 }.map { "\($0) \(name) retries" }
            }
            return counts.isEmpty ? nil : counts.joined(separator: " and ")
        }
    }

    /// The statuses by which a device answers because of the state (CTAP 2.3 §6.1.2, §6.2.2, §6.5.5, §6.7, §8.2).
    var statuses: Set<CTAPStatus> {
        switch self {
        case .pin: [.pinNotSet, .puatRequired, .pinInvalid, .pinAuthInvalid, .operationDenied]
        case .alwaysUv: [.puatRequired, .pinNotSet, .operationDenied]
        case .verification: [.puatRequired, .uvInvalid, .uvBlocked, .notAllowed, .invalidOption]
        case .retries: [.pinAuthBlocked, .pinBlocked, .uvBlocked]
        }
    }

    /// The step that puts the devices in the same state.
    var remedy: String {
        switch self {
        case .pin: "set a PIN with `touchstone keys pin set`"
        case .alwaysUv: "change one with `touchstone keys config toggle-always-uv`"
        case .verification: "enrol the user, with `touchstone keys fingerprints enrol`"
        case .retries: "enter the right PIN, after a power cycle"
        }
    }
}

extension DeviceComparison {
    /// A state in which the devices differ, for which some of their answers are not comparable.
    package struct StateDifference: Encodable, Hashable, Sendable {
        /// Each device's state in words, in the order of the devices.
        package let values: [String]
        /// The step that puts the devices in the same state.
        package let remedy: String
    }

    /// The states in which the devices differ.
    static func differingStates(_ answers: [DeviceAnswers]) -> [SetUpState] {
        SetUpState.allCases.filter { state in
            let words = answers.map(state.words)
            return words.allSatisfy { $0 != nil } && Set(words).count > 1
        }
    }
}
