internal import Foundation
internal import HTTPTypes
package import Hummingbird

/// What a request's `Authorization` header presents.
package enum Credentials: Hashable, Sendable {
    /// A bearer token (RFC 6750 §2.1).
    case bearer(String)
    /// A user's name and password (RFC 7617 §2).
    case basic(user: String, password: String)
    /// A scheme this program does not speak, or a value that breaks its scheme's rules.
    case unreadable
}

extension Request {
    /// What the request presents; nil without an `Authorization` header.
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
