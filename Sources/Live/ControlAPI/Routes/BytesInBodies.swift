internal import Documents
internal import LoopbackHTTP
internal import WebAuthn

extension Schema {
    static let credentialID = Schema.pattern("[A-Za-z0-9_-]{1,2000}", 1...2000, words: "base64url")
}

extension JSONValue {
    /// The bytes of a member that is unpadded base64url.
    func bytes(of member: String) throws(APIError) -> [UInt8] {
        guard let bytes = self[member]?.text.flatMap(Base64URL.decode) else { throw .malformedBytes(member) }
        return bytes
    }
}

extension APIError {
    static func malformedBytes(_ member: String) -> APIError {
        APIError(422, "base64url.malformed", "The member \(member) must be base64url without padding (RFC 4648 §5).")
    }
}
