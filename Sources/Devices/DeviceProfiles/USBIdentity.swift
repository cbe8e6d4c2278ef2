package import Documents

/// How a key introduces itself on the USB bus.
package struct USBIdentity: Hashable, Sendable {
    /// `idVendor`, such as 0x1050 for Yubico.
    package let vendorID: UInt16
    /// `idProduct`.
    package let productID: UInt16
    /// What the operating system shows: manufacturer and product string, such as `Yubico YubiKey FIDO`.
    package let name: String

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

    /// Reads `{ vendor: 0x1050, product: 0x0402, name: … }`.
    ///
    /// - Throws: ``SourceError`` for numbers out of range, or a name that is empty, has control characters or does
    ///   not fit.
    package init(reading value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["vendor", "product", "name"])
        let vendor = try fields.required("vendor").int(in: 1...0xFFFF)
        let product = try fields.required("product").int(in: 0...0xFFFF)
        let text = try fields.required("name")
        let name = try text.string()
        guard !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw text.error("a control character has no place in a name")
        }
        guard name.utf8.count <= Self.longestName else {
            throw text.error("expected at most \(Self.longestName) bytes, found \(name.utf8.count)")
        }
        self.init(vendorID: UInt16(vendor), productID: UInt16(product), name: name)
    }
}
