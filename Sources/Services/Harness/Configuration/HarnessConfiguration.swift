package import COSE
internal import Foundation
package import Logging
package import RelyingParty
package import WebAuthn

/// How one relying party behaves: who it is, where it listens and what it insists on.
package struct HarnessConfiguration: Sendable {
    /// The RP ID, a domain.
    package var relyingPartyID = "localhost"
    /// The name shown to users.
    package var relyingPartyName = "Touchstone"
    /// The origins responses may come from; nil means `http://localhost:PORT`, known once the port is bound.
    package var origins: [String]?
    /// Other sites that may use this RP ID: published in `/.well-known/webauthn` and accepted as origins
    /// (WebAuthn L3 §5.11).
    package var relatedOrigins: [String] = []
    /// The SQLite file; nil keeps everything in memory until the harness stops.
    package var databasePath: String?
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    package var port = 0
    /// How long a challenge can be answered.
    package var challengeLifetime: Duration = .seconds(300)
    /// How long a sign-in lasts.
    package var sessionLifetime: Duration = .seconds(24 * 60 * 60)
    /// How long a re-authentication allows what needs one.
    package var reauthenticationWindow: Duration = .seconds(300)
    /// What each ceremony asks about user verification; a request may ask for more, never for less.
    package var userVerification = UserVerificationDemands()
    /// What registrations ask about discoverability unless the request says otherwise.
    package var residentKey: ResidentKeyRequirement = .required
    /// What attestation registrations ask for unless the request says otherwise.
    package var attestation: AttestationConveyancePreference = .none
    /// What attestation is accepted; its time is set from ``clock`` whenever it is applied.
    package var attestationPolicy: AttestationPolicy = .notAssessed
    /// What happens when a signature counter does not go up.
    package var counterPolicy: CounterPolicy = .reject
    /// Whether roaming authenticators may be registered.
    package var roamingAllowed = true
    /// The algorithms offered, most wanted first.
    package var algorithms: [COSE.Algorithm] = [.es256, .edDSA, .es384, .es512]
    /// What hashing a password costs.
    package var passwordCost = PasswordCost()
    /// The time since the Unix epoch.
    package var clock: @Sendable () -> Duration = HarnessConfiguration.systemClock
    /// That many random bytes, from a cryptographically secure source unless a test says otherwise.
    package var random: @Sendable (Int) -> [UInt8] = HarnessConfiguration.systemRandom
    /// Where the harness logs; silent unless given.
    package var logger = Logger(label: "touchstone.harness", factory: { _ in SwiftLogNoOpLogHandler() })
    /// Is told of every verification, once its HTTP answer is decided.
    package var onVerdict: @Sendable (HarnessEvent) -> Void = { _ in }

    /// A configuration for tests and demonstrations on this computer.
    package init() {}

    /// The computer's clock.
    package static let systemClock: @Sendable () -> Duration = {
        .milliseconds(Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// The computer's random number generator.
    package static let systemRandom: @Sendable (Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// What each ceremony asks about user verification; `required` is also enforced.
package struct UserVerificationDemands: Hashable, Sendable {
    /// When registering a passkey.
    package var registration: UserVerificationRequirement
    /// When signing in.
    package var signIn: UserVerificationRequirement
    /// When confirming who is there; without verification a session does not become fresh.
    package var reauthentication: UserVerificationRequirement

    /// Demands; everything requires verification unless said otherwise.
    package init(
        registration: UserVerificationRequirement = .required, signIn: UserVerificationRequirement = .required,
        reauthentication: UserVerificationRequirement = .required
    ) {
        self.registration = registration
        self.signIn = signIn
        self.reauthentication = reauthentication
    }
}

/// The parameters of scrypt (RFC 7914 §2).
package struct PasswordCost: Hashable, Sendable {
    /// N, a power of two greater than 1.
    package var rounds: Int
    /// r.
    package var blockSize: Int
    /// p.
    package var parallelism: Int

    /// A cost; 16 MiB and some tens of milliseconds unless said otherwise.
    package init(rounds: Int = 16_384, blockSize: Int = 8, parallelism: Int = 1) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}
