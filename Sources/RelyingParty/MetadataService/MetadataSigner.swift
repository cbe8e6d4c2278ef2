internal import Foundation
internal import RelyingParty
internal import SwiftASN1
internal import WebAuthn
@_spi(FixedExpiryValidationTime) internal import X509

/// The certificates in a BLOB's header, leaf first.
///
/// They are checked before the signature, because a library's refusal does not name the certificate and its problem.
struct MetadataSigner {
    private let path: [Certificate]

    private struct Header: Decodable {
        let x5c: [String]?
        let x5u: String?
    }

    /// - Parameter token: a JWS in compact form, whose first part is the header in base64url (RFC 7515 §7.1).
    init(_ token: [UInt8]) throws(MetadataError) {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let first = parts.first,
            let json = Base64URL.decode(String(decoding: first, as: UTF8.self)),
            let header = try? JSONDecoder().decode(Header.self, from: Data(json))
        else { throw .malformed("the file is not a JWS in compact form; give the BLOB as the service sends it") }
        guard let texts = header.x5c, !texts.isEmpty else {
            throw .untrusted(
                header.x5u == nil
                    ? "its header has no certificates (x5c)"
                    : "its header names an address for the certificates (x5u), and nothing is downloaded")
        }
        do {
            path = try texts.map { try Certificate(derEncoded: Array(Data(base64Encoded: $0) ?? Data())) }
        } catch {
            throw .untrusted("a certificate in its header (x5c) cannot be read")
        }
    }

    /// Requires a path of valid certificates to a root, none of them revoked (FIDO Metadata Service 3.1 §3.2).
    func check(
        _ roots: [Certificate], _ lists: [CertificateRevocationList]?, at time: Date
    ) async throws(MetadataError) {
        for certificate in path { if let problem = certificate.problem(at: time) { throw .untrusted(problem) } }
        var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
            RFC5280Policy(fixedExpiryValidationTime: time)
        }
        let result = await verifier.validate(leaf: path[0], intermediates: CertificateStore(path.dropFirst()))
        guard case .validCertificate(let chain) = result else {
            for root in roots { if let problem = root.problem(at: time) { throw .untrusted(problem) } }
            let last = path.last { $0.issuer != $0.subject } ?? path[0]
            throw .untrusted(
                "the certificate of \(path[0].name) leads to none of the given roots; the last issuer on its path is \(last.issuer)"
            )
        }
        guard let lists else { return }
        for (certificate, issuer) in zip(chain, chain.dropFirst()) {
            guard let list = lists.first(where: { $0.isCurrent(at: time) && $0.isIssued(by: issuer) }) else {
                throw .untrusted("there is no current revocation list of \(issuer.subject)")
            }
            if list.revokes(certificate) { throw .untrusted("the certificate of \(certificate.name) is revoked") }
        }
    }
}
