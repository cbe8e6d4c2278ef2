/// The strings and numbers of SSH's wire format (RFC 4251 §5).
struct SSHWire {
    var rest: ArraySlice<UInt8>

    mutating func string() -> [UInt8]? {
        guard let length = number(), length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
    }

    mutating func text() -> String? { string().flatMap { String(validating: $0, as: UTF8.self) } }

    mutating func number() -> Int? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
}
