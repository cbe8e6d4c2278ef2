import Foundation
import Machine
import Testing

/// Files of strangers.
struct BoundedFileTests {
    @Test func anEndlessFileIsReadToTheLimit() {
        #expect(BoundedFile.read("/dev/zero", limit: 100_000)?.count == 100_001)
    }

    @Test func aPipeIsReadToItsEnd() throws {
        let folder = try Folder()
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let thread = Thread {
            let writer = open(path, O_WRONLY)
            let bytes = [UInt8](repeating: 7, count: 200_000)
            try? OwnFile.write(bytes, to: writer)
            close(writer)
        }
        thread.start()
        #expect(BoundedFile.read(path, limit: 1_000_000)?.count == 200_000)
    }

    @Test func aFileIsReadWhole() throws {
        let folder = try Folder()
        #expect(try BoundedFile.read(folder.write("all", to: "file"), limit: 3) == Array("all".utf8))
        #expect(BoundedFile.read(folder.path, limit: 3) == nil)
        #expect(BoundedFile.read(folder.path("missing"), limit: 3) == nil)
    }
}
