internal import Causes
internal import Synchronization

/// The acts on a device since its start, between and during its ceremonies.
final class ActJournal: Sendable {
    private static let capacity = 500

    private let state = Mutex<[ActRecord]>([])

    var records: [ActRecord] { state.withLock { $0 } }

    func add(_ record: ActRecord) {
        state.withLock { records in
            if records.count >= Self.capacity { records.removeFirst(Self.capacity / 10) }
            records.append(record)
        }
    }
}

/// An act on a device, or a change of its clock, as a scenario's step writes it.
struct ActRecord: Codable, Sendable {
    /// The step's word, such as `lock`, `wait` or `set-clock-back`.
    let verb: String
    let arguments: [String: String]
    /// The user's acts at the prompts of an app's act, as in `person` of a scenario.
    let person: [String]
    /// The cause of a refusal; nil for an act that was done.
    let cause: Cause?
    /// The ID of the last ceremony of any device that had ended.
    let afterCeremony: Int
    /// Whether a ceremony of the device was waiting.
    let isDuringCeremony: Bool
}

extension ManagedDevice {
    /// Notes an act that was performed at a place that ``placeOfAct`` has given before it.
    func note(
        _ verb: String, _ arguments: [String: String], after place: (ceremony: Int, isDuring: Bool),
        person: [String] = [], cause: Cause? = nil
    ) {
        acts.add(
            ActRecord(
                verb: verb, arguments: arguments, person: person, cause: cause, afterCeremony: place.ceremony,
                isDuringCeremony: place.isDuring))
    }

    /// The place of an act among the ceremonies.
    var placeOfAct: (ceremony: Int, isDuring: Bool) {
        (ceremonies.lastID, ceremonies.running(of: source) != nil)
    }
}
