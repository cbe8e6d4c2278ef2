internal import CBOR

/// The payload of an update frame: a CBOR map with linking information under key 1 (CTAP 2.3 §11.5).
///
/// Phones add zeros under key 0, so that the length tells nothing.
package enum UpdateMessage {
    private static let paddedLength = 500

    /// The map, padded to about 500 bytes.
    package static func encode(_ linking: LinkingInformation) -> [UInt8] {
        let bare = CBOR.encode([1: linking.value])
        let zeros = max(0, paddedLength - bare.count)
        return CBOR.encode([0: .bytes([UInt8](repeating: 0, count: zeros)), 1: linking.value])
    }

    /// Reads the map; nil without linking information.
    ///
    /// - Throws: ``LinkingError``.
    package static func read(_ payload: [UInt8]) throws(LinkingError) -> LinkingInformation? {
        guard case .map(let map)? = try? CBOR.decode(payload, options: .lenient) else { throw .malformed }
        return try map[.integer(1)].map { value throws(LinkingError) in try LinkingInformation(value) }
    }
}
