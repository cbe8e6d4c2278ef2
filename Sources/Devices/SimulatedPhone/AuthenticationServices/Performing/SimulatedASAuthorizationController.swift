internal import Foundation

#if canImport(AuthenticationServices)
internal import AuthenticationServices
#endif

/// The shape of `ASAuthorizationController`, on a simulated phone.
///
/// It follows Apple's document:
/// <https://developer.apple.com/documentation/authenticationservices/asauthorizationcontroller>. Like Apple's class, it
/// returns at once, and calls its delegate later, on the main actor. A test waits for the call with
/// `finishAuthorizations()` of the phone, or takes the result from ``perform(options:)``.
///
/// A user without a plan picks the first credential of the sheet and matches; see ``PhonePerson/willPick(_:file:line:)``.
public final class SimulatedASAuthorizationController: @unchecked Sendable {
    // Unchecked: the lock guards the variables; the app changes its requests before it performs them, as with Apple's.

    /// Options of a modal request, with Apple's numbers.
    public struct RequestOptions: OptionSet, Hashable, Sendable {
        /// The number.
        public let rawValue: UInt
        /// Options by their number.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The request ends with `canceled` at once, without a sheet, if the phone has no credential for it.
        ///
        /// Like Apple's system, the phone ignores the option if a request is for security keys.
        public static let preferImmediatelyAvailableCredentials = RequestOptions(rawValue: 1)
    }

    /// The requests.
    public let authorizationRequests: [SimulatedASAuthorizationRequest]

    private let own: Phone?
    private let app: String
    private let lock = NSLock()
    private weak var heldDelegate: (any SimulatedASAuthorizationControllerDelegate)?
    private weak var heldProvider: (any SimulatedASAuthorizationControllerPresentationContextProviding)?
    private var flow: AuthorizationFlow?

    /// A controller of requests on the phone in use: ``Phone/current`` at its creation, or else when it performs them.
    public init(authorizationRequests: [SimulatedASAuthorizationRequest]) {
        self.authorizationRequests = authorizationRequests
        (own, app) = (Phone.current, Phone.currentApp)
    }

    /// A controller of an app's requests on a phone.
    public init(
        authorizationRequests: [SimulatedASAuthorizationRequest], phone: Phone, app: String = Phone.defaultApp
    ) {
        self.authorizationRequests = authorizationRequests
        (own, self.app) = (phone, app)
    }

    /// The object that receives the result; a weak reference.
    public var delegate: (any SimulatedASAuthorizationControllerDelegate)? {
        get { lock.withLock { heldDelegate } }
        set { lock.withLock { heldDelegate = newValue } }
    }

    /// The object that provides the window of a sheet; a weak reference.
    public var presentationContextProvider: (any SimulatedASAuthorizationControllerPresentationContextProviding)? {
        get { lock.withLock { heldProvider } }
        set { lock.withLock { heldProvider = newValue } }
    }

    /// Performs the requests: a sheet appears, and the delegate receives one result.
    public func performRequests() { performRequests(options: []) }

    /// Performs the requests with options.
    public func performRequests(options: RequestOptions) { start(.modal(options), tellsDelegate: true) }

    /// Offers the passkeys at a field, without a sheet.
    ///
    /// The request waits until the user picks one (``PhonePerson/picks(_:)``), or the app calls ``cancel()``. Until
    /// then, another request of the app fails, as on Apple's system. It ends with `use` of the phone, without a call of the
    /// delegate.
    public func performAutoFillAssistedRequests() { start(.assisted, tellsDelegate: true) }

    /// Cancels the requests in progress; the delegate receives `canceled`.
    public func cancel() { lock.withLock { flow }?.cancel() }

    /// Performs the requests, and returns the result instead of calling the delegate; Apple's class lacks this call.
    ///
    /// Cancelling the task cancels the requests.
    ///
    /// - Throws: `ASAuthorizationError`; for a few causes an error of `WKErrorDomain`, as on Apple's system; without
    ///   requests an error of the domain `NSInvalidArgumentException`, where Apple's system raises an exception;
    ///   ``PhoneRefusal`` in a state without a running app on the screen.
    public func perform(options: RequestOptions = []) async throws -> SimulatedASAuthorization {
        guard let flow = start(.modal(options), tellsDelegate: false) else { throw ASAuthorizationError.noPhone }
        return try await withTaskCancellationHandler {
            await flow.settle()
            forgetEnded()
            return try flow.result()
        } onCancel: {
            flow.cancel()
        }
    }

    @discardableResult
    private func start(_ style: AuthorizationFlow.Style, tellsDelegate: Bool) -> AuthorizationFlow? {
        guard let phone = own ?? Phone.current else {
            Phone.reportMissingPhone("ASAuthorizationController")
            if tellsDelegate { Task { @MainActor in _ = self.tell(.failure(ASAuthorizationError.noPhone)) } }
            return nil
        }
        let planned = authorizationRequests.map { request in
            request.kind().map { PlannedAuthorization(provider: request.provider, kind: $0) }
        }
        let flow = AuthorizationFlow(
            AuthorizationCeremony(phone: phone, app: app, requests: planned.compactMap(\.self)), style,
            report: tellsDelegate ? { @MainActor outcome in self.tell(outcome) } : nil)
        // Requests that are refused beside others in progress leave those to cancel().
        lock.withLock { if self.flow?.hasEnded != false { self.flow = flow } }
        askForWindow()
        flow.start()
        return flow
    }

    /// Asks the app for the window of the sheet, which the simulation does not show.
    private func askForWindow() {
        Task { @MainActor in _ = self.presentationContextProvider?.presentationAnchor(for: self) }
    }

    /// Forgets requests that have ended, and with them the phone.
    private func forgetEnded() { lock.withLock { if flow?.hasEnded == true { flow = nil } } }

    /// Calls the delegate; returns false without one.
    @MainActor
    private func tell(_ result: Result<SimulatedASAuthorization, any Error>) -> Bool {
        forgetEnded()
        guard let delegate else { return false }
        switch result {
        case .success(let authorization):
            delegate.authorizationController(controller: self, didCompleteWithAuthorization: authorization)
        case .failure(let error):
            delegate.authorizationController(controller: self, didCompleteWithError: error)
        }
        return true
    }
}

/// The shape of `ASAuthorizationControllerDelegate`: an object that receives a controller's result.
@MainActor
public protocol SimulatedASAuthorizationControllerDelegate: AnyObject {
    /// A request was successful.
    func authorizationController(
        controller: SimulatedASAuthorizationController,
        didCompleteWithAuthorization authorization: SimulatedASAuthorization)
    /// The requests failed.
    func authorizationController(controller: SimulatedASAuthorizationController, didCompleteWithError error: any Error)
}

/// Methods that a delegate may leave out.
extension SimulatedASAuthorizationControllerDelegate {
    /// Ignores the result.
    public func authorizationController(
        controller: SimulatedASAuthorizationController,
        didCompleteWithAuthorization authorization: SimulatedASAuthorization
    ) {}

    /// Ignores the error.
    public func authorizationController(
        controller: SimulatedASAuthorizationController, didCompleteWithError error: any Error
    ) {}
}

/// The shape of `ASAuthorizationControllerPresentationContextProviding`: an object that provides the window of a sheet.
@MainActor
public protocol SimulatedASAuthorizationControllerPresentationContextProviding: AnyObject {
    /// The window over which the sheet appears.
    func presentationAnchor(for controller: SimulatedASAuthorizationController) -> SimulatedASPresentationAnchor
}
