internal import Foundation
internal import JWTKit
internal import SwiftASN1
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
        let payload: SignedPayload
        do {
            payload = try await X5CVerifier(rootCertificates: roots.map { try Certificate(derEncoded: $0) }).verifyJWS(
                token, as: SignedPayload.self, jsonDecoder: PayloadDecoder(time: time)
            ) { NotRevoked(lists: revocationLists, time: time) }
        } catch let error as JWTError {
            let detail = error.reason ?? error.errorType.description
            switch error.errorType {
            case .invalidX5CChain:
                throw .untrusted("its certificates do not lead to a root given, or one is not valid: \(detail)")
            case .signatureVerificationFailed, .missingX5CHeader, .unsupportedAlgorithm: throw .untrusted(detail)
            default: throw .malformed(detail)
            }
        } catch {
            // A certificate, its key or the signature has no valid form.
            throw .untrusted(
                "a certificate, its key or the signature cannot be read: \(CertificateProblem.words(error))")
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

/// Requires a current revocation list of every issuer, none of which names the certificate.
private struct NotRevoked: VerifierPolicy {
    let lists: [CertificateRevocationList]?
    let time: Date
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        guard let lists else { return .meetsPolicy }
        for (certificate, issuer) in zip(chain, chain.dropFirst()) {
            guard let list = lists.first(where: { $0.isCurrent(at: time) && $0.isIssued(by: issuer) }) else {
                return .failsToMeetPolicy(reason: "there is no current revocation list of \(issuer.subject)")
            }
            if list.revokes(certificate) {
                return .failsToMeetPolicy(reason: "the certificate of \(certificate.subject) is revoked")
            }
        }
        return .meetsPolicy
    }
}
