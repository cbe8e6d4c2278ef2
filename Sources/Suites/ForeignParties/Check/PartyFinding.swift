/// One line of a check of a relying party.
package struct PartyFinding: Encodable, Hashable, Sendable {
    /// The checked capabilities, in the order of the check.
    package enum Subject: String, Encodable, CaseIterable, Sendable {
        case account
        case registrationBegin = "registration begin"
        case registrationComplete = "registration complete"
        case signInBegin = "sign-in begin"
        case signInComplete = "sign-in complete"
        case identity
        case passkeys
        case reauthentication
        case cookies
        case csrf
        case signOut = "sign-out"
        case wrongSignature = "wrong signature refused"
        case error
        case usedChallenge = "used challenge refused"
        case deletedPasskey = "passkey deleted"
    }

    package enum Outcome: String, Encodable, Sendable {
        case works, fails
        /// The description does not say how, or an earlier line fails.
        case skipped
    }

    package let subject: Subject
    package let outcome: Outcome
    /// One sentence about the observation.
    package let detail: String
}
