/// The options of a verification prompt.
public struct PromptOptions: Hashable, Sendable {
    /// The purpose of a prompt.
    public enum Purpose: String, Codable, CaseIterable, Sendable {
        /// An app or a client of the authenticator verifies the user; sensors of class 1 are not offered.
        case app
        /// The user unlocks the device; a success restarts the clocks of strong authentication.
        case unlock
    }

    /// Whether the device credential is an allowed fallback, if the policy permits it.
    public var allowsDeviceCredential: Bool
    /// Whether the app accepts the device credential instead of the biometric, whatever the policy: Android's
    /// `DEVICE_CREDENTIAL`, Apple's `userPresence`.
    public var demandsDeviceCredential: Bool
    /// Whether the sensors may verify the user; otherwise the prompt begins with the device credential.
    public var allowsBiometrics: Bool
    /// The weakest accepted class of sensors.
    public var minimumClass: StrengthClass
    /// The purpose of the prompt.
    public var purpose: Purpose
    /// Whether a match by a passive sensor must be confirmed, if the policy lets the app decide.
    public var wantsConfirmation: Bool
    /// Whether the prompt has a fallback button, if the policy offers one.
    public var offersFallback: Bool

    /// Describes the options; each parameter sets the property of its name.
    ///
    /// `minimumClass` defaults to the purpose's class: class 2 for apps, class 1 to unlock.
    public init(
        allowsDeviceCredential: Bool, demandsDeviceCredential: Bool = false, allowsBiometrics: Bool = true,
        minimumClass: StrengthClass? = nil, purpose: Purpose = .app, wantsConfirmation: Bool = true,
        offersFallback: Bool = true
    ) {
        self.allowsDeviceCredential = allowsDeviceCredential
        self.demandsDeviceCredential = demandsDeviceCredential
        self.allowsBiometrics = allowsBiometrics
        self.minimumClass = minimumClass ?? (purpose == .unlock ? .class1 : .class2)
        self.purpose = purpose
        self.wantsConfirmation = wantsConfirmation
        self.offersFallback = offersFallback
    }

    /// A sensor or the device credential.
    public static let biometricOrDeviceCredential = PromptOptions(
        allowsDeviceCredential: true, demandsDeviceCredential: true)
    /// The device credential alone.
    public static let deviceCredential = PromptOptions(
        allowsDeviceCredential: true, demandsDeviceCredential: true, allowsBiometrics: false)

    func accept(_ strength: StrengthClass) -> Bool {
        strength.rawValue >= minimumClass.rawValue && (purpose == .unlock || strength != .class1)
    }

    func admitsDeviceCredential(under policy: GatePolicy) -> Bool {
        demandsDeviceCredential
            || (allowsDeviceCredential && (policy.deviceCredentialFallback || purpose == .unlock))
    }
}

extension PromptOptions: Codable, MemberwiseCodable {
    static let blank = PromptOptions(allowsDeviceCredential: false)

    static let members: [StoredMember<PromptOptions>] = [
        StoredMember("allowsDeviceCredential", \.allowsDeviceCredential, isRequired: true),
        StoredMember("demandsDeviceCredential", \.demandsDeviceCredential),
        StoredMember("allowsBiometrics", \.allowsBiometrics),
        StoredMember("minimumClass", \.minimumClass),
        StoredMember("purpose", \.purpose),
        StoredMember("wantsConfirmation", \.wantsConfirmation),
        StoredMember("offersFallback", \.offersFallback),
    ]
}

/// The stage of a gate's prompt.
public enum GateStage: String, Codable, CaseIterable, Sendable {
    /// No prompt is open.
    case idle
    /// The sensors wait for a sample.
    case sensing
    /// A match waits for the user to confirm it.
    case confirming
    /// The passive sensors have stopped; the prompt waits for the user to let them look again.
    case paused
    /// The sensors have given up; the prompt waits for the user to choose the fallback or to give up.
    case stopped
    /// The prompt asks for the challenge phrase, which shows that a person types (Windows).
    case challengePhrase
    /// The prompt asks for the device credential.
    case deviceCredential
}

/// An open prompt.
struct Prompt: Equatable, Codable, Sendable {
    struct Match: Equatable, Codable {
        let sensor: Int
        let templateID: [UInt8]
    }

    let options: PromptOptions
    var deadline: Duration
    var stage: GateStage
    var failures = 0
    var credentialFailures = 0
    var match: Match?
}
