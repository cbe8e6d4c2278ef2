/// A phone's broadcast: service data under a service UUID (CTAP 2.3 §11.5).
package struct HybridAdvert: Hashable, Sendable {
    /// The bytes of the encrypted advert, without a suffix.
    package static let length = AdvertPlaintext.length + tagLength
    static let tagLength = 4

    package var services: [HybridService]
    package var serviceData: [UInt8]

    package init(services: [HybridService], serviceData: [UInt8]) {
        self.services = services
        self.serviceData = serviceData
    }
}

/// The service UUIDs of adverts.
package enum HybridService: UInt16, Hashable, Sendable, CaseIterable {
    /// The FIDO Alliance's.
    case fido = 0xFFF9
    /// Google's, in use before.
    case google = 0xFDE2

    /// The 128-bit form, on the Bluetooth base UUID.
    package var uuid: String {
        "0000\(HexText.encode(rawValue.bigEndianBytes).lowercased())-0000-1000-8000-00805f9b34fb"
    }
}

/// A decrypted advert.
package struct OpenedAdvert: Hashable, Sendable {
    package let plaintext: AdvertPlaintext
    /// The bytes after the advert; empty for none.
    package let suffix: [UInt8]
}

/// The reason for ignoring service data.
package enum AdvertError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooShort(Int)
    /// The HMAC does not match: the advert belongs to another QR code.
    case foreign
    case reservedByte(UInt8)
    case malformedSuffix

    package var description: String {
        switch self {
        case .tooShort(let count):
            "The service data has length \(count), too short for an advert of \(HybridAdvert.length) bytes. Scan on."
        case .foreign: "The advert is made with another key, for another QR code. Scan on."
        case .reservedByte(let byte): "The advert's first byte is \(byte), of a later version. Update this program."
        case .malformedSuffix: "The advert's suffix is not a CBOR map. Use the tunnel service."
        }
    }
}
