/// A revision of the Model Context Protocol, which is named by its date.
package struct ContextRevision: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The newest revision: each request states it, and there is no handshake.
    package static let current = ContextRevision(rawValue: "2026-07-28")

    /// The revisions that begin with a handshake, the newest first.
    package static let withHandshake = ["2025-11-25", "2025-06-18"].map(ContextRevision.init(rawValue:))

    /// The revisions that this server follows, the newest first.
    package static let all = [current] + withHandshake

    /// The revision that a handshake agrees on: the client's, or the newest one with a handshake.
    static func agreed(with wanted: String) -> ContextRevision {
        withHandshake.first { $0.rawValue == wanted } ?? withHandshake[0]
    }
}
