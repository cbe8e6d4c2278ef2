internal import Foundation
internal import WebAuthn

/// Google's list of revoked Android attestation keys, the JSON at `https://android.googleapis.com/attestation/status`.
///
/// `{"entries": {"serial number in lower-case hexadecimal": {"status": "REVOKED" or "SUSPENDED", "reason"?}}}`
public struct AndroidRevocationList: Hashable, Sendable {
    private struct Content: Codable {
        let entries: [String: Entry]
    }

    private struct Entry: Hashable, Codable {
        let status: String
        let reason: String?
    }

    private let entries: [String: Entry]

    /// Reads a list.
    ///
    /// - Throws: ``MetadataError/malformed(_:)``.
    public init(json: [UInt8]) throws(MetadataError) {
        do {
            entries = try JSONDecoder().decode(Content.self, from: Data(json)).entries
        } catch {
            throw .malformed(
                "the file is not Google's list of revoked keys in JSON with `entries`, each with a `status`")
        }
    }

    /// The status and the reason of a revoked or suspended certificate, such as `REVOKED, KEY_COMPROMISE`; nil for others.
    func status(ofSerialNumber bytes: some Sequence<UInt8>) -> String? {
        let digits = String(Hex.encode(Array(bytes)).drop { $0 == "0" })
        return entries[digits].map { entry in [entry.status, entry.reason].compactMap(\.self).joined(separator: ", ") }
    }
}
