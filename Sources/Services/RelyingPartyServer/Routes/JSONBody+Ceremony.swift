internal import LoopbackHTTP
internal import WebAuthn

extension JSONBody {
    /// Reads a ceremony's response; the other ceremony's response is left for the verifier to refuse.
    static func ceremony<Response: QuicklyReadResponse, Other: Decodable>(
        _ type: PublicKeyCredentialResponse<Response>.Type, insteadOf other: Other.Type, from bytes: [UInt8]
    ) throws(APIError) -> CeremonyBody<PublicKeyCredentialResponse<Response>> {
        if let response = type.init(quickly: bytes) { return CeremonyBody(json: bytes, response: response) }
        do {
            return CeremonyBody(json: bytes, response: try decode(type, from: bytes))
        } catch {
            guard (try? decode(other, from: bytes)) != nil else { throw error }
            return CeremonyBody(json: bytes, response: nil)
        }
    }
}
