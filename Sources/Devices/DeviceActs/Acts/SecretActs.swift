internal import Biometrics
internal import Causes
internal import PlatformErrors
internal import SimulatedDevice

struct StoreSecret: PlainAct {
    static let form = Form(
        "store-secret", "an app stores a secret in secure storage",
        .secretName(\.name),
        .optional("access", \.protection.access, "the verification that opens it; default: current-set"),
        .optional("accessibility", \.protection.accessibility, "when it is available; default: when-unlocked"),
        .optional(
            "validity", \.protection.validitySeconds, of: .number(1...31_536_000),
            "seconds after a verification in which it opens without a prompt; default: prompts each time"),
        .optional("strength", \.protection.strength, "the weakest biometric the app accepts; keys accept class3 only"),
        .optional("migrates", \.migration, "whether it moves to a new device; default: no"),
        .optional("value", \.value, "the secret itself; default: token"),
        .app(\.app))

    enum Migration: String, CaseIterable, ActArgument { case yes, no }

    var name = ""
    var app = SecretID.defaultApp
    var value = "token"
    var protection = SecureStorage.Protection(.currentSet)

    private var migration: Migration {
        get { protection.migrates ? .yes : .no }
        set { protection.migrates = newValue == .yes }
    }

    var words: String { "\(app.appName) stores \(name), bound to \(protection.access.rawValue)" }

    func perform(on device: SimulatedDevice) async throws {
        try device.requireScreen()
        try await device.secureStorage.store(Array(value.utf8), as: name, app: app, protection: protection)
    }
}

struct ReadSecret: DeclaredAct {
    static let form = Form(
        "read-secret", "an app reads its secret, with a prompt where the secret's protection demands one",
        .secretName(\.name), .app(\.app))

    var name = ""
    var app = SecretID.defaultApp

    var operation: PlatformOperation? { .read }

    var words: String { "\(app.appName) reads \(name)" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        try device.requireScreen()
        return .told(String(decoding: try await device.secureStorage.read(name, app: app).get(), as: UTF8.self))
    }
}

struct CheckSecret: DeclaredAct {
    static let form = Form(
        "check-secret", "an app checks, without a prompt, whether its secret exists and is available",
        .secretName(\.name), .app(\.app))

    var name = ""
    var app = SecretID.defaultApp

    var operation: PlatformOperation? { .read }

    var words: String { "\(app.appName) looks for \(name)" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        try device.requireScreen()
        return DeviceActResult(cause: await device.secureStorage.check(name, app: app))
    }
}

struct DeleteSecret: DeclaredAct {
    static let form = Form("delete-secret", "an app deletes its secret", .secretName(\.name), .app(\.app))

    var name = ""
    var app = SecretID.defaultApp

    var words: String { "\(app.appName) deletes \(name)" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        try device.requireScreen()
        guard device.secureStorage.ids.contains(SecretID(name, app: app)) else { return .refused(.itemMissing) }
        try device.secureStorage.remove(name, app: app)
        return .done
    }
}

extension ActParameter {
    fileprivate static func secretName(_ property: any WritableKeyPath<Act, String> & Sendable) -> Self {
        .required("name", property, "the secret's name")
    }
}
