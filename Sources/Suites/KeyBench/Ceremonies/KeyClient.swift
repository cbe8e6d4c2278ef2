package import CTAP
package import SecurityKeys
internal import WebAuthn
package import WebAuthnClient

/// The client between a relying party and a key, in place of a browser.
package enum KeyClient: Sendable {
    /// The bench's own WebAuthn client, over raw CTAP.
    case direct(any CTAPDevice, ClientEnvironment)
    /// libfido2; the last value is whether the key's connection takes one command, as `CTAPDevice` has it.
    case library(any SecurityKey, ClientEnvironment, Bool = false)

    func create(_ options: CreationOptions, origin: String) async throws -> RegistrationResponse {
        switch self {
        case .direct(let device, let environment):
            try await WebAuthnClient(device: device, attachment: .crossPlatform, environment: environment)
                .create(options, origin: Origin(parsing: origin))
        case .library(let key, let environment, let takesOneCommand):
            try await LibraryCeremony(
                key: key, origin: origin, environment: environment, takesOneCommand: takesOneCommand
            ).create(options)
        }
    }

    func get(_ options: RequestOptions, origin: String) async throws -> AuthenticationResponse {
        switch self {
        case .direct(let device, let environment):
            try await WebAuthnClient(device: device, attachment: .crossPlatform, environment: environment)
                .get(options, origin: Origin(parsing: origin))
        case .library(let key, let environment, let takesOneCommand):
            try await LibraryCeremony(
                key: key, origin: origin, environment: environment, takesOneCommand: takesOneCommand
            ).get(options)
        }
    }
}
