internal import Mutations

/// Behaviours of the relying party that a mutation run switches off.
package enum RelyingPartyMutation: String, Mutation {
    package static let room = "relying-party"

    /// A challenge is good once.
    case singleUseChallenge
    /// A challenge expires.
    case challengeLifetime
    /// A challenge belongs to one session.
    case challengeSession
    /// The last credential stays.
    case lastCredential
    /// Changes of credentials need a fresh session.
    case freshSession
    /// A new credential needs a recent proof of the account.
    case recentSession
    /// A user reaches only their own passkeys.
    case ownPasskeys
    /// A removed passkey ends the sessions it opened.
    case endedSessions
    /// Registration excludes the account's passkeys.
    case excludeList
    /// A request for an unknown name looks like one for a known name.
    case decoys
    /// A sign-in moves the last use.
    case lastUse
    /// A sign-in stores the counter.
    case storedCounter
    /// Many wrong passwords block further attempts for a while.
    case passwordAttempts
    /// A relying party without roaming authenticators refuses them.
    case roaming
    /// Only a verified user makes a session fresh.
    case verifiedUser
    /// A signed-out session has no account.
    case signOut
}
