/// An event from the kernel to the owner of a virtual HID device (`struct uhid_event` of linux/uhid.h).
///
/// An event is a packed structure in the byte order of the machine: a type of four bytes, then the type's own members.
/// Every machine this runs on is little-endian.
enum UHIDEvent: Hashable, Sendable {
    case start
    case stop
    /// The first reader has opened it.
    case open
    /// The last reader has closed it.
    case close
    /// A program has written a report; it begins with the report's number.
    case output([UInt8])
    /// A program requests a feature report.
    case getReport(id: UInt32)
    /// A program sets a feature report.
    case setReport(id: UInt32)
    case other(UInt32)

    /// The length of the longest event, `sizeof(struct uhid_event)`.
    static let maximumLength = 4380
    private static let dataLength = 4096

    /// Reads the bytes of one read(); nil when they are too short for an event.
    init?(_ bytes: [UInt8]) {
        guard let type = Self.uint32(bytes, at: 0) else { return nil }
        switch type {
        case 2: self = .start
        case 3: self = .stop
        case 4: self = .open
        case 5: self = .close
        case 6:
            // data[4096], size.
            guard let size = Self.uint16(bytes, at: 4 + Self.dataLength), size <= Self.dataLength else { return nil }
            self = .output(Array(bytes[4..<4 + Int(size)]))
        case 9:
            guard let id = Self.uint32(bytes, at: 4) else { return nil }
            self = .getReport(id: id)
        case 13:
            guard let id = Self.uint32(bytes, at: 4) else { return nil }
            self = .setReport(id: id)
        default: self = .other(type)
        }
    }

    private static func uint32(_ bytes: [UInt8], at offset: Int) -> UInt32? {
        guard bytes.count >= offset + 4 else { return nil }
        return bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func uint16(_ bytes: [UInt8], at offset: Int) -> UInt16? {
        guard bytes.count >= offset + 2 else { return nil }
        return UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
    }
}

/// A request from the owner of a virtual HID device to the kernel.
enum UHIDRequest: Hashable, Sendable {
    case create(UHIDIdentity)
    case destroy
    case input([UInt8])
    case refuseGetReport(id: UInt32)
    case refuseSetReport(id: UInt32)

    private static let busUSB: UInt16 = 3
    private static let notSupported: UInt16 = 95

    /// The bytes to write; the kernel fills missing bytes at the end with zeros.
    var bytes: [UInt8] {
        switch self {
        case .create(let identity):
            // UHID_CREATE2: name[128], phys[64], uniq[64], rd_size, bus, vendor, product, version, country, rd_data.
            let descriptor = FIDOReportDescriptor.bytes
            return Self.little(UInt32(11)) + Self.text(identity.name, 128) + Self.text(identity.place, 64)
                + Self.text(identity.unique, 64) + Self.little(UInt16(descriptor.count)) + Self.little(Self.busUSB)
                + Self.little(UInt32(identity.vendorID)) + Self.little(UInt32(identity.productID))
                + Self.little(UInt32(identity.version)) + Self.little(UInt32(0)) + descriptor
        case .destroy: return Self.little(UInt32(1))
        case .input(let report): return Self.little(UInt32(12)) + Self.little(UInt16(report.count)) + report
        case .refuseGetReport(let id):
            // UHID_GET_REPORT_REPLY: id, err, size.
            return Self.little(UInt32(10)) + Self.little(id) + Self.little(Self.notSupported) + [0, 0]
        case .refuseSetReport(let id): return Self.little(UInt32(14)) + Self.little(id) + Self.little(Self.notSupported)
        }
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// A C string in a field of this length, truncated between characters.
    private static func text(_ text: String, _ length: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for character in text {
            guard bytes.count + character.utf8.count < length else { break }
            bytes += Array(character.utf8)
        }
        return bytes + [UInt8](repeating: 0, count: length - bytes.count)
    }
}
