internal import Foundation

/// An environment variable of the program; each begins with `TOUCHSTONE_`.
package enum EnvironmentVariable: String, CaseIterable, Sendable {
    /// A folder of device profiles.
    case profiles = "TOUCHSTONE_PROFILES"
    /// A folder of scenarios.
    case scenarios = "TOUCHSTONE_SCENARIOS"
    /// A folder with descriptions of real keys below `keys`.
    case hardware = "TOUCHSTONE_HARDWARE"
    /// A folder of descriptions of relying parties.
    case relyingParties = "TOUCHSTONE_RELYING_PARTIES"
    /// The folder of the sockets of running devices.
    case runtime = "TOUCHSTONE_RUNTIME"
    /// The access token of a control server.
    case token = "TOUCHSTONE_TOKEN"
    /// The address of a control server, for tests that use one that runs already; the program itself does not read it.
    case url = "TOUCHSTONE_URL"
    /// The PIN of a key.
    case pin = "TOUCHSTONE_PIN"
    /// The new PIN of a key.
    case newPIN = "TOUCHSTONE_NEW_PIN"
    /// The passphrase of a state file.
    case passphrase = "TOUCHSTONE_PASSPHRASE"
    /// The address of a virtual key on UDP, for the library with which OpenSSH and programs with libfido2 use it
    /// (`Sources/Transports/KeyLibrary`); the program itself does not read it.
    case udp = "TOUCHSTONE_UDP"
    /// The Python whose libraries `touchstone bench` compares itself with.
    case python = "TOUCHSTONE_PYTHON"

    package static let prefix = "TOUCHSTONE_"

    /// The value; nil for a variable that is not set.
    package var value: String? { ProcessInfo.processInfo.environment[rawValue] }

    /// The value; nil for a variable that is not set or empty.
    package var nonemptyValue: String? { value.flatMap { $0.isEmpty ? nil : $0 } }

    /// The first name in the environment, in order, that begins with the prefix and is not a variable of the program.
    package static var unknownName: String? {
        ProcessInfo.processInfo.environment.keys
            .filter { $0.hasPrefix(prefix) && EnvironmentVariable(rawValue: $0) == nil }.min()
    }
}
