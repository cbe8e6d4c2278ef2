internal import GRDB
internal import Mutations
internal import WebAuthn

/// Errors of ceremonies that relying parties have made, each in one place.
package enum CeremonyMutation: String, Mutation {
    package static let room = "ceremony"

    /// A challenge is good for either ceremony.
    case ceremonyKind
    /// An unknown name gets other decoys each time.
    case decoysChange
    /// Every unknown name gets the same decoys.
    case decoysAlike
    /// A refused assertion leaves its counter.
    case refusedCounter
    /// A refusal is an internal error.
    case refusalAsError
    /// The answer to an unknown credential says so.
    case unknownAsNotFound
}

extension Passkey {
    /// Stores the counter of a refused assertion, for ``CeremonyMutation/refusedCounter``.
    func leaveCounter(of response: AuthenticationResponse?, _ db: Database) throws {
        guard let bytes = response?.response.authenticatorData.bytes, let data = try? AuthenticatorData(parsing: bytes)
        else { return }
        try db.execute(
            sql: "UPDATE passkey_credentials SET sign_count = ? WHERE credential_id = ?",
            arguments: [data.signCount, credentialId])
    }
}
