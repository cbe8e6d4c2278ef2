import Foundation
import Machine
import Testing

/// State files, locks and directories that belong to the program.
struct OwnFileTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    @Test("A trap is neither opened nor created", arguments: Trap.allCases, [true, false])
    func traps(trap: Trap, creates: Bool) throws {
        let path = try trap.make(in: folder)
        let before = try folder.names
        let error = #expect(throws: FileProblem.self) { close(try OwnFile.open(path, creates: creates)) }
        #expect(error?.description == trap.problem)
        let seen = #expect(throws: FileProblem.self) { _ = try OwnFile.check(path) }
        #expect(seen?.description == trap.problem)
        #expect(try folder.names == before)
        #expect(try folder.text("victim") == "precious")
    }

    @Test func aMissingFileIsCreatedForItsOwnerAlone() throws {
        let path = folder.path("own")
        #expect(try OwnFile.check(path) == nil)
        #expect(throws: FileProblem.system(ENOENT)) { try OwnFile.open(path, creates: false) }
        close(try OwnFile.open(path, creates: true))
        #expect(try folder.mode("own") == 0o600)
        close(try OwnFile.open(path, creates: false))
        #expect(throws: FileProblem.system(EEXIST)) { try OwnFile.create(path) }
    }

    @Test func aFileThatOthersMayReadIsRestrictedToItsOwner() throws {
        let path = folder.path("own")
        try OwnFile.restrictAccess(path)
        close(try OwnFile.open(path, creates: true))
        for mode in [mode_t(0o644), 0o666, 0o600] {
            #expect(chmod(path, mode) == 0)
            try OwnFile.restrictAccess(path)
            #expect(try folder.mode("own") == 0o600)
        }
    }

    @Test("A trap is not restricted", arguments: Trap.allCases)
    func restrictedTraps(trap: Trap) throws {
        let path = try trap.make(in: folder)
        let error = #expect(throws: FileProblem.self) { try OwnFile.restrictAccess(path) }
        #expect(error?.description == trap.problem)
    }

    @Test("A directory for sockets is its owner's alone")
    func directories() throws {
        let path = folder.path("a/b/c")
        #expect(try !PrivateDirectory.check(path))
        try PrivateDirectory.make(path)
        #expect(try PrivateDirectory.check(path))
        for name in ["a", "a/b", "a/b/c"] { #expect(try folder.mode(name) == 0o700) }
        for mode in [0o710, 0o701, 0o777] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(throws: FileProblem.open) { try PrivateDirectory.make(path) }
            #expect(throws: FileProblem.open) { try PrivateDirectory.check(path) }
        }
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("a"))
        #expect(throws: FileProblem.link) { try PrivateDirectory.check(link) }
        #expect(throws: FileProblem.system(ENOTDIR)) { try PrivateDirectory.check(folder.write("", to: "file")) }
    }

    @Test("Another user's directory is refused", .enabled(if: geteuid() == 0, "only root gives files away"))
    func foreignDirectory() throws {
        let path = folder.path("theirs")
        try PrivateDirectory.make(path)
        #expect(chown(path, 12_345, 12_345) == 0)
        #expect(throws: FileProblem.foreign) { try PrivateDirectory.check(path) }
        #expect(throws: FileProblem.foreign) { try PrivateDirectory.make(path) }
    }
}
