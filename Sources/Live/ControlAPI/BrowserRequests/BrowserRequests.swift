internal import Documents
internal import Synchronization

/// The conditional requests of a browser's pages, each until the user picks a passkey or the page ends it.
///
/// The panel shows them to the user. The carrier performs the ceremony with the picked passkey; of a request that another
/// program adds, this program gets the passkey's ID.
final class BrowserRequests: Sendable {
    /// A page's conditional request.
    struct Request: Sendable {
        let origin: String
        /// The origin of the top-level page, for a cross-origin frame.
        let topOrigin: String?
        let title: String?
        let relyingPartyID: String
        /// Whether the page's options allow user verification.
        let verifiesUser: Bool
        /// The IDs of the credentials that the page accepts; nil for all.
        let accepted: Set<[UInt8]>?
        /// The place in a browser; nil for a request that another program adds.
        var place: Place?
    }

    /// A page in a browser, as the browser's program names them.
    struct Place: Sendable {
        let session: String
        /// nil: any page of the session.
        let page: String?
        /// Whether the user picks a suggested passkey at once.
        let picksAtOnce: Bool

        static let members: [Schema.Member] = [
            .optional("session", .string(0...100), "The caller's name for the browser; default: empty."),
            .optional("page", .string(0...200), "The caller's name for the page; a pick without it concerns all."),
        ]

        init(_ body: JSONValue) {
            session = body["session"]?.text ?? ""
            page = body["page"]?.text
            picksAtOnce = body[PageRequest.autofill.name]?.bool ?? false
        }

        func contains(_ other: Place) -> Bool { session == other.session && (page == nil || page == other.page) }
    }

    struct Pick: Sendable {
        /// The passkey; nil: the device asks which one.
        let credentialID: [UInt8]?
        /// The user's part of the ceremony, where it is not the one of the request.
        var answers: [String: JSONValue] = [:]
        /// Learns of the end of the ceremony, once; nil for a page that has left its request.
        var tell: @Sendable (CeremonyAnswers.Ending?) -> Void = { _ in }
    }

    enum End: Sendable {
        case picked(Pick)
        /// The device may have other passkeys now.
        case changed
        /// The browser ended it, or the device was switched off.
        case ended
        /// The device has as many as it may have.
        case tooMany
    }

    private struct Waiting {
        let number: Int
        let request: Request
        let continuation: CheckedContinuation<End, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var lastNumber = 0
        var isClosed = false
        var offers = 0
        /// The picks that wait for a request learn of each new one.
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0

        func last(in place: Place) -> Int? { waiting.lastIndex { $0.request.place.map(place.contains) ?? false } }
    }

    /// The largest number of requests on a device.
    static let most = 100
    /// The largest number of requests of a browser that the user sees.
    private static let mostShown = 16

    private let state = Mutex(State())

    /// The waiting requests that the user sees with their numbers, oldest first.
    var shown: [(number: Int, request: Request)] {
        var counts: [String: Int] = [:]
        return state.withLock { $0.waiting }.compactMap { waiting in
            if let session = waiting.request.place?.session {
                counts[session, default: 0] += 1
                guard counts[session, default: 0] <= Self.mostShown else { return nil }
            }
            return (waiting.number, waiting.request)
        }
    }

    /// The number of calls of ``offer()``.
    var offers: Int { state.withLock { $0.offers } }

    /// Adds a request, and waits for its end; the end of the task ends it.
    ///
    /// - Parameter offers: the number of offers that the caller has considered, for a user who picks at once.
    func wait(_ request: Request, after offers: Int? = nil) async -> End {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end: End? = state.withLock { state in
                    if Task.isCancelled || state.isClosed { return .ended }
                    if let offers, offers != state.offers { return .changed }
                    if state.waiting.count >= Self.most { return .tooMany }
                    state.waiting.append(Waiting(number: number, request: request, continuation: continuation))
                    for watcher in state.watchers.values { watcher.yield() }
                    return nil
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            end(number, .ended)
        }
    }

    /// The user picks a passkey; false when no request has the number.
    func pick(_ credentialID: [UInt8], for number: Int) -> Bool {
        end(number, .picked(Pick(credentialID: credentialID)))
    }

    /// The user picks a passkey for the newest request of a place, as soon as there is one.
    ///
    /// - Returns: the end of the ceremony; nil without a request in time, and for a page that leaves its request.
    func pick(in place: Place, within limit: Duration, answers: [String: JSONValue]) async -> CeremonyAnswers.Ending? {
        guard await hasRequest(in: place, within: limit) else { return nil }
        return await withCheckedContinuation { continuation in
            let found = state.withLock { state in state.last(in: place).map { state.waiting.remove(at: $0) } }
            guard let found else { return continuation.resume(returning: nil) }
            let pick = Pick(credentialID: nil, answers: answers) { continuation.resume(returning: $0) }
            found.continuation.resume(returning: .picked(pick))
        }
    }

    private func hasRequest(in place: Place, within limit: Duration) async -> Bool {
        let (arrivals, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        watcher.yield()
        let number = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = watcher
            return state.lastWatcher
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            watcher.finish()
        }
        defer {
            timer.cancel()
            state.withLock { $0.watchers[number] = nil }
        }
        for await _ in arrivals where state.withLock({ $0.last(in: place) != nil }) { return true }
        return false
    }

    /// Lets the requests whose user picks at once look for a passkey again.
    func offer() {
        let numbers = state.withLock { state in
            state.offers += 1
            return state.waiting.filter { $0.request.place?.picksAtOnce ?? false }.map(\.number)
        }
        for number in numbers { end(number, .changed) }
    }

    /// Ends every request, for a device that is switched off.
    func close() {
        let (waiting, watchers) = state.withLock { state in
            defer { (state.waiting, state.isClosed) = ([], true) }
            return (state.waiting, state.watchers.values)
        }
        for waiting in waiting { waiting.continuation.resume(returning: .ended) }
        for watcher in watchers { watcher.finish() }
    }

    @discardableResult
    private func end(_ number: Int, _ end: End) -> Bool {
        let found = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        found?.continuation.resume(returning: end)
        return found != nil
    }
}
