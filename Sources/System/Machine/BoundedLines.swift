internal import Foundation
internal import Glibc

/// The lines of a file or a pipe as they arrive, each up to a limit; a longer line is the last, with one byte more than that.
package struct BoundedLines: Sequence, IteratorProtocol {
    private let file: Descriptor
    private let limit: Int
    private var pending: ArraySlice<UInt8> = []
    private var isAtEnd = false

    private final class Descriptor {
        let number: Int32

        init(_ number: Int32) { self.number = number }

        deinit { close(number) }
    }

    /// Nil for a file that cannot be opened.
    package init?(_ path: String, limit: Int) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        (file, self.limit) = (Descriptor(descriptor), limit)
    }

    package mutating func next() -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            let part = pending.prefix { $0 != 0x0A }
            line += part.prefix(limit + 1 - line.count)
            if line.count > limit {
                // An endless device has no end of a line.
                (pending, isAtEnd) = ([], true)
                return line
            }
            if part.count < pending.count {
                pending = pending.dropFirst(part.count + 1)
                return line
            }
            guard refill() else {
                let isLast = !pending.isEmpty || !line.isEmpty
                pending = []
                return isLast ? line : nil
            }
        }
    }

    /// Replaces the pending bytes, which were read, by the next ones; false at the end.
    private mutating func refill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while !isAtEnd {
            let count = Foundation.read(file.number, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            isAtEnd = count <= 0
            if !isAtEnd {
                pending = chunk[..<count]
                return true
            }
        }
        pending = []
        return false
    }
}
