internal import CBOR

/// The other end's message to a linked phone, which the tunnel service hands on (CTAP 2.3 §11.5).
///
/// A CBOR map in a header, as hexadecimal digits: 1 = link ID, 2 = client nonce of 16 bytes, 3 = the hint about the
/// request, which older programs omit.
package struct ClientPayload: Hashable, Sendable {
    package static let nonceLength = 16
    /// The longest header value that is read, in bytes of the map.
    static let mostBytes = 1024

    package var linkID: [UInt8]
    package var clientNonce: [UInt8]
    package var operation: QROperation?

    package init(linkID: [UInt8], clientNonce: [UInt8], operation: QROperation?) {
        self.linkID = linkID
        self.clientNonce = clientNonce
        self.operation = operation
    }

    /// The header's value.
    package var headerValue: String {
        var map = CBOR.Map()
        map[.integer(1)] = .bytes(linkID)
        map[.integer(2)] = .bytes(clientNonce)
        map[.integer(3)] = operation.map { .text($0.rawValue) }
        return HexText.encode(CBOR.encode(.map(map)))
    }

    /// Reads the header's value.
    ///
    /// - Throws: ``ClientPayloadError``.
    package init(headerValue: String) throws(ClientPayloadError) {
        guard headerValue.utf8.count <= 2 * Self.mostBytes, let bytes = HexText.decode(headerValue) else {
            throw .notHexadecimal
        }
        guard case .map(let map)? = try? CBOR.decode(bytes, options: .lenient) else { throw .notAMap }
        guard case .bytes(let linkID)? = map[.integer(1)], linkID.count == LinkingInformation.linkIDLength else {
            throw .linkID
        }
        guard case .bytes(let nonce)? = map[.integer(2)], nonce.count == Self.nonceLength else { throw .clientNonce }
        self.linkID = linkID
        clientNonce = nonce
        switch map[.integer(3)] {
        case .text(let text)?: operation = QROperation(rawValue: text)
        case nil: operation = nil
        default: throw .operation
        }
    }
}

/// The reason for refusing a contact request.
package enum ClientPayloadError: Error, Hashable, Sendable, CustomStringConvertible {
    case notHexadecimal, notAMap, linkID, clientNonce, operation

    package var description: String {
        switch self {
        case .notHexadecimal: "The contact request is not hexadecimal digits. Send the CBOR map as such digits."
        case .notAMap: "The contact request is not a CBOR map. Send a map with the keys 1, 2 and 3."
        case .linkID: "The link ID (key 1) is not 8 bytes. Send the link ID that the phone gave."
        case .clientNonce: "The client nonce (key 2) is not 16 bytes. Send 16 random bytes."
        case .operation: "The hint (key 3) is not a text. Send \"ga\" or \"mc\"."
        }
    }
}
