internal import Synchronization

/// The conditional requests that a browser keeps for its pages, each until the user picks a passkey or the page ends it.
///
/// The panel shows them to the user; the browser gets the ID of the picked passkey.
final class BrowserRequests: Sendable {
    /// A page's conditional request.
    struct Request: Sendable {
        let origin: String
        /// The origin of the top-level page, for a cross-origin frame.
        let topOrigin: String?
        /// The page's title.
        let title: String?
        let relyingPartyID: String
        /// Whether the page's options allow user verification.
        let verifiesUser: Bool
        /// The IDs of the credentials that the page accepts; nil for all.
        let accepted: Set<[UInt8]>?
    }

    /// The end of a request.
    enum End: Sendable {
        /// The user picked the passkey with this credential ID.
        case picked(credentialID: [UInt8])
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
    }

    /// The largest number of requests on a device.
    static let most = 100

    private let state = Mutex(State())

    /// The waiting requests with their numbers, oldest first.
    var all: [(number: Int, request: Request)] { state.withLock { $0.waiting.map { ($0.number, $0.request) } } }

    /// Adds a request, and waits for its end; the end of the task ends it.
    func wait(_ request: Request) async -> End {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end: End? = state.withLock { state in
                    if Task.isCancelled || state.isClosed { return .ended }
                    if state.waiting.count >= Self.most { return .tooMany }
                    state.waiting.append(Waiting(number: number, request: request, continuation: continuation))
                    return nil
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            end(number, .ended)
        }
    }

    /// The user picks a passkey.
    ///
    /// - Returns: false when no request has the number.
    func pick(_ credentialID: [UInt8], for number: Int) -> Bool { end(number, .picked(credentialID: credentialID)) }

    /// Ends every request, for a device that is switched off.
    func close() {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.isClosed) = ([], true) }
            return state.waiting
        }
        for waiting in waiting { waiting.continuation.resume(returning: .ended) }
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
