internal import Foundation
internal import JWTKit
public import RelyingParty
internal import SwiftASN1
internal import WebAuthn
internal import X509

extension MetadataBLOB {
    /// Reads a BLOB by the rules of FIDO Metadata Service 3.1 §3.2.
    ///
    /// The certificates must be in the header (`x5c`); a BLOB that names an address for them (`x5u`) is refused, because
    /// the verifier downloads nothing.
    ///
    /// - Parameters:
    ///   - jws: the BLOB, a JWS in compact form.
    ///   - roots: the service's root certificates, in DER.
    ///   - revocationLists: the lists of the certificates' issuers, one of each; nil leaves revocation unchecked.
    ///   - previous: the number of the last BLOB used, which this one's must exceed; nil for none.
    ///   - now: the time, since the Unix epoch.
    /// - Throws: ``MetadataError``.
    public init(
        jws: [UInt8], roots: [[UInt8]], revocationLists: [CertificateRevocationList]? = nil, after previous: Int? = nil,
        now: Duration
    ) async throws(MetadataError) {
        let time = Date(timeIntervalSince1970: Double(now.components.seconds))
        var token = jws
        // A file may end with a line break.
        while let last = token.last, last <= 0x20 { token.removeLast() }
        let anchors: [Certificate]
        do {
            anchors = try roots.map { try Certificate(derEncoded: $0) }
        } catch {
            throw .untrusted("a given root is not a certificate; give the service's root in PEM")
        }
        try await MetadataSigner(token).check(anchors, revocationLists, at: time)
        let payload: SignedPayload
        do {
            payload = try await X5CVerifier(rootCertificates: anchors).verifyJWS(
                token, as: SignedPayload.self, jsonDecoder: PayloadDecoder(time: time))
        } catch let error as JWTError where error.errorType == .unsupportedAlgorithm {
            throw .untrusted("the algorithm in its header is not supported")
        } catch let error as JWTError where error.errorType == .malformedToken {
            throw .malformed(SignedPayload.problem(in: token))
        } catch {
            throw .untrusted("its signature does not verify with the certificate in its header")
        }
        guard let nextUpdate = Self.day(payload.content.nextUpdate) else {
            throw .malformed("nextUpdate is “\(payload.content.nextUpdate)”, not a date")
        }
        if let previous, payload.content.no <= previous {
            throw .notNewer(number: payload.content.no, previous: previous)
        }
        self.init(number: payload.content.no, nextUpdate: nextUpdate, entries: payload.content.entries)
    }
}

/// The BLOB's payload, whose certificates are validated at a given time; the library's default is the system clock.
private struct SignedPayload: ValidationTimePayload {
    struct Content: Codable {
        let no: Int
        let nextUpdate: String
        let entries: [MetadataEntry]
    }

    let content: Content
    fileprivate(set) var signedDate = Date.distantPast

    init(from decoder: any Decoder) throws { content = try Content(from: decoder) }

    func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }

    /// The mistake in a payload that cannot be read; the library only has a text for its developers.
    static func problem(in token: [UInt8]) -> String {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let json = parts.count == 3 ? Base64URL.decode(String(decoding: parts[1], as: UTF8.self)) : nil
        do {
            _ = try JSONDecoder().decode(Content.self, from: Data(json ?? []))
        } catch DecodingError.keyNotFound(let key, let context) {
            return
                "`\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))` is missing in the payload"
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return "`\(path)` in the payload is not of the type that FIDO Metadata Service 3.1 §3.1 states"
        } catch {}
        return "the payload is not JSON"
    }

    /// The payload has no claims of a JWT.
    func verify(using algorithm: some JWTAlgorithm) {}
}

/// Reads JSON, and puts the time of validation into the payload.
private struct PayloadDecoder: JWTJSONDecoder {
    let time: Date

    func decode<Content: Decodable>(_ type: Content.Type, from data: Data) throws -> Content {
        let content = try JSONDecoder().decode(type, from: data)
        guard var payload = content as? SignedPayload else { return content }
        payload.signedDate = time
        return payload as? Content ?? content
    }
}
