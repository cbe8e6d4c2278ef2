internal import CBOR

/// A deliberate fault of a QR code.
package enum QRFault: Hashable, Sendable, CaseIterable {
    /// The public key is uncompressed, with 65 bytes.
    case keyUncompressed
    /// The public key is not on the curve.
    case keyNotOnCurve
    /// The secret has 15 bytes.
    case secretShort
    /// The secret is missing.
    case secretMissing
    /// A byte follows the contents.
    case trailingByte
    /// The first key of the map is not in its shortest form.
    case notCanonical
    /// The last digit is missing.
    case digitMissing
    /// The code says that it is an hour older.
    case expired
    /// The list of channels lacks the tunnel service.
    case webSocketMissing
    /// Key 6 is the list of channels of CTAP 2.3; a phone accepts it.
    case keySixIsList
    /// Key 6 is the flag of the time before CTAP 2.3; a phone accepts it.
    case keySixIsFlag
}

extension QRContents {
    /// The number of seconds by which an expired code is older.
    private static let expiration: UInt64 = 3600

    /// The text of the code with a fault.
    package func text(with fault: QRFault) -> String {
        var map = map
        switch fault {
        case .expired: map[Key.timestamp.item] = timestamp.map { .unsigned($0 - min($0, Self.expiration)) }
        case .webSocketMissing: map[Key.channels.item] = QRKeySix.channels([.bluetooth]).value
        case .keySixIsList: map[Key.channels.item] = QRKeySix.channels([.webSocket]).value
        case .keySixIsFlag: map[Key.channels.item] = QRKeySix.supportsNonDiscoverable(true).value
        case .keyUncompressed: map[Key.publicKey.item] = .bytes(publicKey.uncompressed)
        case .keyNotOnCurve:
            map[Key.publicKey.item] = .bytes(
                [2] + [UInt8](repeating: 0xFF, count: HybridPublicKey.compressedLength - 1))
        case .secretShort: map[Key.secret.item] = .bytes(Array(secret.dropLast()))
        case .secretMissing: map[Key.secret.item] = nil
        case .trailingByte: return Self.prefix + QRDigits.encode(encoded + [0])
        case .notCanonical: return Self.prefix + QRDigits.encode([encoded[0], 0x18] + encoded.dropFirst())
        case .digitMissing: return String(text.dropLast())
        }
        return Self.prefix + QRDigits.encode(CBOR.encode(.map(map)))
    }
}
