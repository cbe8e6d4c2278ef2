import COSE
import CTAP
import CTAPHID
import Foundation
import TestSupport
import Testing
import Transports

extension Interop {
    /// The commands that keep, copy and restore a device's state across processes.
    @Suite struct DeviceStateCommandTests {
        private let directory = FileManager.default.temporaryDirectory.appending(
            path: "touchstone-\(UUID().uuidString)")
        private var touchstone: Touchstone { Touchstone(runtimeDirectory: directory) }

        private func path(_ name: String) -> String { directory.appending(path: name).path }

        /// Runs a device while `use` runs, and terminates it.
        private func withDevice(
            _ arguments: [String], _ use: (UDPDevice) async throws -> Void
        ) async throws {
            let device = try touchstone.start(["device"] + arguments + ["--json"])
            defer { device.terminate() }
            var first: String?
            for await line in device.errors {
                first = line
                break
            }
            guard let port = first?.firstMatch(of: /listening on udp:127\.0\.0\.1:(\d+) as/)?.output.1,
                let port = Int(port)
            else { throw DeviceCommandTests.Unexpected(line: first) }
            let remote = try await UDPDevice.connect(to: "127.0.0.1", port: port)
            try await use(remote)
            await remote.close()
            device.terminate()
            #expect(await device.exitStatus() == 0)
        }

        private func register(_ device: UDPDevice) async throws -> [UInt8] {
            let response = try await AuthenticatorClient(device).makeCredential(
                MakeCredentialRequest(
                    clientDataHash: [UInt8](repeating: 1, count: 32),
                    rp: PublicKeyCredentialRPEntity(id: "example.com"),
                    user: PublicKeyCredentialUserEntity(id: [1], name: "ada"),
                    pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], options: ["rk": true]))
            return response.authenticatorData
        }

        /// The signature counter of an assertion, in four bytes.
        private func signIn(_ device: UDPDevice) async throws -> [UInt8] {
            let response = try await AuthenticatorClient(device).getAssertion(
                GetAssertionRequest(
                    relyingPartyID: "example.com", clientDataHash: [UInt8](repeating: 1, count: 32)))
            return Array(response.authenticatorData[33..<37])
        }

        /// The exit status and the error of a command that fails.
        private func refusal(_ arguments: String...) async throws -> (status: Int32, complaint: String) {
            let program = try touchstone.start(arguments)
            defer { program.terminate() }
            let complaint = await program.errors.reduce(into: "") { $0 += $1 }
            return (await program.exitStatus(), complaint)
        }

        private func start(_ state: String, _ more: String...) -> [String] {
            ["start", "security-key-pin", "--udp", "0", "--state", path(state)] + more
        }

        @Test func aDeviceIsRestoredWithItsCredentialsAndCounter() async throws {
            defer { try? FileManager.default.removeItem(at: directory) }
            try await withDevice(start("key.state")) { device in
                _ = try await register(device)
                #expect(try await signIn(device) == [0, 0, 0, 2])
            }
            try await withDevice(start("key.state")) { device in
                #expect(try await signIn(device) == [0, 0, 0, 3])
                let status = try await touchstone.run("device", "status")
                #expect(status.standardOutput.contains(path("key.state")))
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(files == ["key.state"])
        }

        @Test func aCloneRepeatsACounterValueAndASnapshotRestoresTheDevice() async throws {
            defer { try? FileManager.default.removeItem(at: directory) }
            try await withDevice(start("key.state", "--name", "key")) { device in
                _ = try await register(device)
                let snapshot = try await touchstone.run("device", "snapshot", path("snapshot.state"))
                #expect(snapshot.status == 0, "\(snapshot.standardError)")
                try await withDevice(["clone", path("clone.state"), "--name", "key"]) { clone in
                    let (original, copy) = (try await signIn(device), try await signIn(clone))
                    #expect(original == [0, 0, 0, 2])
                    #expect(copy == original)
                }
                #expect(try await signIn(device) == [0, 0, 0, 3])
                let restored = try await touchstone.run("device", "restore", path("snapshot.state"), "--json")
                #expect(restored.status == 0, "\(restored.standardError)")
                #expect(try await signIn(device) == [0, 0, 0, 2])

                let again = try await refusal("device", "snapshot", path("snapshot.state"))
                #expect(again.status == 2)
                #expect(again.complaint.contains("already exists"))
                let nothing = try await refusal("device", "restore", path("nothing.state"))
                #expect(nothing.status == 3)
                #expect(nothing.complaint.contains("was not found"))
            }
        }

        @Test func aSealedStateNeedsItsPassphrase() async throws {
            defer { try? FileManager.default.removeItem(at: directory) }
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data("correct horse\n".utf8).write(to: directory.appending(path: "right"))
            try Data("battery staple\n".utf8).write(to: directory.appending(path: "wrong"))
            for name in ["right", "wrong"] {
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name))
            }
            try await withDevice(start("key.state", "--passphrase-file", path("right"))) { device in
                _ = try await register(device)
            }
            let wrong = try await refusal(
                "device", "start", "security-key-pin", "--state", path("key.state"), "--passphrase-file", path("wrong"))
            #expect(wrong.status == 2)
            #expect(wrong.complaint.contains("sealed with another passphrase"))
            let none = try await refusal("device", "start", "security-key-pin", "--state", path("key.state"))
            #expect(none.status == 2)
            #expect(none.complaint.contains("none was given"))

            let closed = try await touchstone.run("device", "inspect", path("key.state"), "--json")
            #expect(closed.status == 0)
            #expect(closed.standardOutput.contains("\"credentialCount\" : 1"))
            #expect(!closed.standardOutput.contains("ada"))
            let open = try await touchstone.run(
                "device", "inspect", path("key.state"), "--passphrase-file", path("right"))
            #expect(open.status == 0)
            #expect(open.standardOutput.contains("example.com  ada  ES256"))
        }

        @Test func anUnusableStateEndsTheCommand() async throws {
            defer { try? FileManager.default.removeItem(at: directory) }
            try await withDevice(start("key.state", "--name", "key")) { device in
                let second = try await refusal(
                    "device", "start", "security-key-pin", "--udp", "0", "--name", "other", "--state", path("key.state")
                )
                #expect(second.status == 3)
                #expect(second.complaint.contains("is in use by a running device (process "))
                // Reading does not need the lock.
                #expect(try await touchstone.run("device", "inspect", path("key.state")).status == 0)
                _ = try await register(device)
            }
            let other = try await refusal("device", "start", "security-key-bio", "--state", path("key.state"))
            #expect(other.status == 2)
            #expect(other.complaint.contains("is the state of a security-key-pin, not of a security-key-bio"))
            try Data("A letter.".utf8).write(to: directory.appending(path: "letter.txt"))
            let letter = try await refusal("device", "start", "security-key-bio", "--state", path("letter.txt"))
            #expect(letter.status == 2)
            #expect(letter.complaint.contains("is not a device's state"))
            let missing = try await refusal("device", "inspect", path("missing.state"))
            #expect(missing.status == 3)
        }
    }
}
