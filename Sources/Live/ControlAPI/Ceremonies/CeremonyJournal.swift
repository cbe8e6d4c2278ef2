internal import Documents
internal import Synchronization

/// The newest ceremonies of all devices, decoded when they are read.
final class CeremonyJournal: Sendable {
    /// A page's request, as far as a reader wants to see it.
    struct Call: Sendable {
        let kind: CeremonyRecord.Kind
        let origin: String?
        let topOrigin: String?
        let relyingPartyID: String?
        let userName: String?

        /// - Parameter body: the request's body; null for a request that came earlier.
        init(_ kind: CeremonyRecord.Kind, _ body: JSONValue = .null) {
            func name(_ origin: JSONValue?) -> String? { origin?["facet"]?.text ?? origin?.text }
            self.kind = kind
            origin = name(body["origin"])
            topOrigin = name(body["topOrigin"])
            let options = body["options"]
            relyingPartyID = options?["rpId"]?.text ?? options?["rp"]?["id"]?.text
            userName = options?["user"]?["name"]?.text
        }
    }

    enum Result: Sendable {
        case success(CeremonyAnswers.Success)
        case failure(CeremonyFailure)
    }

    struct Entry: Sendable {
        let id: Int
        let source: EventJournal.Source
        let call: Call
        let at: Double
        let elapsedSeconds: Double
        let result: Result
    }

    private static let capacity = 500

    private let state = Mutex<(entries: [Entry], lastID: Int)>(([], 0))

    func add(_ call: Call, of source: EventJournal.Source, at time: Double, elapsedSeconds: Double, _ result: Result) {
        state.withLock { state in
            if state.entries.count >= Self.capacity { state.entries.removeFirst(Self.capacity / 10) }
            state.lastID += 1
            state.entries.append(
                Entry(
                    id: state.lastID, source: source, call: call, at: time, elapsedSeconds: elapsedSeconds,
                    result: result))
        }
    }

    /// The newest ceremonies of a device, newest first.
    func newest(_ limit: Int, of source: EventJournal.Source) -> [CeremonyRecord] {
        let entries = state.withLock { $0.entries }
        return entries.reversed().lazy.filter { $0.source == source }.prefix(limit).map(CeremonyRecord.init)
    }
}
