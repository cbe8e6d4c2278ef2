internal import CBOR

extension QRContents {
    /// Reads the text of a QR code.
    ///
    /// - Throws: ``QRError``.
    package init(text: String) throws(QRError) {
        let bytes = text.utf8
        guard bytes.prefix(Self.prefix.utf8.count).elementsEqual(Self.prefix.utf8, by: Self.isSameLetter) else {
            throw .notAFIDOCode
        }
        let digits = text.utf8.dropFirst(Self.prefix.utf8.count)
        guard !digits.isEmpty else { throw .empty }
        try self.init(encoded: try QRDigits.decode(Substring(digits)))
    }

    /// Reads the CBOR map.
    ///
    /// - Throws: ``QRError``.
    package init(encoded bytes: [UInt8]) throws(QRError) {
        let map = try Self.map(bytes)
        publicKey = try Self.publicKey(try Self.bytes(.publicKey, map))
        secret = try Self.bytes(.secret, map)
        guard secret.count == Self.secretLength else { throw .secretLength(secret.count) }
        knownDomains = try Self.number(.knownDomains, map)
        timestamp = try Self.number(.timestamp, map)
        if knownDomains ?? 0 > UInt64(UInt16.max) { throw .numberTooLarge(.knownDomains) }
        if timestamp ?? 0 > UInt64(Int64.max) { throw .numberTooLarge(.timestamp) }
        switch map[Key.stateAssisted.item] {
        case .bool(let flag)?: supportsStateAssisted = flag
        case nil: supportsStateAssisted = nil
        case let other?: throw .wrongType(.stateAssisted, found: other.kind)
        }
        switch map[Key.operation.item] {
        case .text(let text)?: operation = QROperation(rawValue: text)
        case nil: operation = nil
        case let other?: throw .wrongType(.operation, found: other.kind)
        }
        if let value = map[Key.channels.item] { keySix = try QRKeySix(value) } else { keySix = nil }
    }

    private static func isSameLetter(_ left: UInt8, _ right: UInt8) -> Bool {
        left == right || (left ^ 0x20 == right && (0x41...0x5A).contains(right))
    }

    private static func map(_ bytes: [UInt8]) throws(QRError) -> CBOR.Map {
        do {
            let value = try CBOR.decode(bytes)
            guard case .map(let map) = value else { throw QRError.notAMap(value.kind) }
            return map
        } catch let error as QRError {
            throw error
        } catch let error as CBOR.DecodingError {
            throw error.rule == .trailingBytes ? .trailingBytes(error.offset) : .malformed(error)
        } catch {
            throw .notAFIDOCode
        }
    }

    private static func bytes(_ key: Key, _ map: CBOR.Map) throws(QRError) -> [UInt8] {
        guard let value = map[key.item] else { throw .missing(key) }
        guard case .bytes(let bytes) = value else { throw .wrongType(key, found: value.kind) }
        return bytes
    }

    private static func number(_ key: Key, _ map: CBOR.Map) throws(QRError) -> UInt64? {
        guard let value = map[key.item] else { return nil }
        guard case .unsigned(let number) = value else { throw .wrongType(key, found: value.kind) }
        return number
    }

    private static func publicKey(_ bytes: [UInt8]) throws(QRError) -> HybridPublicKey {
        guard bytes.count != HybridPublicKey.uncompressedLength else { throw .uncompressedKey }
        guard bytes.count == HybridPublicKey.compressedLength else { throw .keyLength(bytes.count) }
        guard let key = HybridPublicKey(compressed: bytes) else { throw .pointNotOnCurve }
        return key
    }
}
