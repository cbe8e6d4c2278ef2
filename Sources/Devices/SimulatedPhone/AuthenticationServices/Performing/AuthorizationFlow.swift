internal import Synchronization

/// A controller's requests in progress, from the call to the report.
final class AuthorizationFlow: Sendable {
    typealias Outcome = Result<SimulatedASAuthorization, any Error>

    enum Style: Sendable {
        /// A sheet.
        case modal(SimulatedASAuthorizationController.RequestOptions)
        /// Suggestions at a field, which wait for the user.
        case assisted

        var isAssisted: Bool { if case .assisted = self { true } else { false } }
    }

    private struct State {
        /// The work in progress; nil while the request waits for the user, and after its end.
        var task: Task<Void, Never>?
        var outcome: Outcome?
        var isReported = false
        /// Tells the app of the result, and returns whether a delegate heard it; it holds the controller until then.
        var report: (@MainActor @Sendable (Outcome) -> Bool)?
        /// The failure that ends the request whatever its work results in; nil for none.
        var end: AuthorizationFailure?
    }

    let ceremony: AuthorizationCeremony
    let style: Style
    private let tellsApp: Bool
    private let state: Mutex<State>

    init(
        _ ceremony: AuthorizationCeremony, _ style: Style, report: (@MainActor @Sendable (Outcome) -> Bool)?
    ) {
        (self.ceremony, self.style, tellsApp) = (ceremony, style, report != nil)
        state = Mutex(State(report: report))
    }

    private var desk: AuthorizationDesk { ceremony.phone.desk }

    /// Whether the request waits for the user to pick a suggestion.
    var isWaiting: Bool { state.withLock { $0.task == nil && $0.outcome == nil } }

    /// Whether the result is still to come, or to be reported.
    var isUnfinished: Bool {
        state.withLock { state in state.task != nil || (state.outcome != nil && !state.isReported) }
    }

    /// Whether the request has a result, reported or not.
    var hasEnded: Bool { state.withLock { $0.outcome != nil } }

    /// Whether the app stopped during the request.
    private var hasStopped: Bool { state.withLock { $0.end == .appStopped } }

    /// Ends the request because its app has stopped.
    ///
    /// The delegate of a real app is gone with its process. In a test it hears `canceled`, so that code which waits for it
    /// goes on.
    func stop() { end(with: .appStopped) }

    /// Forgets the app, which hears nothing, at the end of the phone's use.
    func abandon() {
        let task = state.withLock { state in
            (state.isReported, state.end, state.report) = (true, .cancelledByApp, nil)
            return state.task
        }
        task?.cancel()
    }

    /// Begins the requests, unless another one of the app is in progress.
    func start() {
        guard desk.begin(self) else {
            return run { throw AuthorizationFailure.requestInProgress }
        }
        switch style {
        case .modal(let options): run { [ceremony] in try await ceremony.performModally(options) }
        case .assisted:
            run { [ceremony] in
                try ceremony.checkAssisted()
                return nil
            }
        }
    }

    /// The user picks a suggestion; after a failed verification the request goes on waiting.
    func pick(_ offer: AuthorizationOffer) {
        run { [ceremony] in
            do {
                return try await ceremony.perform(offer)
            } catch let failure as AuthorizationFailure where failure.isOfVerification {
                return nil
            }
        }
    }

    /// Ends the requests with `canceled`.
    func cancel() { end(with: .cancelledByApp) }

    private func end(with failure: AuthorizationFailure) {
        let task = state.withLock { state in
            if state.end == nil || failure == .appStopped { state.end = failure }
            return state.task
        }
        if let task { task.cancel() } else { finish(nil) }
    }

    /// Waits for the work in progress.
    func settle() async { await state.withLock { $0.task }?.value }

    /// The result of requests that have ended.
    func result() throws -> SimulatedASAuthorization {
        guard let outcome = state.withLock({ $0.outcome }) else { throw CancellationError() }
        return try outcome.get()
    }

    /// Reports the result, unless it was already reported.
    @MainActor
    func deliver() {
        let told = state.withLock { state -> (Outcome, (@MainActor @Sendable (Outcome) -> Bool)?)? in
            guard !state.isReported, let outcome = state.outcome else { return nil }
            defer { (state.isReported, state.report) = (true, nil) }
            return (outcome, state.report)
        }
        guard let (outcome, report) = told else { return }
        desk.end(self)
        let isHeard = Phone.$current.withValue(ceremony.phone) {
            Phone.$currentApp.withValue(ceremony.app) { report?(outcome) ?? true }
        }
        if !isHeard, !hasStopped {
            desk.note(
                mistake:
                    "an ASAuthorizationController of \(ceremony.app) had no delegate for its result; set its delegate, "
                    + "and keep a strong reference to that object")
        }
    }

    /// Runs work on the phone; work without a result leaves the request waiting.
    private func run(_ work: @escaping @Sendable () async throws -> SimulatedASAuthorization?) {
        state.withLock { state in
            guard state.outcome == nil, state.task == nil else { return }
            state.task = Task(executorPreference: ceremony.phone.executor) {
                let outcome: Outcome?
                do {
                    outcome = try await work().map { .success($0) }
                } catch let failure as AuthorizationFailure {
                    outcome = .failure(self.ceremony.phone.authorizationError(failure))
                } catch {
                    outcome = .failure(error)
                }
                self.finish(outcome)
            }
        }
    }

    /// Ends the requests, or leaves them waiting for the user.
    private func finish(_ outcome: Outcome?) {
        let hasEnded = state.withLock { state in
            state.task = nil
            if state.outcome == nil {
                let end = state.end.map { Outcome.failure(ceremony.phone.authorizationError($0)) }
                state.outcome = state.end == .appStopped ? end : outcome ?? end
                if !tellsApp { state.isReported = state.outcome != nil }
            }
            return state.outcome != nil
        }
        guard hasEnded else { return }
        if !tellsApp { desk.end(self) } else { Task { @MainActor in self.deliver() } }
    }
}
