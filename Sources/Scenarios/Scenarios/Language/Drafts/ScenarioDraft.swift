internal import DeviceProfiles
package import Documents
package import ProfileFiles

/// A first scenario, from a few answers: `touchstone scenario new` writes it.
package struct ScenarioDraft: Sendable {
    package enum Flow: String, Sendable, CaseIterable {
        case signIn = "sign-in"
        case cancelled
        case mismatch
        case unlock
        case lockout
        case reEnrolment = "re-enrolment"
        case fallback
        case sync
        case lostPhone = "lost-phone"

        package var meaning: String {
            switch self {
            case .signIn: "the user registers a passkey and signs in"
            case .cancelled: "the user cancels the prompt, then signs in"
            case .mismatch: "a sample does not match, then one does"
            case .unlock: "an app reads a secret behind the sensor"
            case .lockout: "failed attempts lock the sensor, and it unlocks later"
            case .reEnrolment: "a new finger or face destroys an app's secret"
            case .fallback: "a sample does not match, and the passcode signs the user in"
            case .sync: "a passkey from one phone signs the user in on another phone of the account"
            case .lostPhone: "the user signs in with a security key and removes the passkey of a lost phone"
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
        (self.name, self.profiles, self.flow, self.requirements) = (name, profiles, flow, requirements)
    }

    /// - Parameter library: the profiles, whose rules decide the steps.
    /// - Throws: ``SourceError`` for answers that make no scenario.
    package func text(_ library: ProfileLibrary) throws(SourceError) -> String {
        guard !profiles.isEmpty else { throw problem("it has no device; name a profile") }
        var lines = ["# yaml-language-server: $schema=./schema.json", "name: \(Self.quoted(name))"]
        if profiles.count == 1 {
            lines += devices(Self.quoted(profiles[0]))
        } else {
            lines += ["matrix:", "  phone:"] + profiles.map { "    - \(Self.quoted($0))" }
            lines += devices("\"${phone}\"")
        }
        lines += ["", "steps:"] + (try steps(library))
        let text = lines.joined(separator: "\n") + "\n"
        _ = try Scenario.runs(parsing: text, file: "the new scenario")
        return text
    }

    func problem(_ text: String) -> SourceError { SourceError(file: "the new scenario", line: nil, message: text) }

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
