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

        /// The option by which getInfo says that the key has the setting (CTAP 2.3 §6.4).
        var option: InfoOption {
            switch self {
            case .toggleAlwaysUV: .alwaysUv
            case .minPINLength, .forcePINChange: .setMinPINLength
            case .enterpriseAttestation: .ep
            }
        }
    }

    /// The most characters of a PIN, where a key tells none (CTAP 2.3 §6.5.1).
    private static let mostCharacters = 63

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
        let (info, change) = try await options.withKey(offering: [.configuration]) { key, person, pin in
            let info = try await key.info()
            if let value, let least = info.minPINLength, value < least {
                throw CommandError(
                    "the length cannot be lowered below \(least); give \(least) or more, or reset the key", .badInput)
            }
            let most = info.maxPINLength ?? Self.mostCharacters
            if let value, value > most {
                throw CommandError("a PIN has at most \(most) characters; give \(most) or less", .badInput)
            }
            if let idleness = Self.idleness(setting, value, info) {
                throw CommandError(idleness, .badInput)
            }
            let consequence = Self.consequence(setting, info)
            try confirmation.confirm("This will configure \(person.key): \(setting.rawValue). " + consequence)
            do {
                try await Self.change(setting, value, key, pin)
            } catch let error as SecurityKeyError where Self.isUnknown(error, setting, info) {
                throw CommandError(
                    "\(error): this key cannot have \(setting.rawValue), which its getInfo does not list as the option "
                        + "\(setting.option.rawValue); \(person.command("info")) shows the options of a key",
                    .checkFailed)
            }
            return (try await key.info(), person.command("pin change"))
        }
        Terminal.writeError(Self.sentence(setting, info, change))
    }

    private static func change(_ setting: Setting, _ value: Int?, _ key: any SecurityKey, _ pin: String?) async throws {
        switch setting {
        case .toggleAlwaysUV: try await key.toggleAlwaysUV(pin: pin)
        case .minPINLength: try await key.setMinimumPINLength(value ?? 0, pin: pin)
        case .forcePINChange: try await key.forcePINChange(pin: pin)
        case .enterpriseAttestation: try await key.enableEnterpriseAttestation(pin: pin)
        }
    }

    /// Whether the key refuses a setting because it does not have it.
    private static func isUnknown(_ error: SecurityKeyError, _ setting: Setting, _ info: AuthenticatorInfo) -> Bool {
        let refusals: [CTAPStatus?] = [.invalidSubcommand, .invalidParameter, .unsupportedOption]
        return refusals.contains(error.status) && info.option(setting.option) == nil
    }

    /// The reason why a setting changes nothing; nil for one that does.
    private static func idleness(_ setting: Setting, _ length: Int?, _ info: AuthenticatorInfo) -> String? {
        switch setting {
        case .toggleAlwaysUV: nil
        case .minPINLength:
            length == (info.minPINLength ?? 4)
                ? "a PIN has at least \(info.minPINLength ?? 4) characters already; give a greater length" : nil
        case .forcePINChange:
            info.forcePINChange == true ? "the PIN must be changed already; change it, or leave the command out" : nil
        case .enterpriseAttestation:
            info.option(.ep) == true ? "enterprise attestation is on already; leave the command out" : nil
        }
    }

    private static func consequence(_ setting: Setting, _ info: AuthenticatorInfo) -> String {
        let undoing = "Only a reset undoes it."
        switch setting {
        case .toggleAlwaysUV:
            return info.option(.alwaysUv) == true
                ? "It will verify the user only on request." : "It will verify the user at every use."
        case .minPINLength:
            // CTAP 2.3 §6.11.4: a PIN whose length the key does not know counts as too short.
            let hasPIN = info.option(.clientPin) == true
            return undoing + (hasPIN ? " A shorter PIN must be changed before the next use of the key." : "")
        case .forcePINChange: return "The PIN must be changed before the next use of the key."
        case .enterpriseAttestation: return undoing
        }
    }

    /// - Parameter change: the command that changes the key's PIN.
    private static func sentence(_ setting: Setting, _ info: AuthenticatorInfo, _ change: String) -> String {
        switch setting {
        case .toggleAlwaysUV:
            info.option(.alwaysUv) == true
                ? "The key always requires user verification." : "The key verifies the user only on request."
        case .minPINLength, .forcePINChange:
            "A PIN has at least \(info.minPINLength ?? 4) characters."
                + (info.forcePINChange == true ? " It must be changed before the next use: \(change)." : "")
        case .enterpriseAttestation:
            info.option(.ep) == true ? "Enterprise attestation is on." : "Enterprise attestation is still off."
        }
    }
}
