internal import CTAPHID

/// Bytes that an input has in one place, with what the text around them says of them.
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
    /// The number of its first line, from 1.
    var line = 1
}
