internal import LoopbackHTTP

extension JSONBody {
    /// Reads a ceremony's response; the other ceremony's response is left for the verifier to refuse.
    static func ceremony<Response: Decodable & Sendable, Other: Decodable>(
        _ type: Response.Type, insteadOf other: Other.Type, from bytes: [UInt8]
    ) throws(APIError) -> CeremonyBody<Response> {
        do {
            return CeremonyBody(json: bytes, response: try decode(type, from: bytes))
        } catch {
            guard (try? decode(other, from: bytes)) != nil else { throw error }
            return CeremonyBody(json: bytes, response: nil)
        }
    }
}
