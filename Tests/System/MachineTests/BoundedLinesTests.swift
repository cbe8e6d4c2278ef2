import Foundation
import Machine
import Testing

/// Streams of strangers, line by line.
struct BoundedLinesTests {
    private func lines(_ text: String, limit: Int = 10) throws -> [String] {
        let folder = try Folder()
        let lines = try #require(BoundedLines(folder.write(text, to: "file"), limit: limit))
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "A file is divided at its line feeds",
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("\n", [""]),
            ("0123456789\nb\n", ["0123456789", "b"]),
        ] as [(String, [String])])
    func linesAreDivided(text: String, expected: [String]) throws { #expect(try lines(text) == expected) }

    @Test func aLongLineIsCutAndTheLast() throws {
        #expect(try lines("a\n0123456789x\nb\n") == ["a", "0123456789x"])
        #expect(try #require(BoundedLines("/dev/zero", limit: 100_000)).map(\.count) == [100_001])
    }

    @Test func aLongFileIsReadInParts() throws {
        let text = (0..<50_000).map { "\($0)" }
        #expect(try lines(text.joined(separator: "\n")) == text)
        #expect(BoundedLines("/does/not/exist", limit: 1) == nil)
    }

    @Test func aLineOfAPipeIsReadBeforeThePipeEnds() throws {
        let folder = try Folder()
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let thread = Thread {
            let writer = open(path, O_WRONLY)
            try? OwnFile.write(Array("one\n".utf8), to: writer)
            first.wait()
            try? OwnFile.write(Array("two\n".utf8), to: writer)
            second.wait()
            close(writer)
        }
        thread.start()
        var lines = try #require(BoundedLines(path, limit: 10))
        #expect(lines.next() == Array("one".utf8))
        first.signal()
        #expect(lines.next() == Array("two".utf8))
        second.signal()
        #expect(lines.next() == nil)
    }
}
