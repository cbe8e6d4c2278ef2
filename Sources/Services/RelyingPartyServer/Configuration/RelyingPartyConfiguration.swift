package import COSE
internal import Foundation
package import Logging
package import Machine
package import RelyingParty
package import WebAuthn

/// A relying party's configuration: its identity, address and policies.
package struct RelyingPartyConfiguration: Sendable {
    /// The RP ID, a domain.
    package var relyingPartyID = "localhost"
    package var relyingPartyName = "Touchstone"
    /// The accepted origins; nil means `http://localhost:PORT`, known once the port is bound.
    package var origins: [String]?
    /// The related origins: published in `/.well-known/webauthn`, and accepted as origins (WebAuthn L3 §5.11).
    package var relatedOrigins: [String] = []
    /// The SQLite file; nil for a database in memory.
    package var databasePath: String?
    /// Whether responses may come from cross-origin frames.
    package var crossOriginAllowed = false
    /// The origins of the top-level pages that may frame the relying party.
    package var topOrigins: [String] = []
    /// The level of WebAuthn whose steps are verified.
    package var level: WebAuthnLevel = .three
    package var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    package var port = 0
    package var challengeLifetime: Duration = .seconds(300)
    package var sessionLifetime: Duration = .seconds(24 * 60 * 60)
    /// The time for which a session stays fresh after a verified use of a passkey, and in which a credential may be
    /// added after the password or the creation of the account.
    package var reauthenticationWindow: Duration = .seconds(300)
    /// The requirements for user verification; a request may raise them, never lower them.
    package var userVerification = UserVerificationRequirements()
    /// The default requirement for discoverability.
    package var residentKey: ResidentKeyRequirement = .required
    package var attestation: AttestationConveyancePreference = .none
    /// The attestation policy; certificates are judged at the time of ``clock``.
    package var attestationPolicy: AttestationPolicy = .notAssessed
    /// The reaction to a signature counter that did not increase.
    package var counterPolicy: CounterPolicy = .reject
    /// The AppID of credentials that were registered with U2F, such as `https://example.org`; nil for none.
    ///
    /// With it a sign-in asks for the extension appid (WebAuthn L3 §10.1.1).
    package var appID: String?
    package var roamingAllowed = true
    /// The offered algorithms, most preferred first.
    package var algorithms: [COSE.Algorithm] = [.es256, .edDSA, .es384, .es512, .rs256]
    package var maximumPasskeys = 20
    /// The number of sessions without a user; further ones replace the oldest.
    package var maximumAnonymousSessions = 1000
    package var removal: RemovalGuard = .assertion
    package var attemptLimits = AttemptLimits()
    package var passwordCost = ScryptCost.ofThisBuild
    package var services: [any RelyingPartyService] = []
    package var conditions = ServerConditions()
    /// Lets a span pass, for the latency of the server's trouble.
    package var pass: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// The time since the Unix epoch.
    package var clock: @Sendable () -> Duration = RelyingPartyConfiguration.systemClock
    /// The time since the Unix epoch of a computer that delivers e-mail, which setting ``clock`` does not change; nil:
    /// ``clock``.
    package var mailClock: (@Sendable () -> Duration)?
    /// Returns this many random bytes; default: from a cryptographically secure source.
    package var random: @Sendable (Int) -> [UInt8] = RelyingPartyConfiguration.systemRandom
    package var logger = Logger(label: "touchstone.server", factory: { _ in SwiftLogNoOpLogHandler() })
    /// Called with every verification, after its HTTP response is decided.
    package var onVerdict: @Sendable (RelyingPartyEvent) -> Void = { _ in }

    package init() {}

    package static let systemClock: @Sendable () -> Duration = MachineClock.shared.now

    package static let systemRandom: @Sendable (Int) -> [UInt8] = { count in
        // One call of the system for all bytes.
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let start = buffer.baseAddress { arc4random_buf(start, count) }
            filled = count
        }
    }
}

/// The requirements for user verification of each ceremony; `required` is enforced.
package struct UserVerificationRequirements: Hashable, Sendable {
    package var registration: UserVerificationRequirement
    package var signIn: UserVerificationRequirement
    /// In a re-authentication; without verification a session does not become fresh.
    package var reauthentication: UserVerificationRequirement

    package init(
        registration: UserVerificationRequirement = .required, signIn: UserVerificationRequirement = .required,
        reauthentication: UserVerificationRequirement = .required
    ) {
        self.registration = registration
        self.signIn = signIn
        self.reauthentication = reauthentication
    }
}

/// The precondition for the removal of a passkey.
package enum RemovalGuard: String, CaseIterable, Hashable, Sendable {
    /// A fresh assertion, which the relying party verifies.
    case assertion
    /// Nothing: the relying party trusts the check that the app makes on its device.
    case localCheck = "local-check"
}

/// The limits of attempts at a password: after the free ones, each failure doubles the wait for the next.
package struct AttemptLimits: Hashable, Sendable {
    /// The number of free attempts at one account.
    package var perAccount = 5
    /// The number of free attempts from one address, at any accounts.
    package var perAddress = 20
    package var firstWait: Duration = .seconds(30)
    package var longestWait: Duration = .seconds(3600)
}
