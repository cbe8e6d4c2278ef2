internal import Biometrics
internal import Causes
internal import Foundation
internal import PlatformErrors
internal import SimulatedDevice

struct StoreSecret: PlainAct, ScreenAct {
    static let form = Form(
        "store-secret", "an app stores a secret in secure storage",
        .secretName(\.name),
        .optional("access", \.protection.access, "the verification that opens it; default: current-set"),
        .optional(
            "accessibility", \.protection.accessibility,
            "the times at which it is available; default: after-first-unlock on Android, elsewhere when-unlocked"),
        .optional(
            "validity", \.protection.validitySeconds, of: .number(1...31_536_000), on: .android,
            "seconds after a verification in which it opens without a prompt; default: prompts each time"),
        .optional(
            "strength", \.protection.strength, on: .android,
            "the weakest biometric the app accepts; keys accept class3 only"),
        .optional(
            "migrates", \.protection.migrates, on: .allExceptAndroid, "whether it moves to a new device; default: no"),
        .optional("value", \.value, "the secret itself; default: token"),
        .optional(
            "prompts", \.usesKey, on: .android,
            "Android: whether the app encrypts with the item's key, which asks for the verification now; default: no"),
        .password(\.password), .app(\.app))

    var name = ""
    var app = SecretID.defaultApp
    var value = "token"
    var password: String?
    var usesKey = false
    var protection = SecureStorage.Protection(.currentSet)

    var operation: PlatformOperation? { .store }

    var words: String { "\(app.appName) stores \(name), bound to \(protection.access.rawValue)" }

    func idleness(of given: Set<String>, on device: SimulatedDevice) -> String? {
        let access = "the access \(protection.access.rawValue)"
        let ofVerification = ["validity", "prompts"].first(where: given.contains)
        if let ofVerification, protection.access == .none {
            return "an item with \(access) needs no verification; remove \(ofVerification)"
        }
        if given.contains("strength"), !protection.access.admitsBiometry {
            return "an item with \(access) takes no biometric; remove strength"
        }
        var protection = protection
        protection.hasPassword = password == nil ? nil : true
        guard protection.migrates, !protection.isInBackups else { return nil }
        return "an item with \(access)\(password == nil ? "" : " and a password") never moves; remove migrates"
    }

    func perform(on device: SimulatedDevice) async throws {
        try await device.secureStorage.store(
            Array(value.utf8), as: name, app: app, protection: protection, password: password, usesKey: usesKey)
    }
}

struct ReadSecret: ScreenAct {
    static let form = Form(
        "read-secret", "an app reads its secret, with a prompt where the secret's protection demands one",
        .secretName(\.name), .password(\.use.password), .context(\.use.context), .interaction(\.use.allowsInteraction),
        .app(\.app))

    var name = ""
    var use = SecretUse()
    var app = SecretID.defaultApp

    var operation: PlatformOperation? { .read }

    var words: String { "\(app.appName) reads \(name)" }

    func idleness(of given: Set<String>, on device: SimulatedDevice) -> String? {
        device.secureStorage.idleness(of: given, for: SecretID(name, app: app))
    }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        return .told(
            String(decoding: try await device.secureStorage.read(name, app: app, with: use).get(), as: UTF8.self))
    }
}

struct MakeKey: ScreenAct {
    static let form = Form(
        "make-key",
        "an app makes a key that signs in secure storage; returns the public key in Base64: a point, of RS256 in DER",
        .secretName(\.name),
        .optional("access", \.protection.access, "the verification that opens it; default: current-set"),
        .optional(
            "accessibility", \.protection.accessibility, "the times at which it is available; default: when-unlocked"),
        .optional("algorithm", \.algorithm, "the signature algorithm; default: ES256"),
        .app(\.app))

    var name = ""
    var app = SecretID.defaultApp
    var algorithm = SecureStorage.KeyAlgorithm.es256
    var protection = SecureStorage.Protection(.currentSet)

    var operation: PlatformOperation? { .store }

    var words: String { "\(app.appName) makes the key \(name), bound to \(protection.access.rawValue)" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        let key = try await device.secureStorage.makeKey(
            name, app: app, protection: protection, algorithm: algorithm)
        return .told(Data(key).base64EncodedString())
    }
}

struct Sign: ScreenAct {
    static let form = Form(
        "sign", "an app signs with its key, with a prompt where the key demands one; answers the signature in Base64",
        .secretName(\.name),
        .optional("data", \.data, "the text to sign; default: token"),
        .context(\.use.context), .interaction(\.use.allowsInteraction), .app(\.app))

    var name = ""
    var data = "token"
    var use = SecretUse()
    var app = SecretID.defaultApp

    var operation: PlatformOperation? { .read }

    var words: String { "\(app.appName) signs with \(name)" }

    func idleness(of given: Set<String>, on device: SimulatedDevice) -> String? {
        device.secureStorage.idleness(of: given, for: SecretID(name, app: app))
    }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        let signature = try await device.secureStorage.sign(Array(data.utf8), with: name, app: app, use).get()
        return .told(Data(signature).base64EncodedString())
    }
}

struct CheckSecret: ScreenAct {
    static let form = Form(
        "check-secret",
        "an app checks, without a prompt, whether its item exists, is valid and is available",
        .secretName(\.name), .app(\.app))

    var name = ""
    var app = SecretID.defaultApp

    var operation: PlatformOperation? { .read }

    var words: String { "\(app.appName) looks for \(name)" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        return DeviceActResult(cause: await device.secureStorage.check(name, app: app))
    }
}

struct DeleteSecret: ScreenAct {
    static let form = Form("delete-secret", "an app deletes its secret", .secretName(\.name), .app(\.app))

    var name = ""
    var app = SecretID.defaultApp

    var words: String { "\(app.appName) deletes \(name)" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        guard device.secureStorage.ids.contains(SecretID(name, app: app)) else { return .refused(.itemMissing) }
        try device.secureStorage.remove(name, app: app)
        return .done
    }
}

extension SecureStorage {
    /// The reason why an argument of an item's use has no effect; nil when each has one, or the item is missing.
    fileprivate func idleness(of given: Set<String>, for id: SecretID) -> String? {
        guard let protection = protection(of: id) else { return nil }
        if given.contains("password"), protection.hasPassword != true {
            return "\(id.name) has no password of the app; remove password"
        }
        let ofPrompts = ["context", "interaction"].filter(given.contains)
        guard protection.access == .none || protection.validitySeconds != nil, let name = ofPrompts.first else {
            return nil
        }
        return "\(id.name) opens without a prompt; remove \(name)"
    }
}

extension ActParameter {
    fileprivate static func secretName(_ property: any WritableKeyPath<Act, String> & Sendable) -> Self {
        .required("name", property, "the item's name")
    }

    fileprivate static func password(_ property: any WritableKeyPath<Act, String?> & Sendable) -> Self {
        .optional(
            "password", property, on: .apple, "Apple: a password of the app that the item also needs; default: none")
    }
}
