internal import Biometrics
internal import PlatformErrors
internal import SimulatedDevice

struct VerifyUser: ScreenAct {
    static let form = Form(
        "verify", "an app verifies the user, without a passkey or a secret; returns the method",
        .allowed(\.prompt.allowed), .strength(\.prompt.strength),
        .optional(
            "confirmation", \.prompt.wantsConfirmation, on: .android,
            "Android: whether the user confirms a match of a face; default: yes"),
        .identityCheck(\.prompt.demandsIdentityCheck),
        .optional(
            "fallback-button", \.prompt.offersFallback, on: .apple,
            "Apple: no for an empty localizedFallbackTitle; default: yes"),
        .optional(
            "reuse", \.prompt.reuseSeconds, of: .number(0...300), on: .apple,
            "Apple: seconds after an unlock with the sensor in which no prompt is shown; default: 0"),
        .context(\.prompt.context), .interaction(\.prompt.allowsInteraction), .app(\.app))

    var prompt = AppPrompt()
    var app = SecretID.defaultApp

    var operation: PlatformOperation? { .verify }

    var words: String { "\(app.appName) verifies the user (\(prompt.allowed.rawValue))" }

    func idleness(of given: Set<String>, on device: SimulatedDevice) -> String? {
        prompt.idleness(of: given, on: device)
    }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        return .told(try await device.verifyUser(prompt, app: app).get().word)
    }
}

struct CheckVerification: PlainAct {
    static let form = Form(
        "can-verify", "an app checks, without a prompt, whether the user can be verified",
        .allowed(\.prompt.allowed), .strength(\.prompt.strength),
        .identityCheck(\.prompt.demandsIdentityCheck), .app(\.app))

    var prompt = AppPrompt()
    var app = SecretID.defaultApp

    var operation: PlatformOperation? { .check }

    var words: String { "\(app.appName) checks whether the user can be verified (\(prompt.allowed.rawValue))" }

    func idleness(of given: Set<String>, on device: SimulatedDevice) -> String? {
        prompt.idleness(of: given, on: device)
    }

    func perform(on device: SimulatedDevice) async throws { try await device.checkVerification(prompt, app: app) }
}

struct ReadLockout: DeclaredAct {
    static let form = Form("is-locked-out", "an app asks LAEnvironment whether the sensor is locked; returns yes or no")

    static let isPreparation = true

    var words: String { "the app asks whether the sensor is locked" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        .told(try await device.isLockedOut().text)
    }
}

struct CompareEnrolment: DeclaredAct {
    static let form = Form(
        "domain-state",
        "an app compares evaluatedPolicyDomainState with the one it kept; returns first, same, changed or none",
        .context(\.context), .app(\.app))

    static let isPreparation = true

    var context: String?
    var app = SecretID.defaultApp

    var words: String { "\(app.appName) compares the domain state" }

    func idleness(of given: Set<String>, on device: SimulatedDevice) -> String? {
        guard let context, !device.hasContext(context, app: app) else { return nil }
        return "\(app.appName) has no context \(context); verify the user with it first"
    }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        .told(try await device.compareEnrolment(app: app, context: context).rawValue)
    }
}

struct InvalidateContext: DeclaredAct {
    static let form = Form(
        "invalidate-context", "an app invalidates its LAContext; an open prompt ends",
        .required("context", \.context, "the context's name"), .app(\.app))

    static let isPreparation = true

    var context = ""
    var app = SecretID.defaultApp

    var words: String { "\(app.appName) invalidates the context \(context)" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        if try await device.invalidateContext(context, app: app) { return .done }
        return .idle("\(app.appName) has no valid context \(context); verify the user with it first")
    }
}

struct ChangePermission: PlainAct, StateAct {
    static let form = Form(
        "permission", "allows an app to use Face ID, or forbids it",
        .required("state", \.state, "off forbids it"), .app(\.app))

    var state = Switch.on
    var app = SecretID.defaultApp

    var setting: DeviceSettingChange? { DeviceSettingChange(setting: .permission(app: app), isUsual: state == .on) }

    var words: String { "\(app.appName) may \(state == .on ? "" : "not ")use Face ID" }

    func perform(on device: SimulatedDevice) async throws { try await device.setPermission(state == .on, app: app) }
}

struct SetTheftProtection: PlainAct, StateAct {
    static let form = Form(
        "theft-protection", "switches Stolen Device Protection (iOS) or Identity Check (Android) on or off",
        .required("state", \.state, "on: away from familiar places the passcode does not replace the sensor"))

    var state = Switch.on

    var setting: DeviceSettingChange? { DeviceSettingChange(setting: .theftProtection, isUsual: state == .off) }

    var words: String { "the protection of a stolen device is \(state.rawValue)" }

    func perform(on device: SimulatedDevice) async throws { try await device.setTheftProtection(state == .on) }
}

struct MoveDevice: PlainAct, ScreenAct, StateAct {
    static let form = Form(
        "place", "takes the device to a familiar place, or away from them",
        .required("place", \.place, "the place; a new device is at a familiar one"))

    var place = DevicePlace.familiar

    var setting: DeviceSettingChange? { DeviceSettingChange(setting: .place, isUsual: place == .familiar) }

    var words: String { place == .away ? "leaves its familiar places" : "returns to a familiar place" }

    func perform(on device: SimulatedDevice) throws { try device.move(to: place) }
}

extension AppPrompt {
    /// The reason why a given argument has no effect at a device; nil when each has one.
    fileprivate func idleness(of given: Set<String>, on device: SimulatedDevice) -> String? {
        let ofSensors = ["strength", "confirmation", "reuse", "fallback-button"].first(where: given.contains)
        if allowed == .passcode, !demandsIdentityCheck, let ofSensors {
            return "a prompt for the passcode has no \(ofSensors); remove it"
        }
        if given.contains("reuse"), !device.wasUnlockedBySensor {
            return "the device was not unlocked with the sensor; unlock it by biometrics first, or remove reuse"
        }
        if given.contains("strength"), demandsIdentityCheck {
            return "an Identity Check takes class3 only; remove strength"
        }
        guard given.contains("confirmation"), !device.hasFaceSensor else {
            return nil
        }
        return "only the match of a face is confirmed, and the device has no sensor for it; remove confirmation"
    }
}

extension ActParameter {
    fileprivate static func allowed(_ property: any WritableKeyPath<Act, AppVerification> & Sendable) -> Self {
        .optional("allow", property, "the means the app accepts; default: biometrics")
    }

    fileprivate static func strength(_ property: any WritableKeyPath<Act, StrengthClass> & Sendable) -> Self {
        .optional(
            "strength", property, of: .choice([StrengthClass.class2, .class3].compactMap(\.text)), on: .android,
            "the weakest biometric the app accepts; default: class2")
    }

    fileprivate static func identityCheck(_ property: any WritableKeyPath<Act, Bool> & Sendable) -> Self {
        .optional(
            "identity-check", property, on: .android, "Android: whether the app demands an Identity Check; default: no")
    }

    static func context(_ property: any WritableKeyPath<Act, String?> & Sendable) -> Self {
        .optional(
            "context", property, on: .apple, "Apple: the name of the app's LAContext, verified once; default: a new one"
        )
    }

    static func interaction(_ property: any WritableKeyPath<Act, Bool> & Sendable) -> Self {
        .optional("interaction", property, on: .apple, "Apple: no for interactionNotAllowed; default: yes")
    }
}

extension VerificationMethod {
    /// The method as an app reports it.
    fileprivate var word: String {
        switch self {
        case .biometric(let modality, _): modality.rawValue
        case .deviceCredential: "passcode"
        }
    }
}
