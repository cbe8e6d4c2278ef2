internal import Foundation

/// The names of a JSON object's members, as they were written.
enum JSONMembers {
    /// The names the outermost object of valid JSON states more than once, each once.
    ///
    /// JSON parsers disagree on which of two values counts, so what one reader checks another may not see.
    static func duplicates(in json: [UInt8]) -> [String] {
        var seen: Set<String> = []
        var repeated: [String] = []
        for name in names(in: json) where !seen.insert(name).inserted && !repeated.contains(name) {
            repeated.append(name)
        }
        return repeated
    }

    /// Walks the bytes once: in the outermost object every string followed by a colon is a name.
    private static func names(in json: [UInt8]) -> [String] {
        var names: [String] = []
        var depth = 0
        var stringStart: Int?
        var escaped = false
        var lastString: Range<Int>?
        for (index, byte) in json.enumerated() {
            if let start = stringStart {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    lastString = start..<index + 1
                    stringStart = nil
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): stringStart = index
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ":") where depth == 1:
                // Escapes are resolved before comparing: "\u0074ype" is "type".
                if let range = lastString,
                    let name = try? JSONDecoder().decode(String.self, from: Data(json[range]))
                {
                    names.append(name)
                }
            default: break
            }
        }
        return names
    }
}
