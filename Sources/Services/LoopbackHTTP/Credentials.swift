internal import Foundation
internal import HTTPTypes
package import Hummingbird

/// The credentials in a request's `Authorization` header.
package enum Credentials: Hashable, Sendable {
    /// A bearer token (RFC 6750 §2.1).
    case bearer(String)
    /// A user's name and password (RFC 7617 §2).
    case basic(user: String, password: String)
    /// An unsupported scheme, or a malformed value.
    case unreadable
}

extension Request {
    /// The request's credentials; nil without an `Authorization` header.
    package var credentials: Credentials? {
        guard let authorization = headers[.authorization] else { return nil }
        let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2 else { return .unreadable }
        switch parts[0].lowercased() {
        case "bearer": return .bearer(String(parts[1]))
        case "basic":
            guard let data = Data(base64Encoded: String(parts[1])), let text = String(data: data, encoding: .utf8),
                let colon = text.firstIndex(of: ":")
            else { return .unreadable }
            return .basic(user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
        default: return .unreadable
        }
    }
}
