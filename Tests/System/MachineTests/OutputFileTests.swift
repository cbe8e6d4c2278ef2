import Foundation
import Machine
import Testing

/// The files that options such as `--trace` name.
struct OutputFileTests {
    private static let kind = OutputFile.Kind("a note") { $0.starts(with: Array("note".utf8)) }
    let folder: Folder

    init() throws { folder = try Folder() }

    private func output(_ name: String) -> OutputFile { OutputFile(folder.path(name), Self.kind) }

    private func open(_ output: OutputFile) throws {
        let descriptor = try output.opened()
        defer { close(descriptor) }
        try OwnFile.write(Array("note 2".utf8), to: descriptor)
    }

    @Test("A trap is refused, and its target stays unchanged", arguments: Trap.allCases)
    func traps(trap: Trap) throws {
        let path = try trap.make(in: folder)
        let before = try folder.names
        let output = OutputFile(path, Self.kind)
        for use in [{ try output.check() }, { try output.replace(with: [1]) }, { close(try output.opened()) }] {
            let error = #expect(throws: FileProblem.self) { try use() }
            #expect(error?.description == trap.problem)
        }
        #expect(try folder.text("victim") == "precious")
        #expect(try folder.names == before)
    }

    @Test("A file of another kind is refused and unchanged")
    func otherContent() throws {
        let path = try folder.write("# my thesis", to: "thesis.txt")
        let problem = FileProblem.otherContent("a note")
        #expect(throws: problem) { try OutputFile(path, Self.kind).replace(with: [1]) }
        #expect(throws: problem) { try open(OutputFile(path, Self.kind)) }
        #expect(problem.description == "it exists and is not a note; choose another name or remove it")
        #expect(try folder.text("thesis.txt") == "# my thesis")
    }

    @Test("A missing file, an empty one and one of the same kind are written, with mode 0600")
    func written() throws {
        for name in ["missing", "empty", "old"] {
            if name == "empty" { try folder.write("", to: name, mode: 0o644) }
            if name == "old" { try folder.write("note 1, which is longer", to: name, mode: 0o666) }
            try output(name).replace(with: Array("note 1".utf8))
            #expect(try folder.text(name) == "note 1")
            try open(output(name))
            #expect(try folder.text(name) == "note 2")
            #expect(try folder.mode(name) == 0o600)
        }
        #expect(try folder.names == ["empty", "missing", "old"])
    }

    @Test("A directory that takes no file is known before the work")
    func unwritable() {
        #expect(throws: FileProblem.self) { try OutputFile("/proc/self/note", Self.kind).check() }
        #expect(throws: FileProblem.system(ENOENT)) { try OutputFile("/nowhere/note", Self.kind).check() }
    }

    @Test("Temporary names are random, and only those count as remains")
    func temporaryNames() throws {
        let path = folder.path("device.state")
        let temporary = TemporaryName.beside(path)
        #expect(temporary != TemporaryName.beside(path))
        let own = URL(filePath: temporary).lastPathComponent
        for name in [own, "device.state-new", "device.state", own + "-wal", "other" + own, own.uppercased()] {
            try folder.write("", to: name)
        }
        #expect(TemporaryName.remains(of: path) == [temporary])
    }
}
