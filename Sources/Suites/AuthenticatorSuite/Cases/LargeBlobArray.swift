internal import CBOR
internal import COSE

/// The serialized large-blob array (CTAP 2.3 §6.10.1).
enum LargeBlobArray {
    /// The array without an entry: 0x80 and its checksum.
    static let initial = of([])

    static func of(_ entries: [CBOR.Value]) -> [UInt8] { checked(CBOR.encode(.array(entries))) }

    /// Bytes with the first 16 of their SHA-256 behind them.
    static func checked(_ bytes: [UInt8]) -> [UInt8] { bytes + sha256(bytes).prefix(16) }

    /// An array of this many bytes, checksum included; at least 64.
    static func ofLength(_ length: Int) -> [UInt8] {
        func array(_ padding: Int) -> [UInt8] {
            of([
                [
                    1: .bytes([UInt8](repeating: 0x5A, count: padding)), 2: .bytes([UInt8](repeating: 0, count: 12)),
                    3: 1,
                ]
            ])
        }
        // The length of the ciphertext takes one to three bytes.
        return (max(0, length - 48)...max(0, length - 33)).lazy.map(array).first { $0.count == length } ?? array(length)
    }
}
