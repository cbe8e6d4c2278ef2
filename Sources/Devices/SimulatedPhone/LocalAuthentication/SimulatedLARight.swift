internal import SimulatedDevice
internal import Synchronization

#if canImport(LocalAuthentication)
internal import LocalAuthentication
#endif

/// The shape of `LARight`, on a simulated phone: a right that the user's verification grants until it is deauthorized.
///
/// It follows Apple's document: <https://developer.apple.com/documentation/localauthentication/laright>. Rights in an
/// `LARightStore` are not simulated.
public final class SimulatedLARight: Sendable {
    /// The state of a right, with Apple's numbers.
    public enum State: Int, Hashable, Sendable {
        /// The app has not requested the right yet.
        case unknown = 0
        /// The user is being verified.
        case authorizing = 1
        /// The user was verified.
        case authorized = 2
        /// The user was not verified, or the right was deauthorized.
        case notAuthorized = 3
    }

    private let requirement: SimulatedLAAuthenticationRequirement
    private let phone: Phone?
    private let app: String
    private let current = Mutex<(state: State, context: SimulatedLAContext?, tag: Int)>((.unknown, nil, 0))

    /// A right on the phone in use.
    public convenience init() { self.init(requirement: .default) }

    /// A right with a requirement, on the phone in use.
    public init(requirement: SimulatedLAAuthenticationRequirement) {
        (self.requirement, phone, app) = (requirement, Phone.current, Phone.currentApp)
    }

    /// A right of an app on a phone.
    public init(
        requirement: SimulatedLAAuthenticationRequirement = .default, phone: Phone, app: String = Phone.defaultApp
    ) {
        (self.requirement, self.phone, self.app) = (requirement, phone, app)
    }

    /// The state of the right.
    public var state: State { current.withLock { $0.state } }

    /// A number that the app chooses.
    public var tag: Int {
        get { current.withLock { $0.tag } }
        set { current.withLock { $0.tag = newValue } }
    }

    /// Checks without a prompt whether the user can be verified.
    ///
    /// - Throws: `LAError`; ``PhoneRefusal`` in a state without a running app.
    public func checkCanAuthorize() async throws {
        if let obstacle = context().obstacle(to: requirement.policy) { throw obstacle }
    }

    /// Verifies the user, unless the right is already granted.
    ///
    /// - Throws: `LAError`; for an empty reason an error of the domain `NSInvalidArgumentException`; ``PhoneRefusal``
    ///   in a state without a running app.
    public func authorize(localizedReason: String) async throws {
        if state == .authorized { return }
        let context = context()
        current.withLock { ($0.state, $0.context) = (.authorizing, context) }
        do {
            _ = try await context.evaluatePolicy(requirement.policy, localizedReason: localizedReason)
            current.withLock { $0.state = .authorized }
        } catch {
            current.withLock { $0.state = .notAuthorized }
            throw error
        }
    }

    /// Deauthorizes the right; its open prompt ends.
    public func deauthorize() async {
        let context = current.withLock { current in
            defer { (current.state, current.context) = (.notAuthorized, nil) }
            return current.context
        }
        context?.invalidate()
    }

    private func context() -> SimulatedLAContext {
        (phone ?? Phone.current).map { SimulatedLAContext(phone: $0, app: app) } ?? SimulatedLAContext()
    }
}

/// The shape of `LAAuthenticationRequirement`: the requirement of a right.
public struct SimulatedLAAuthenticationRequirement: Hashable, Sendable {
    let policy: LAPolicy

    /// A face or a finger, or the passcode.
    public static let `default` = Self(policy: .deviceOwnerAuthentication)
    /// A face or a finger.
    public static let biometry = Self(policy: .deviceOwnerAuthenticationWithBiometrics)

    /// A face or a finger, or a fallback.
    public static func biometry(fallback: SimulatedLABiometryFallbackRequirement) -> Self {
        Self(policy: .deviceOwnerAuthentication)
    }
}

/// The shape of `LABiometryFallbackRequirement`: the fallback of a requirement.
public struct SimulatedLABiometryFallbackRequirement: Hashable, Sendable {
    /// The passcode, which is the default.
    public static let `default` = Self()
    /// The passcode.
    public static let devicePasscode = Self()
}
