internal import CTAPHID

/// Bytes at one place of an input, and the facts that the text around them states.
struct Fragment: Hashable, Sendable {
    /// The sender as the text calls it; a device's log calls the client's messages received.
    enum Side: Hashable, Sendable {
        case sent, received
    }

    enum Layer: Hashable, Sendable {
        /// A CTAPHID report.
        case report
        /// The payload of a CTAPHID message.
        case payload(CTAPHIDCommand)
        /// A command or a response APDU.
        case apdu
    }

    var bytes: [UInt8]
    var side: Side?
    var layer: Layer?
    /// The number of its first line, from 1; nil for an input without lines.
    var line: Int?
    /// The damage of its lines; a fragment without bytes is a line that cannot be read.
    var problems: [DecodingProblem] = []

    /// The beginning of a problem's words that names a line; empty without one.
    static func place(_ line: Int?) -> String { line.map { "line \($0): " } ?? "" }

    /// The 64 bytes of a report, without the report number 0 that some programs put before them.
    static func report(_ bytes: [UInt8]) -> [UInt8] {
        bytes.count == CTAPHIDPacket.length + 1 && bytes[0] == 0 ? Array(bytes.dropFirst()) : bytes
    }
}
