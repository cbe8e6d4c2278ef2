public import Foundation
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator

#if canImport(LocalAuthentication)
public import LocalAuthentication
#endif

/// The shape of `LAContext`, on a simulated phone.
///
/// It follows Apple's document: <https://developer.apple.com/documentation/localauthentication/lacontext>. A prompt
/// ends as soon as the user matches; ``PhonePerson/duringNextPrompt(file:line:_:)`` runs an action while it is open.
///
/// ```swift
/// import SimulatedPhone
///
/// func unlock(on phone: Phone) async throws -> Bool {
///     let context = SimulatedLAContext(phone: phone)
///     return try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open the diary")
/// }
/// ```
public final class SimulatedLAContext: Sendable {
    let id = ContextID()
    private let own: Phone?
    let app: String
    let settings = Mutex(ContextSettings())

    /// A context on the phone in use: ``Phone/current`` at its creation, or else at its use.
    public init() { (own, app) = (Phone.current, Phone.currentApp) }

    /// A context of an app on a phone.
    public init(phone: Phone, app: String = Phone.defaultApp) { (own, self.app) = (phone, app) }

    var phone: Phone? { own ?? Phone.current }

    /// The title of the fallback button; nil for the system's title, empty for no button.
    public var localizedFallbackTitle: String? {
        get { settings.withLock { $0.fallbackTitle } }
        set { settings.withLock { $0.fallbackTitle = newValue } }
    }

    /// The title of the Cancel button; nil for the system's title.
    public var localizedCancelTitle: String? {
        get { settings.withLock { $0.cancelTitle } }
        set { settings.withLock { $0.cancelTitle = newValue } }
    }

    /// The reason that prompts of the Keychain show.
    public var localizedReason: String {
        get { settings.withLock { $0.reason } }
        set { settings.withLock { $0.reason = newValue } }
    }

    /// The time in seconds after an unlock with the sensor in which an evaluation shows no prompt, and neither does an item
    /// of the Keychain that is read with the context; at most 300.
    public var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { settings.withLock { $0.reuse } }
        set { settings.withLock { $0.reuse = newValue } }
    }

    /// Whether an evaluation fails instead of showing a prompt.
    public var interactionNotAllowed: Bool {
        get { settings.withLock { $0.forbidsInteraction } }
        set { settings.withLock { $0.forbidsInteraction = newValue } }
    }

    /// The kind of the sensor; none before the first call of ``canEvaluatePolicy(_:error:)``, with either result.
    public var biometryType: LABiometryType { settings.withLock { $0.biometryType } }

    /// The state of the enrolled set at the last successful evaluation by a sensor, or at the last successful check of
    /// a biometric policy; nil before both.
    ///
    /// It changes when a finger or a face is enrolled or removed.
    public var evaluatedPolicyDomainState: Data? { settings.withLock { $0.domainState } }

    /// The state of the enrolled set, as in ``evaluatedPolicyDomainState``.
    public var domainState: SimulatedLADomainState {
        settings.withLock {
            SimulatedLADomainState(
                biometry: SimulatedLADomainStateBiometry(biometryType: $0.biometryType, stateHash: $0.domainState))
        }
    }

    /// Sets the app's password for items of the Keychain; nil removes it.
    ///
    /// - Returns: true; false for a credential of another kind.
    @discardableResult
    public func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        guard type == .applicationPassword else { return false }
        settings.withLock { $0.password = credential }
        return true
    }

    /// Whether the context has a credential of a kind.
    public func isCredentialSet(_ type: LACredentialType) -> Bool {
        type == .applicationPassword && settings.withLock { $0.password != nil }
    }
}

/// The settings and results of a context.
struct ContextSettings: Sendable {
    var fallbackTitle: String?
    var cancelTitle: String?
    var reason = ""
    var reuse: TimeInterval = 0
    var forbidsInteraction = false
    var password: Data?
    var biometryType = LABiometryType.none
    var domainState: Data?
    var isInvalid = false

    /// The seconds of reuse, as far as the system respects them.
    var reuseSeconds: Int {
        guard reuse > 0 else { return 0 }
        return Int(min(reuse, LATouchIDAuthenticationMaximumAllowableReuseDuration).rounded(.up))
    }
}

/// The name of a context, by which the phone knows its verification.
struct ContextID: Hashable, Sendable {
    let name = "context \(UUID().uuidString)"
}

/// The shape of `LADomainState`: the state of the user's means of authentication.
public struct SimulatedLADomainState: Hashable, Sendable {
    /// The state of the enrolled set.
    public let biometry: SimulatedLADomainStateBiometry

    /// A hash of the whole state; nil before an evaluation.
    ///
    /// It is the hash of the enrolled set, because the simulation has no companions.
    public var stateHash: Data? { biometry.stateHash }
}

/// The shape of `LADomainStateBiometry`: the state of the enrolled set.
public struct SimulatedLADomainStateBiometry: Hashable, Sendable {
    /// The kind of the sensor.
    public let biometryType: LABiometryType
    /// A hash that changes with the enrolled set; nil before an evaluation.
    public let stateHash: Data?
}
