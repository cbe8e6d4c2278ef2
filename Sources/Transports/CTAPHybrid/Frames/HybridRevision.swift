/// The revision of the protocol after the handshake.
///
/// The QR code and the phone's first message decide it: phones use 2.1 when the code has key 4, whatever its value.
package enum HybridRevision: Hashable, Sendable, CaseIterable {
    /// A padded first message; CTAP messages without a type byte.
    case version20
    /// A plain first message; frames begin with a type byte.
    case version21
}

/// The encryption of frames.
package enum FrameConstruction: Hashable, Sendable, CaseIterable {
    /// The older one: the counter in the first four bytes of the nonce, little-endian, and the byte 02 as associated data.
    case littleEndian
    /// CTAP 2.3's: the counter in the last four bytes of the nonce, big-endian, and no associated data.
    case bigEndian

    /// The nonce of a counter, 12 bytes.
    func nonce(_ counter: UInt32) -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: 8)
        switch self {
        case .littleEndian: return counter.littleEndianBytes + zeros
        case .bigEndian: return zeros + counter.bigEndianBytes
        }
    }

    var associatedData: [UInt8] {
        switch self {
        case .littleEndian: [2]
        case .bigEndian: []
        }
    }
}
