/// Divides a stream of bytes into messages, each a line; lines without content are left out.
package struct StreamedLines {
    package enum Line: Hashable, Sendable {
        case message([UInt8])
        /// A line that is longer than a message may be; its bytes are gone.
        case tooLong
    }

    private var rest: [UInt8] = []
    private var skips = false

    package init() {}

    /// The lines that end in a part of the stream.
    package mutating func take(_ bytes: some Collection<UInt8>) -> [Line] {
        var lines: [Line] = []
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0 { lines += end() }
            add(part.element)
        }
        return lines
    }

    /// The line that the end of the stream ends; nil for none.
    package mutating func takeRest() -> Line? { end().first }

    private mutating func add(_ bytes: some Collection<UInt8>) {
        guard !skips else { return }
        guard rest.count + bytes.count <= ContextMessage.largest else {
            (rest, skips) = ([], true)
            return
        }
        rest += bytes
    }

    private mutating func end() -> [Line] {
        defer { (rest, skips) = ([], false) }
        if skips { return [.tooLong] }
        let isBlank = rest.allSatisfy { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0) }
        return isBlank ? [] : [.message(rest)]
    }
}
