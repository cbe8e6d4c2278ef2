import Foundation
import TestSupport
import Testing

extension Interop {
    /// The program alone in a directory without the project's files.
    struct CopiedBinaryTests {
        private func withCopy(_ use: (URL, (String) throws -> (status: Int32, output: String)) throws -> Void) throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let copy = directory.appending(path: "copy")
            try FileManager.default.copyItem(at: Touchstone(runtimeDirectory: directory).executable, to: copy)
            try use(directory) { arguments in
                let process = Process()
                process.executableURL = copy
                process.arguments = arguments.split(separator: " ").map(String.init)
                process.currentDirectoryURL = directory
                let pipe = Pipe()
                process.standardOutput = pipe
                process.standardError = pipe
                try process.run()
                let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
                process.waitUntilExit()
                return (process.terminationStatus, output)
            }
        }

        @Test func aCopyHasTheProfilesScenariosAndKnownKeys() throws {
            try withCopy { _, run in
                for arguments in [
                    "profiles show iphone-touch-id", "scenario run airplane-mode",
                    "keys info --device virtual:yubikey-5-nfc-5.7",
                ] {
                    let result = try run(arguments)
                    #expect(result.status == 0, "\(arguments): \(result.output)")
                }
            }
        }

        @Test func filesInTheWorkingDirectoryJoinTheBuiltInOnes() throws {
            try withCopy { directory, run in
                let profiles = directory.appending(path: "profiles")
                try FileManager.default.createDirectory(at: profiles, withIntermediateDirectories: true)
                try Data("name: my-key\ntitle: My own key\nextends: solo-1\n".utf8)
                    .write(to: profiles.appending(path: "my-key.yaml"))
                let list = try run("profiles list").output
                #expect(list.contains("My own key") && list.contains("solo-2"))
                #expect(try run("profiles show my-key").output.contains("my-key, extends solo-1"))
            }
        }

        @Test(arguments: [("profiles", "solo-2"), ("scenario", "airplane-mode")])
        func aWrongFileInTheWorkingDirectoryHidesNoOther(kind: String, other: String) throws {
            try withCopy { directory, run in
                let folder = directory.appending(path: kind == "scenario" ? "scenarios" : kind)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data("name: wrong\ntitel: A mistake\n".utf8).write(to: folder.appending(path: "wrong.yaml"))
                let list = try run("\(kind) list")
                #expect(list.status == 2)
                #expect(list.output.contains("wrong.yaml:2:") && list.output.contains(other))
            }
        }
    }
}
