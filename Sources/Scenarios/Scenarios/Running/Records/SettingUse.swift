internal import Biometrics
internal import DeviceActs
internal import Providers
internal import RelyingPartyServer
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator

/// The settings that a run's steps change, such as an outage or a delay, and those that were used.
final class SettingUse: Sendable {
    /// A setting by the part of the run that it belongs to.
    enum Setting: Hashable, Sendable {
        case service(ServiceSettings.Effect)
        case server(ServerTrouble.Effect)
        /// The requests that the server is to fail.
        case failures
        case app(AppPlan.Key)
        case device(String, DeviceSetting)
    }

    /// A setting that a step or an act during its prompt changes.
    struct Change {
        let setting: Setting
        let line: Int
        /// The word of the step or of the act.
        let word: String
        /// Whether the run must use it: it gets another value than its default, which no expectation shows.
        let needsUse: Bool
        /// The number of uses that it asks for.
        var uses = 1
        /// Whether it changes during the step, which can then use it.
        var isDuringStep = false
    }

    private struct Changed {
        let change: Change
        let step: Int
        var uses = 0
        /// The line that changes the setting again; nil until the end of the run.
        var end: Int?
    }

    private let changes = Mutex<[Changed]>([])
    /// The settings that changed an answer in the run, also those of the file's keys.
    private let met = Mutex<Set<Setting>>([])
    private let observed: Set<String>

    /// - Parameter observed: the devices whose network matters beyond their own steps.
    init(observed: Set<String>) { self.observed = observed }

    /// Notes the settings that were met in a step, and those that it changes.
    ///
    /// - Parameter events: the events of the step's device.
    func note(_ step: ScenarioStep, number: Int, events: [AuthenticatorEvent], on stage: Stage) {
        let met = stage.takeSettingEffects().union(step.met(by: events))
        met.forEach(note)
        let changed = step.settings
        let failuresLeft = stage.ownSite?.conditions.current.failingRequests ?? 0
        changes.withLock { changes in
            for index in changes.indices where changes[index].end == nil {
                let setting = changes[index].change.setting
                let end = changed.first { $0.setting == setting }
                if case .failures = setting {
                    if end == nil { changes[index].uses = changes[index].change.uses - failuresLeft }
                } else if met.contains(setting) || setting.isUsed(by: step, observed: observed) {
                    changes[index].uses = changes[index].change.uses
                }
                changes[index].end = end?.line
            }
            changes += changed.filter(\.needsUse).map { change in
                let isMet = change.isDuringStep && met.contains(change.setting)
                return Changed(change: change, step: number, uses: isMet ? change.uses : 0)
            }
        }
    }

    /// Notes that a setting changed an answer.
    func note(_ setting: Setting) { met.withLock { _ = $0.insert(setting) } }

    func isMet(_ setting: Setting) -> Bool { met.withLock { $0.contains(setting) } }

    /// The settings that nothing met, by the number of their step.
    var mismatches: [Int: [Mismatch]] {
        let unmet = changes.withLock { $0 }.filter { $0.uses < $0.change.uses }
        return Dictionary(grouping: unmet, by: \.step).mapValues { changes in
            changes.map { changed in
                Mismatch(
                    line: changed.change.line, subject: changed.change.word, expected: changed.change.words,
                    seen: (changed.uses == 0 ? "none" : "\(changed.uses)") + " until "
                        + (changed.end.map { "line \($0) changes it" } ?? "the end of the run"))
            }
        }
    }
}
