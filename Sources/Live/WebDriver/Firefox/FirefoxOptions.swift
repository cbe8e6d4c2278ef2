internal import ControlAPI
internal import Documents
internal import LoopbackHTTP
internal import Machine
internal import MachineNeeds

/// The capability `moz:firefoxOptions`, as far as Firefox's own endpoint serves it.
struct FirefoxOptions: Sendable {
    static let capability = "moz:firefoxOptions"

    /// Firefox's name or path.
    let program: String
    let arguments: [String]
    /// The profile's `user.js`.
    let preferences: String

    private static let binary = "binary"
    private static let args = "args"
    private static let prefs = "prefs"
    /// Members that change nothing here.
    private static let ignored = ["log"]

    /// The preferences of a browser that asks its user nothing.
    ///
    /// The relay reads a document's Permissions Policy from `document.featurePolicy`, which the first one brings.
    private static let own: [String: JSONValue] = [
        "marionette.port": 0, "dom.security.featurePolicy.webidl.enabled": true,
        "dom.location.ancestorOrigins.enabled": true,
        "browser.shell.checkDefaultBrowser": false, "browser.startup.page": 0,
        "browser.startup.homepage_override.mstone": "ignore", "browser.aboutwelcome.enabled": false,
        "datareporting.policy.dataSubmissionEnabled": false, "toolkit.telemetry.enabled": false,
        "app.update.disabledForTesting": true, "extensions.update.enabled": false,
    ]

    /// - Parameter program: Firefox, if the capability names none.
    init(_ value: JSONValue?, program: String) throws(APIError) {
        var members = value?.object ?? [:]
        for name in Self.ignored { members[name] = nil }
        let binary = members.removeValue(forKey: Self.binary)
        let arguments = members.removeValue(forKey: Self.args)
        let preferences = members.removeValue(forKey: Self.prefs)
        if let other = members.keys.sorted().first {
            throw Self.invalid("has “\(other)”, which only geckodriver serves; give it to --driver")
        }
        guard binary == nil || binary?.text != nil else { throw Self.invalid("has a binary that is not a path") }
        guard arguments == nil || arguments?.array?.allSatisfy({ $0.text != nil }) == true else {
            throw Self.invalid("has args that are not a list of texts")
        }
        guard preferences == nil || preferences?.object != nil else {
            throw Self.invalid("has prefs that are not an object")
        }
        self.program = binary?.text ?? program
        self.arguments = arguments?.array?.compactMap(\.text) ?? []
        var lines: [String] = []
        for (name, value) in Self.own.merging(preferences?.object ?? [:], uniquingKeysWith: { $1 }) {
            switch value {
            case .bool, .integer, .text:
                lines.append("user_pref(\(Self.literal(.text(name))), \(Self.literal(value)));")
            case .null, .number, .array, .object:
                throw Self.invalid("has the preference “\(name)”, which is not a text, whole number, true or false")
            }
        }
        self.preferences = lines.sorted().joined(separator: "\n") + "\n"
    }

    /// A text, whole number or flag as JavaScript has it.
    private static func literal(_ value: JSONValue) -> String {
        let list = (try? JSONValue.array([value]).bytes()) ?? []
        return String(decoding: list.dropFirst().dropLast(), as: UTF8.self)
    }

    private static func invalid(_ problem: String) -> APIError {
        WebDriverError.invalidArgument.because("“\(capability)” \(problem).")
    }

    static func installed() -> String? { ProgramSearch.path(of: MachineNeed.firefox.programs) }
}
