internal import Foundation

/// The check of the token binding in client data (WebAuthn L2 §7.1 step 10, §7.2 step 14), which Level 3 dropped.
///
/// No connection of today negotiates token binding, so a client that claims it was not on this connection.
enum TokenBindingCheck {
    private struct Members: Decodable {
        struct TokenBinding: Decodable {
            let status: String
        }

        let tokenBinding: TokenBinding?
    }

    static func reasons(in clientDataJSON: [UInt8]) -> [Reason] {
        guard let members = try? JSONDecoder().decode(Members.self, from: Data(clientDataJSON)) else {
            return [Reason(.tokenBindingMalformed, "tokenBinding is not an object with a status")]
        }
        // "supported" is a statement about the client alone; unknown statuses are ignored (WebAuthn L2 §5.8.1).
        guard members.tokenBinding?.status == "present" else { return [] }
        return [Reason(.tokenBindingUnexpected, "client data claims a token binding; the connection has none")]
    }
}
