internal import CBOR

/// The phone's first message after the handshake (CTAP 2.3 §11.5).
///
/// A CBOR map: 1 = the answer to getInfo as bytes, without a status; 2 = linking information; 3 = names of features.
/// In revision 2.0 padding follows the map: zeros to a multiple of 512 bytes, of which the last two say their number,
/// little-endian. Older programs padded to 256 bytes, with one byte for the number.
package struct FirstMessage: Hashable, Sendable {
    /// The feature of a phone that answers CTAP; it counts as present when no features are named.
    package static let ctapFeature = "ctap"
    private static let paddingGranularity = 512

    /// The answer to getInfo, a CBOR map without a status; nil for a phone without CTAP.
    package var info: [UInt8]?
    /// The features; nil when the message names none.
    package var features: [String]?
    /// The linking information; nil for none.
    package var linking: LinkingInformation?

    package init(info: [UInt8]?, features: [String]? = nil, linking: LinkingInformation? = nil) {
        self.info = info
        self.features = features
        self.linking = linking
    }

    /// The text of the frame.
    package func encoded(_ revision: HybridRevision) -> [UInt8] {
        var map = CBOR.Map()
        map[.integer(1)] = info.map { .bytes($0) }
        map[.integer(2)] = linking?.value
        map[.integer(3)] = features.map { .array($0.map { .text($0) }) }
        let bytes = CBOR.encode(.map(map))
        return revision == .version21 ? bytes : Self.pad(bytes)
    }

    /// Reads the text of the frame, and tells the revision by its padding.
    ///
    /// Malformed linking information does not refuse the message; its error is returned beside it.
    ///
    /// - Throws: ``FirstMessageError``.
    package static func read(
        _ text: [UInt8]
    ) throws(FirstMessageError) -> (message: FirstMessage, revision: HybridRevision, linkingError: LinkingError?) {
        let (value, revision) = try item(text)
        guard case .map(let map) = value else { throw .notAMap }
        var message = FirstMessage(info: nil)
        if let features = map[.integer(3)] {
            guard case .array(let items) = features else { throw .features }
            message.features = items.compactMap { if case .text(let name) = $0 { name } else { nil } }
        }
        switch map[.integer(1)] {
        case .bytes(let info)?: message.info = info
        case nil: if message.features?.contains(ctapFeature) ?? true { throw .noInfo }
        default: throw .noInfo
        }
        do throws(LinkingError) {
            message.linking = try map[.integer(2)].map { value throws(LinkingError) in try LinkingInformation(value) }
            return (message, revision, nil)
        } catch {
            return (message, revision, error)
        }
    }

    /// Adds the padding of revision 2.0.
    static func pad(_ bytes: [UInt8]) -> [UInt8] {
        let rest = (bytes.count + 2) % paddingGranularity
        let zeros = rest == 0 ? 0 : paddingGranularity - rest
        return bytes + [UInt8](repeating: 0, count: zeros) + UInt16(zeros).littleEndianBytes
    }

    /// The item of a plain text, or of one with padding of two bytes or one.
    private static func item(_ text: [UInt8]) throws(FirstMessageError) -> (CBOR.Value, HybridRevision) {
        if let value = try? CBOR.decode(text, options: .lenient) { return (value, .version21) }
        for width in [2, 1] where text.count >= width {
            let zeros = text.suffix(width).reversed().reduce(0) { $0 << 8 | Int($1) }
            guard zeros + width <= text.count,
                let value = try? CBOR.decode(Array(text.dropLast(zeros + width)), options: .lenient)
            else { continue }
            return (value, .version20)
        }
        throw .malformed
    }
}

/// The reason for refusing a phone's first message.
package enum FirstMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed
    case notAMap
    case noInfo
    case features

    package var description: String {
        switch self {
        case .malformed: "The phone's first message is neither CBOR nor padded CBOR. Send a CBOR map."
        case .notAMap: "The phone's first message is not a map. Send a CBOR map with getInfo's answer under key 1."
        case .noInfo: "The phone's first message has no answer to getInfo. Send it as bytes under key 1."
        case .features: "The features (key 3) of the phone's first message are not an array. Send an array of names."
        }
    }
}
