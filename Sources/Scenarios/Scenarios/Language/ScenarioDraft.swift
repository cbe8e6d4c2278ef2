package import Documents

/// A first scenario, from a few answers: `touchstone scenario new` writes it.
package struct ScenarioDraft: Sendable {
    package enum Flow: String, Sendable, CaseIterable {
        case signIn = "sign-in"
        case cancelled
        case mismatch
        case unlock

        package var meaning: String {
            switch self {
            case .signIn: "the user registers a passkey and signs in"
            case .cancelled: "the user cancels the prompt, then signs in"
            case .mismatch: "a sample does not match, then one does"
            case .unlock: "an app reads a secret behind the sensor"
            }
        }
    }

    package var name: String
    /// The profiles of the device; each is a run.
    package var profiles: [String]
    package var flow: Flow
    /// The requirements that the last step shows.
    package var requirements: [String]

    package init(name: String, profiles: [String], flow: Flow, requirements: [String] = []) {
        self.name = name
        self.profiles = profiles
        self.flow = flow
        self.requirements = requirements
    }

    /// - Throws: ``SourceError`` for answers that make no scenario.
    package func text() throws(SourceError) -> String {
        guard !profiles.isEmpty else {
            throw SourceError(file: "the new scenario", line: nil, message: "it has no device; name a profile")
        }
        var lines = ["# yaml-language-server: $schema=./schema.json", "name: \(Self.quoted(name))"]
        if profiles.count == 1 {
            lines.append("devices: { phone: \(Self.quoted(profiles[0])) }")
        } else {
            lines += ["matrix:", "  phone:"] + profiles.map { "    - \(Self.quoted($0))" }
            lines.append("devices: { phone: \"${phone}\" }")
        }
        lines += ["", "steps:"] + steps
        let text = lines.joined(separator: "\n") + "\n"
        _ = try Scenario.runs(parsing: text, file: "the new scenario")
        return text
    }

    private var steps: [String] {
        let shown = requirements.isEmpty ? "" : "requirements: [\(requirements.joined(separator: ", "))], "
        let account = [
            "  - create-account: ada@example.com", "  - register: { expect: { http: 201 } }", "  - sign-out",
        ]
        switch flow {
        case .signIn: return account + ["  - sign-in: { \(shown)expect: { http: 200 } }"]
        case .cancelled:
            return account + [
                "  - sign-in: { person: cancel, expect: { outcome: refused, cause: userCancelled } }",
                "  - sign-in: { \(shown)expect: { http: 200 } }",
            ]
        case .mismatch:
            return account + [
                "  # After the last act of the list the user agrees.",
                "  - sign-in: { person: [no-match, match], \(shown)expect: { http: 200 } }",
            ]
        case .unlock:
            return [
                "  - store-secret: { name: session }",
                "  - app: kill",
                "  - app: launch",
                "  - read-secret: { name: session, \(shown)expect: { answer: token } }",
            ]
        }
    }

    /// A text in double quotation marks, as YAML and JSON write it.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value == 0x2028:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        // A placeholder of the name would be a parameter.
        return result.replacing("${", with: "$${") + "\""
    }
}
