internal import Foundation
public import WebAuthn

/// A publication of the FIDO Metadata Service: the metadata of authenticator models (FIDO Metadata Service 3.1 §3.1).
public struct MetadataBLOB: Hashable, Sendable {
    /// The number, which rises with each publication.
    public let number: Int
    /// The time by which the next one is published, since the Unix epoch.
    public let nextUpdate: Duration
    /// The models.
    public let entries: [MetadataEntry]

    /// The contents of a publication whose signature was verified elsewhere.
    package init(number: Int, nextUpdate: Duration, entries: [MetadataEntry]) {
        (self.number, self.nextUpdate, self.entries) = (number, nextUpdate, entries)
    }

    /// The entry of a model; nil when there is none.
    public func entry(for model: AAGUID) -> MetadataEntry? { entries.first { $0.describes(model) } }

    /// The day of the next BLOB, such as `2026-01-31`, if that day has passed; otherwise nil.
    package func outdatedSince(_ now: Duration) -> String? {
        guard now >= nextUpdate + .seconds(86_400) else { return nil }
        return Date(timeIntervalSince1970: Double(nextUpdate.components.seconds)).day
    }

    /// The start of a day such as `2026-01-31`, since the Unix epoch; nil for any other text.
    package static func day(_ text: String) -> Duration? {
        guard let date = try? Date(text, strategy: .iso8601.year().month().day()) else { return nil }
        return .seconds(Int64(date.timeIntervalSince1970))
    }
}

/// The reason for refusing a metadata BLOB or a revocation list.
public enum MetadataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The data is neither a BLOB nor a revocation list.
    case malformed(String)
    /// The signature does not verify, or its certificates lead to no root.
    case untrusted(String)
    /// The BLOB is not newer than the one before.
    case notNewer(number: Int, previous: Int)

    /// The problem, then the remedy.
    public var description: String {
        switch self {
        case .malformed(let detail): "the data cannot be read: \(detail)"
        case .untrusted(let detail): "the metadata BLOB is not trusted: \(detail)"
        case .notNewer(let number, let previous):
            "the metadata BLOB has number \(number), not more than \(previous); use the latest one"
        }
    }
}
