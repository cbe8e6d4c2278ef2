extension JSONValue {
    /// The value at a JSON Pointer (RFC 6901), such as `/passkeys/0/deviceName`; nil where nothing is.
    package func value(at pointer: String) -> JSONValue? {
        guard !pointer.isEmpty else { return self }
        guard pointer.hasPrefix("/") else { return nil }
        var value = self
        for token in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let name = String(token).replacing("~1", with: "/").replacing("~0", with: "~")
            let next: JSONValue? =
                switch value {
                case .object(let members): members[name]
                case .array(let items): Self.index(name).flatMap { items.indices.contains($0) ? items[$0] : nil }
                case .null, .bool, .integer, .number, .text: nil
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    /// An array index of RFC 6901 §4: digits without a leading zero.
    private static func index(_ token: String) -> Int? {
        guard token == "0" || !token.hasPrefix("0"), token.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(token)
    }
}
