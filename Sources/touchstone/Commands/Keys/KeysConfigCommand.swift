import ArgumentParser
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
        try await options.withKey { key, person, pin in
            if !yes { try person.confirm("\(person.key) is configured: \(setting.rawValue).", word: "yes") }
            switch setting {
            case .toggleAlwaysUV: try await key.toggleAlwaysUV(pin: pin)
            case .minPINLength: try await key.setMinimumPINLength(value ?? 0, pin: pin)
            case .forcePINChange: try await key.forcePINChange(pin: pin)
            case .enterpriseAttestation: try await key.enableEnterpriseAttestation(pin: pin)
            }
        }
    }
}
