import Foundation
import TestSupport
import Testing

extension Hostile {
    /// State files in a folder where strangers have put other files.
    struct StateFileTests {
        private static let profile = "security-key-complete"

        /// Starts a device on a state file; nil when it did not start, with its last words.
        private func start(
            _ touchstone: Touchstone, _ state: String, name: String = "one"
        ) async throws -> (device: Touchstone.Program?, words: String) {
            let program = try touchstone.start([
                "device", "start", Self.profile, "--name", name, "--udp", "0", "--state", state,
            ])
            var words = ""
            for await line in program.errors {
                words += line
                if line.contains("listening on") { return (program, words) }
            }
            _ = await program.exitStatus()
            return (nil, words)
        }

        private func stop(_ device: Touchstone.Program?) async {
            device?.terminate()
            #expect(await device?.exitStatus() == 0)
        }

        @Test("A new state file leaves a file of a similar name alone")
        func similarName() async throws {
            try await Hostile.run { touchstone, folder in
                let (state, similar) = (folder.appending(path: "x").path, folder.appending(path: "x-new").path)
                let running = try await start(touchstone, similar)
                #expect(running.device != nil, "\(running.words)")
                let second = try await start(touchstone, state, name: "two")
                #expect(second.device != nil, "\(second.words)")
                await stop(second.device)
                await stop(running.device)
                let again = try await start(touchstone, similar)
                #expect(again.device != nil, "\(again.words)")
                await stop(again.device)
            }
        }

        @Test("Links beside a state file are not followed", arguments: ["-lock", "-wal", "-shm", "-journal"])
        func links(end: String) async throws {
            try await Hostile.run { touchstone, folder in
                let state = folder.appending(path: "device.state").path
                if end != "-lock" { await stop(try await start(touchstone, state).device) }
                let victim = folder.appending(path: "victim")
                try Data("precious".utf8).write(to: victim)
                try FileManager.default.createSymbolicLink(atPath: state + end, withDestinationPath: victim.path)
                let refused = try await start(touchstone, state)
                #expect(refused.device == nil)
                #expect(refused.words.contains("\(state)\(end) cannot be used: it is a symbolic link"))
                #expect(try Data(contentsOf: victim) == Data("precious".utf8))
                // Neither does a look at the file follow them; the lock does not concern a reader.
                let look = try await touchstone.run("device", "inspect", state)
                #expect((look.status == 0) == (end == "-lock" && FileManager.default.fileExists(atPath: state)))
                #expect(try Data(contentsOf: victim) == Data("precious".utf8))
            }
        }

        @Test("A file that is not a lock keeps its content")
        func otherLock() async throws {
            try await Hostile.run { touchstone, folder in
                let state = folder.appending(path: "door").path
                try Data("the combination is 7-3-9".utf8).write(to: URL(filePath: state + "-lock"))
                let refused = try await start(touchstone, state)
                #expect(refused.device == nil)
                #expect(
                    refused.words.contains("\(state)-lock cannot be used: it exists and is not the lock of a state"))
                #expect(try String(contentsOfFile: state + "-lock", encoding: .utf8) == "the combination is 7-3-9")
            }
        }

        @Test("A second name of a running device's file starts no second device")
        func hardLink() async throws {
            try await Hostile.run { touchstone, folder in
                let state = folder.appending(path: "device.state").path
                let running = try await start(touchstone, state)
                #expect(running.device != nil, "\(running.words)")
                let other = folder.appending(path: "other.state").path
                try FileManager.default.linkItem(atPath: state, toPath: other)
                let refused = try await start(touchstone, other, name: "two")
                #expect(refused.device == nil)
                #expect(refused.words.contains("it has several names (hard links)"))
                try FileManager.default.removeItem(atPath: other)
                // Nor does a new name.
                try FileManager.default.moveItem(atPath: state, toPath: other)
                let moved = try await start(touchstone, other, name: "two")
                #expect(moved.device == nil)
                #expect(moved.words.contains("is in use by a running device"))
                try FileManager.default.moveItem(atPath: other, toPath: state)
                await stop(running.device)
            }
        }

        @Test(
            "A file on a file system that cannot be written is shown", .enabled(if: geteuid() == 0, "only root mounts"))
        func readOnly() async throws {
            try await Hostile.run { touchstone, folder in
                let state = folder.appending(path: "disk/device.state").path
                let running = try await start(touchstone, state)
                #expect(running.device != nil, "\(running.words)")
                // With its log, as a crash leaves it.
                kill(running.device?.processID ?? 0, SIGKILL)
                _ = await running.device?.exitStatus()
                let shell = """
                    mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" device inspect "$1/device.state"
                    """
                let output = try await touchstone.run(
                    shell: "unshare -m bash -c '\(shell)' bash \(folder.path)/disk \(touchstone.executable.path)")
                #expect(output.status == 0, "\(output.standardError)")
                #expect(output.standardOutput.contains(Self.profile))
            }
        }

        @Test("A damaged file is named, with exit status 2")
        func damaged() async throws {
            try await Hostile.run { touchstone, folder in
                let state = folder.appending(path: "device.state")
                await stop(try await start(touchstone, state.path).device)
                let whole = try Data(contentsOf: state)
                for length in [200, 4096, whole.count / 2, whole.count - 4096] {
                    try whole.prefix(length).write(to: state)
                    let output = try await touchstone.run("device", "inspect", state.path)
                    #expect(output.status == 2, "\(length): \(output.standardError)")
                    #expect(output.standardError.contains(state.path), "\(length): \(output.standardError)")
                }
            }
        }
    }
}
