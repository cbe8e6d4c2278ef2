/// The HID report descriptor of a FIDO authenticator: usage page 0xF1D0, one input and one output report of 64 bytes,
/// both unnumbered (CTAP 2.3 §11.2.8.1).
package enum FIDOReportDescriptor {
    /// Whether a descriptor begins with the usage page of FIDO.
    package static func begins(_ descriptor: some Sequence<UInt8>) -> Bool { descriptor.starts(with: bytes.prefix(3)) }

    static let bytes: [UInt8] = [
        0x06, 0xD0, 0xF1,  // Usage Page (FIDO Alliance)
        0x09, 0x01,  // Usage (U2F HID Authenticator Device)
        0xA1, 0x01,  // Collection (Application)
        0x09, 0x20,  // Usage (Input Report Data)
        0x15, 0x00, 0x26, 0xFF, 0x00,  // Logical Minimum 0, Maximum 255
        0x75, 0x08, 0x95, 0x40,  // Report Size 8, Count 64
        0x81, 0x02,  // Input (Data, Variable, Absolute)
        0x09, 0x21,  // Usage (Output Report Data)
        0x15, 0x00, 0x26, 0xFF, 0x00,
        0x75, 0x08, 0x95, 0x40,
        0x91, 0x02,  // Output (Data, Variable, Absolute)
        0xC0,  // End Collection
    ]
}
