internal import CTAP
internal import Documents
internal import Synchronization
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// The newest ceremonies of all devices, decoded when they are read.
final class CeremonyJournal: Sendable {
    /// A page's request, as far as a reader wants to see it.
    struct Call: Sendable {
        let kind: CeremonyRecord.Kind
        let origin: String?
        let topOrigin: String?
        let relyingPartyID: String?
        let userName: String?
        /// The options as JSON; nil for a request that came earlier.
        let options: JSONValue?
        /// The accounts of the device's credentials that the options name or allow, when it begins.
        var accounts: [String] = []

        /// - Parameter body: the request's body; null for a request that came earlier.
        init(_ kind: CeremonyRecord.Kind, _ body: JSONValue = .null) {
            func name(_ origin: JSONValue?) -> String? { origin?["facet"]?.text ?? origin?.text }
            self.kind = kind
            origin = name(body["origin"])
            topOrigin = name(body["topOrigin"])
            options = body["options"]
            relyingPartyID = options?["rpId"]?.text ?? options?["rp"]?["id"]?.text
            userName = options?["user"]?["name"]?.text
        }

        /// The accounts of the credentials that a registration excludes, or that a request for a passkey allows.
        func accounts(among kept: [StoredCredential]) -> [String] {
            let list = options?[kind == .create ? "excludeCredentials" : "allowCredentials"]?.array ?? []
            let named = Set(list.compactMap { $0["id"]?.text.flatMap(Base64URL.decode) })
            let host = origin.flatMap { try? Origin(parsing: $0).relyingPartyID(claiming: nil) }
            guard let party = relyingPartyID ?? host else { return [] }
            return kept.filter { credential in
                credential.relyingPartyID == party
                    && (named.contains(credential.id) || named.isEmpty && kind != .create && credential.isDiscoverable)
            }.map { $0.user.name ?? $0.user.displayName ?? "" }
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
        /// The user's acts during it, as words.
        let acts: [String]
        /// The name of the error that a browser's page got; nil for a success or another caller.
        var pageError: String?
    }

    private static let capacity = 500

    private struct State {
        var entries: [Entry] = []
        var lastID = 0
        /// The ceremonies that have not ended, in order.
        var running: [Running] = []
        var lastNumber = 0
        /// The ceremonies that wait until given-up ones have ended.
        var waiting: [CheckedContinuation<Void, Never>] = []

        func hasGivenUp(on source: EventJournal.Source) -> Bool {
            running.contains { $0.source == source && $0.isGivenUp }
        }
    }

    private struct Running {
        let number: Int
        let source: EventJournal.Source
        let call: Call
        var isGivenUp = false
    }

    private let state = Mutex(State())

    /// Notes that a ceremony begins; ``finish(_:)`` ends it.
    func begin(_ call: Call, of source: EventJournal.Source) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.running.append(Running(number: state.lastNumber, source: source, call: call))
            return state.lastNumber
        }
    }

    func finish(_ number: Int) {
        let waiting = state.withLock { state in
            state.running.removeAll { $0.number == number }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Notes that the caller gives a ceremony up, which the device still has to end.
    func giveUp(_ number: Int) {
        state.withLock { state in
            guard let place = state.running.firstIndex(where: { $0.number == number }) else { return }
            state.running[place].isGivenUp = true
        }
    }

    /// Returns when the device has ended the ceremonies that were given up: it answers one request at a time.
    func waitForGivenUp(on source: EventJournal.Source) async {
        while state.withLock({ $0.hasGivenUp(on: source) }) {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.hasGivenUp(on: source) else { return false }
                    state.waiting.append(continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
    }

    /// The newest running ceremony of a device; with a relying party, one that does not name another.
    func running(of source: EventJournal.Source, for relyingPartyID: String? = nil) -> Call? {
        state.withLock { state in
            state.running.last { entry in
                entry.source == source
                    && (relyingPartyID == nil || entry.call.relyingPartyID ?? relyingPartyID == relyingPartyID)
            }?.call
        }
    }

    /// The ID of the last ceremony that has ended, of any device.
    var lastID: Int { state.withLock { $0.lastID } }

    func add(
        _ call: Call, of source: EventJournal.Source, at time: Double, elapsedSeconds: Double, acts: [String],
        pageError: PageError? = nil, _ result: Result
    ) {
        state.withLock { state in
            if state.entries.count >= Self.capacity { state.entries.removeFirst(Self.capacity / 10) }
            state.lastID += 1
            state.entries.append(
                Entry(
                    id: state.lastID, source: source, call: call, at: time, elapsedSeconds: elapsedSeconds,
                    result: result, acts: acts, pageError: pageError?.name))
            PageTicket.current?.note(state.lastID)
        }
    }

    /// Notes the error that a browser's page got from a ceremony.
    func note(_ error: PageError, of id: Int) {
        state.withLock { state in
            guard let place = state.entries.lastIndex(where: { $0.id == id }) else { return }
            state.entries[place].pageError = error.name
        }
    }

    /// The newest ceremonies of a device, newest first.
    func newest(_ limit: Int, of source: EventJournal.Source) -> [CeremonyRecord] {
        let entries = state.withLock { $0.entries }
        return entries.reversed().lazy.filter { $0.source == source }.prefix(limit).map(CeremonyRecord.init)
    }
}
