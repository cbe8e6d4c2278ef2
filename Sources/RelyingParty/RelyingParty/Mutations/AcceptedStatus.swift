internal import Mutations

/// A status of a model that the metadata reports and the verifier does not act on.
package struct AcceptedStatus: Mutation {
    package static let room = "verifier"
    package static let allCases = AuthenticatorStatus.compromised.map(AcceptedStatus.init)
        .sorted { $0.name < $1.name }

    let status: AuthenticatorStatus

    package var name: String { "accepts:\(status.rawValue)" }
}
