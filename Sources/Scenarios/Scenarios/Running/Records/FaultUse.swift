internal import DeviceActs
internal import Faults
internal import Synchronization
internal import VirtualAuthenticator

/// The faults that a run's steps arm, and those that changed an answer.
final class FaultUse: Sendable {
    private struct Armed {
        let step: Int
        let line: Int
        let device: String
        let fault: Fault
        var isUsed = false
    }

    private let faults = Mutex<[Armed]>([])

    /// Notes the faults that a step arms, and the events of its device afterwards.
    func note(_ step: ScenarioStep, number: Int, events: [AuthenticatorEvent]) {
        guard let device = step.device else { return }
        var armed = step.interruptions.compactMap { interruption in
            interruption.act.fault.map { (interruption.line, $0) }
        }
        if case .device(.act(let act)) = step.action, let fault = act.fault { armed.append((step.line, fault)) }
        let applied = Set(
            events.compactMap { event in if case .faultApplied(let name) = event.kind { name } else { nil } })
        faults.withLock { faults in
            faults += armed.map { Armed(step: number, line: $0, device: device, fault: $1) }
            for index in faults.indices where faults[index].device == device {
                if applied.contains(faults[index].fault.nameInEvents) { faults[index].isUsed = true }
            }
        }
    }

    /// The faults that changed no answer, by the number of their step.
    var mismatches: [Int: [Mismatch]] {
        let unused = faults.withLock { $0 }.filter { !$0.isUsed }
        return Dictionary(grouping: unused, by: \.step).mapValues { faults in
            faults.map { armed in
                Mismatch(
                    line: armed.line, subject: "fault", expected: "an answer that \(armed.fault.spelling) changes",
                    seen: "none until the end of the run")
            }
        }
    }
}
