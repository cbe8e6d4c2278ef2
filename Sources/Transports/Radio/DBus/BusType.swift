/// A type code of D-Bus (D-Bus Specification, "Summary of types").
enum BusType: UInt8 {
    case byte = 0x79  // y
    case bool = 0x62  // b
    case int16 = 0x6E  // n
    case uint16 = 0x71  // q
    case int32 = 0x69  // i
    case uint32 = 0x75  // u
    case int64 = 0x78  // x
    case uint64 = 0x74  // t
    case double = 0x64  // d
    case string = 0x73  // s
    case path = 0x6F  // o
    case signature = 0x67  // g
    case array = 0x61  // a
    case structure = 0x72  // r
    case variant = 0x76  // v
    case entry = 0x65  // e

    /// The type of libdbus's code; nil for a file descriptor, another type and the end.
    init?(code: CInt) {
        guard let letter = UInt8(exactly: code) else { return nil }
        self.init(rawValue: letter)
    }

    /// libdbus's code.
    var code: CInt { CInt(rawValue) }
}
