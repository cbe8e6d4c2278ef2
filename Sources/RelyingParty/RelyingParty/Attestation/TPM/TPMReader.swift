/// Reads a TPM's structures: big-endian integers, and byte strings with a two-byte length (TPM 2.0 Library, Part 2).
struct TPMReader {
    enum ParsingError: Error, CustomStringConvertible {
        case truncated
        case surplusBytes
        case unsupported(String, UInt16)

        var description: String {
            switch self {
            case .truncated: "the data ends early"
            case .surplusBytes: "extra bytes follow the end"
            case .unsupported(let what, let number): "\(what) \(number) is not supported"
            }
        }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func bytes(_ count: Int) throws(ParsingError) -> [UInt8] {
        guard rest.count >= count else { throw .truncated }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func uint16() throws(ParsingError) -> UInt16 { try bytes(2).reduce(0) { $0 << 8 | UInt16($1) } }

    mutating func uint32() throws(ParsingError) -> UInt32 { try bytes(4).reduce(0) { $0 << 8 | UInt32($1) } }

    /// A byte string preceded by its length in two bytes (TPM2B).
    mutating func sizedBytes() throws(ParsingError) -> [UInt8] { try bytes(Int(try uint16())) }

    func end() throws(ParsingError) {
        guard rest.isEmpty else { throw .surplusBytes }
    }
}
