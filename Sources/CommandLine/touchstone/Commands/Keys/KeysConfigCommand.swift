import ArgumentParser
import CTAP
import SecurityKeys

/// `touchstone keys config`.
struct KeysConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Configure a key (authenticatorConfig).",
        discussion: "Only a reset undoes a setting, except always-uv on most keys.")

    enum Setting: String, ExpressibleByArgument, CaseIterable {
        case toggleAlwaysUV = "toggle-always-uv"
        case minPINLength = "min-pin-length"
        case forcePINChange = "force-pin-change"
        case enterpriseAttestation = "enterprise-attestation"
    }

    @Argument(help: "The setting to change.")
    var setting: Setting

    @Argument(help: "The length, for min-pin-length.")
    var value: Int?

    @OptionGroup var options: ManagedKeyOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func validate() throws {
        guard (setting == .minPINLength) == (value != nil) else {
            throw ValidationError("min-pin-length takes a length; the other settings take none.")
        }
    }

    func run() async throws {
        let info = try await options.withKey(offering: [.configuration]) { key, person, pin in
            try confirmation.confirm("\(person.key) is configured: \(setting.rawValue).", with: person)
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

    /// The key's setting after the change.
    private static func sentence(_ setting: Setting, _ info: AuthenticatorInfo) -> String {
        switch setting {
        case .toggleAlwaysUV:
            info.option(.alwaysUv) == true
                ? "The key always requires user verification." : "The key verifies the user only on request."
        case .minPINLength, .forcePINChange:
            "A PIN has at least \(info.minPINLength ?? 4) characters."
                + (info.forcePINChange == true
                    ? " It must be changed before the next use: `keys pin change`." : "")
        case .enterpriseAttestation:
            info.option(.ep) == true ? "Enterprise attestation is on." : "Enterprise attestation is still off."
        }
    }
}
