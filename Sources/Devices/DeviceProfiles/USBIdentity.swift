package import Documents

/// A key's identity on the USB bus.
package struct USBIdentity: Hashable, Sendable {
    /// `idVendor`, such as 0x1050 for Yubico.
    package internal(set) var vendorID: UInt16
    /// `idProduct`.
    package internal(set) var productID: UInt16
    /// The name that the operating system shows: manufacturer and product string, such as `Yubico YubiKey FIDO`.
    package internal(set) var name: String

    package init(vendorID: UInt16, productID: UInt16, name: String) {
        self.vendorID = vendorID
        self.productID = productID
        self.name = name
    }

    /// `1050:0402`, as `lsusb` writes it.
    package var id: String { Self.hex(vendorID) + ":" + Self.hex(productID) }

    private static func hex(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension USBIdentity {
    /// The longest name Linux keeps of a UHID device: 127 bytes of UTF-8 and a terminator.
    private static let longestName = 127

    static let form: Form<USBIdentity> = .mapping(section, from: USBIdentity(vendorID: 0, productID: 0, name: ""))

    private static let section: DocumentSection<USBIdentity> = DocumentSection {
        DocumentKey<USBIdentity>(
            "vendor", \.vendorID, Form.number(1...0xFFFF).map(UInt16.init(_:)), "The vendor ID, such as 0x1050.",
            .requiredOnceMerged)
        DocumentKey<USBIdentity>(
            "product", \.productID, Form.number(0...0xFFFF).map(UInt16.init(_:)), "The product ID, such as 0x0402.",
            .requiredOnceMerged)
        DocumentKey<USBIdentity>(
            "name", .text, "The name the operating system shows, at most 127 bytes.", .requiredOnceMerged
        ) { identity, name, place in
            guard !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
                throw place.error("a name must not contain control characters")
            }
            guard name.utf8.count <= longestName else {
                throw place.error("expected at most \(longestName) bytes, found \(name.utf8.count)")
            }
            identity.name = name
        }
    }

    /// Reads `{ vendor: 0x1050, product: 0x0402, name: … }`.
    ///
    /// - Throws: ``SourceError`` for numbers out of range or a name that is empty, too long or has control characters.
    package init(reading value: YAMLValue) throws(SourceError) {
        self.init(vendorID: 0, productID: 0, name: "")
        try Self.section.read(value, into: &self)
    }
}
