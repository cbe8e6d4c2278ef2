internal import Mutations

/// Behaviours of the client that a mutation run switches off.
package enum ClientMutation: String, Mutation {
    package static let room = "client"

    /// The origin must match the RP ID.
    case relyingPartyID
    /// A second request is refused while one waits.
    case pendingRequest
    /// A dialog needs a gesture where the platform says so.
    case gesture
    /// A conditional request needs a platform that has them.
    case conditionalMediation
}
