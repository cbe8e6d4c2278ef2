import ArgumentParser
import CTAP
import SecurityKeys

/// `touchstone keys config`.
struct KeysConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Configure a key (authenticatorConfig).",
        discussion: "What is made stricter here only a reset makes laxer again, except always-uv on most keys.")

    enum Setting: String, ExpressibleByArgument, CaseIterable {
        case toggleAlwaysUV = "toggle-always-uv"
        case minPINLength = "min-pin-length"
        case forcePINChange = "force-pin-change"
        case enterpriseAttestation = "enterprise-attestation"
    }

    @Argument(help: "What to set.")
    var setting: Setting

    @Argument(help: "The length, for min-pin-length.")
    var value: Int?

    @OptionGroup var options: ManagedKeyOptions
    @Flag(help: "Do not ask.")
    var yes = false

    func validate() throws {
        guard (setting == .minPINLength) == (value != nil) else {
            throw ValidationError("min-pin-length wants a length, and nothing else does.")
        }
    }

    func run() async throws {
        let info = try await options.withKey(offering: [.configuration]) { key, person, pin in
            if !yes { try person.confirm("\(person.key) is configured: \(setting.rawValue).", word: "yes") }
            switch setting {
            case .toggleAlwaysUV: try await key.toggleAlwaysUV(pin: pin)
            case .minPINLength: try await key.setMinimumPINLength(value ?? 0, pin: pin)
            case .forcePINChange: try await key.forcePINChange(pin: pin)
            case .enterpriseAttestation: try await key.enableEnterpriseAttestation(pin: pin)
            }
            return try await key.info()
        }
        Terminal.writeError(Self.sentence(setting, info))
    }

    /// How the key is now.
    private static func sentence(_ setting: Setting, _ info: AuthenticatorInfo) -> String {
        switch setting {
        case .toggleAlwaysUV:
            info.option(.alwaysUv) == true
                ? "The key always verifies its person now." : "The key verifies its person only when asked to."
        case .minPINLength, .forcePINChange:
            "A PIN has \(info.minPINLength ?? 4) characters at least."
                + (info.forcePINChange == true
                    ? " It has to be changed before it is used again: `keys pin change`." : "")
        case .enterpriseAttestation:
            info.option(.ep) == true ? "Enterprise attestation is on." : "Enterprise attestation is still off."
        }
    }
}
