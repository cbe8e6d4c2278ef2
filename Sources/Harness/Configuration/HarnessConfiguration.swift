public import COSE
internal import Foundation
public import Logging
public import RelyingParty
public import WebAuthn

/// How one relying party behaves: who it is, where it listens and what it insists on.
public struct HarnessConfiguration: Sendable {
    /// The RP ID, a domain.
    public var relyingPartyID = "localhost"
    /// The name shown to users.
    public var relyingPartyName = "Touchstone"
    /// The origins responses may come from; nil means `http://localhost:PORT`, known once the port is bound.
    public var origins: [String]?
    /// Other sites that may use this RP ID: published in `/.well-known/webauthn` and accepted as origins
    /// (WebAuthn L3 §5.11).
    public var relatedOrigins: [String] = []
    /// The SQLite file; nil keeps everything in memory until the harness stops.
    public var databasePath: String?
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    public var port = 0
    /// How long a challenge can be answered.
    public var challengeLifetime: Duration = .seconds(300)
    /// How long a sign-in lasts.
    public var sessionLifetime: Duration = .seconds(24 * 60 * 60)
    /// How long a re-authentication allows what needs one.
    public var reauthenticationWindow: Duration = .seconds(300)
    /// What each ceremony asks about user verification; a request may ask for more, never for less.
    public var userVerification = UserVerificationDemands()
    /// What registrations ask about discoverability unless the request says otherwise.
    public var residentKey: ResidentKeyRequirement = .required
    /// What attestation registrations ask for unless the request says otherwise.
    public var attestation: AttestationConveyancePreference = .none
    /// What attestation is accepted; its time is set from ``clock`` whenever it is applied.
    public var attestationPolicy: AttestationPolicy = .notAssessed
    /// What happens when a signature counter does not go up.
    public var counterPolicy: CounterPolicy = .reject
    /// Whether roaming authenticators may be registered.
    public var roamingAllowed = true
    /// The algorithms offered, most wanted first.
    public var algorithms: [COSE.Algorithm] = [.es256, .edDSA, .es384, .es512]
    /// What hashing a password costs.
    public var passwordCost = PasswordCost()
    /// The time since the Unix epoch.
    public var clock: @Sendable () -> Duration = HarnessConfiguration.systemClock
    /// That many random bytes, from a cryptographically secure source unless a test says otherwise.
    public var random: @Sendable (Int) -> [UInt8] = HarnessConfiguration.systemRandom
    /// Where the harness logs; silent unless given.
    public var logger = Logger(label: "touchstone.harness", factory: { _ in SwiftLogNoOpLogHandler() })
    /// Is told of every verification, once its HTTP answer is decided.
    public var onVerdict: @Sendable (HarnessEvent) -> Void = { _ in }

    /// A configuration for tests and demonstrations on this computer.
    public init() {}

    /// The computer's clock.
    public static let systemClock: @Sendable () -> Duration = {
        .milliseconds(Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// The computer's random number generator.
    public static let systemRandom: @Sendable (Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// What each ceremony asks about user verification; `required` is also enforced.
public struct UserVerificationDemands: Hashable, Sendable {
    /// When registering a passkey.
    public var registration: UserVerificationRequirement
    /// When signing in.
    public var signIn: UserVerificationRequirement
    /// When confirming who is there; without verification a session does not become fresh.
    public var reauthentication: UserVerificationRequirement

    /// Demands; everything requires verification unless said otherwise.
    public init(
        registration: UserVerificationRequirement = .required, signIn: UserVerificationRequirement = .required,
        reauthentication: UserVerificationRequirement = .required
    ) {
        self.registration = registration
        self.signIn = signIn
        self.reauthentication = reauthentication
    }
}

/// The parameters of scrypt (RFC 7914 §2).
public struct PasswordCost: Hashable, Sendable {
    /// N, a power of two greater than 1.
    public var rounds: Int
    /// r.
    public var blockSize: Int
    /// p.
    public var parallelism: Int

    /// A cost; 16 MiB and some tens of milliseconds unless said otherwise.
    public init(rounds: Int = 16_384, blockSize: Int = 8, parallelism: Int = 1) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}
