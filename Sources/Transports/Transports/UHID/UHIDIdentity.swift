/// The identity of a virtual USB key.
package struct UHIDIdentity: Hashable, Sendable {
    /// The name the operating system shows; at most 127 bytes of UTF-8 are kept.
    package var name: String
    package var vendorID: UInt16
    package var productID: UInt16
    /// The device's version in binary-coded decimals, as `bcdDevice`.
    package var version: UInt16
    /// The serial number, `HID_UNIQ` in its uevent; at most 63 bytes of UTF-8 are kept.
    package var unique: String
    /// The port it reports, `HID_PHYS` in its uevent; at most 63 bytes of UTF-8 are kept.
    package var place: String

    package init(
        name: String, vendorID: UInt16, productID: UInt16, version: UInt16 = 0x0100, unique: String,
        place: String
    ) {
        self.name = name
        self.vendorID = vendorID
        self.productID = productID
        self.version = version
        self.unique = unique
        self.place = place
    }
}
