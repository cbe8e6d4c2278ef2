internal import Documents

/// A line of a server's log.
package enum LoggedLine {
    /// The most places at which an object is looked for; a prefix has few brackets.
    private static let most = 16

    /// The object in JSON that ends a line, behind a time, a level and other words; the whole line when it ends in no object.
    package static func document(in line: [UInt8]) -> [UInt8] {
        for start in line.indices.lazy.filter({ line[$0] == UInt8(ascii: "{") }).prefix(most) {
            let rest = Array(line[start...])
            if case .object? = try? JSONValue(parsing: rest) { return rest }
        }
        return line
    }
}
