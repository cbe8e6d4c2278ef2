import DeviceHost
import Foundation
import SimulatedDevice
import TestSupport
import Testing

extension Interop {
    /// The program end to end: a device in one terminal, its user in another, python-fido2 in a third.
    @Suite struct DeviceCommandTests {
        /// The error for an unexpected first line of a device.
        struct Unexpected: Error { let line: String? }

        /// Runs a device while `use` runs; `use` gets the port the device prints.
        private func withDevice(
            _ profile: String, _ use: (Touchstone, Touchstone.Program, Int) async throws -> Void
        ) async throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: directory) }
            let touchstone = Touchstone(runtimeDirectory: directory)
            let device = try touchstone.start(
                ["device", "start", profile, "--udp", "0", "--person", "ask", "--name", "key", "--json"])
            // No process is left running after a failure.
            defer { device.terminate() }
            var first: String?
            for await line in device.errors {
                first = line
                break
            }
            guard let port = first?.firstMatch(of: /listening on udp:127\.0\.0\.1:(\d+) as key/)?.output.1,
                let port = Int(port)
            else { throw Unexpected(line: first) }
            try await use(touchstone, device, port)
        }

        private func status(_ output: Touchstone.Output) throws -> DeviceStatus {
            #expect(output.status == 0, "\(output.standardError)")
            return try JSONDecoder().decode(DeviceStatus.self, from: Data(output.standardOutput.utf8))
        }

        /// Asks for the status until the device waits for its user.
        private func waitUntilWaiting(_ touchstone: Touchstone) async throws -> DeviceStatus {
            while true {
                let status = try status(await touchstone.run("device", "status", "--json"))
                if status.waitingFor != nil { return status }
                try Task.checkCancellation()
            }
        }

        @Test(
            "The terminal stores a secret on a phone or computer, and reads it after a match",
            arguments: ["iphone-face-id", "pixel-fingerprint", "windows-hello-face", "macbook-touch-id"])
        func secretsInTheTerminal(profile: String) async throws {
            try await withDevice(profile) { touchstone, _, _ in
                for act in [
                    "can-verify", "store-secret name=session access=current-set value=refresh-token",
                    "read-secret session",
                ] {
                    if act.hasPrefix("read") { _ = try await touchstone.run("device", "present", "match") }
                    let output = try await touchstone.run(
                        ["device", "do"] + act.split(separator: " ").map(String.init))
                    #expect(output.status == 0, "\(act): \(output.standardError)")
                    if act.hasPrefix("read") { #expect(output.standardOutput.contains(/answer +refresh-token/)) }
                }
            }
        }

        private struct Unread: Decodable { let note: String }

        @Test("A device goes on and ends when its standard output is not read")
        func unreadOutputStallsNoDevice() async throws {
            let folder = try TemporaryFolder()
            let seen = try await Script.run(
                "unread_output", in: [Script.directory],
                [
                    "touchstone": .text(Touchstone(runtimeDirectory: folder.url).executable.path),
                    "runtime": .text(folder.url.path), "folder": .text(PackageRoot.url.path),
                ], as: Unread.self)
            #expect(seen.note.hasSuffix("events not shown: standard output was not read\n"), "\(seen.note)")
        }

        @Test func theStatusWaitsForADeviceThatStartsLater() async throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: directory) }
            let touchstone = Touchstone(runtimeDirectory: directory)
            let early = try await touchstone.run("device", "status", "--name", "key", "--wait", "200ms")
            #expect(early.status == 3)
            let device = try touchstone.start(
                ["device", "start", "security-key-pin", "--udp", "0", "--name", "key"])
            defer { device.terminate() }
            #expect(try await touchstone.run("device", "status", "--name", "key", "--wait", "5min").status == 0)
        }

        @Test func theStatusOfAProcessEndsWithTheReasonOfAFailedStart() async throws {
            try await withDevice("security-key-pin") { touchstone, _, port in
                let wait = ["device", "status", "--wait", "5min"]
                for (name, arguments) in [("key", ["--udp", "0"]), ("other", ["--udp", "\(port)"])] {
                    let start = try touchstone.start(
                        ["device", "start", "security-key-pin", "--name", name] + arguments)
                    let id = start.processID
                    #expect(await start.exitStatus() == 3)
                    let failed = try await touchstone.run(wait + ["--name", name, "--process", "\(id)"])
                    #expect(failed.status == 3)
                    let words = "process \(id) has ended; read its output for the reason: "
                    #expect(failed.standardError.replacing("\n", with: " ").contains(words), "\(failed.standardError)")
                }
                let status = try status(await touchstone.run("device", "status", "--json"))
                let served = try await touchstone.run(wait + ["--process", "\(status.processID)"])
                #expect(served.status == 0, "\(served.standardError)")
            }
        }

        @Test func aUserInAnotherTerminalRegistersAndSignsIn() async throws {
            struct Summary: Decodable { let credential: String, asked: [String] }
            try await withDevice("security-key-bio") { touchstone, device, port in
                async let client = Script.run("sign_in", port: port, as: Summary.self)

                let registering = try await waitUntilWaiting(touchstone)
                #expect(registering.waitingFor == "fingerprint")
                #expect(registering.processID == device.processID)
                #expect(registering.udpPort == port)
                #expect(registering.credentials.isEmpty)
                let present = try await touchstone.run("device", "present", "match", "--name", "key")
                #expect(present.status == 0, "\(present.standardError)")
                #expect(present.standardOutput.contains("security-key-bio"))

                let signingIn = try await waitUntilWaiting(touchstone)
                #expect(signingIn.credentials.map(\.user) == ["alice"])
                // Two acts in one command: a bad capture, then a match.
                let both = try await touchstone.run("device", "present", "bad-capture", "match", "--json")
                #expect(try status(both).planned.count <= 1)
                let summary = try await client
                #expect(summary.asked.filter { $0 == "uv" }.count == 2)

                let after = try status(await touchstone.run("device", "status", "--json"))
                #expect(after.waitingFor == nil)
                #expect(after.credentials.map(\.relyingPartyID) == ["example.com"])
                #expect(after.uvRetries == 3)
            }
        }

        @Test func aPhonesClockIsSetBackFromAnotherTerminal() async throws {
            try await withDevice("iphone-face-id") { touchstone, _, _ in
                let done = try await touchstone.run("device", "set-clock-back", "1 h", "--json")
                #expect(try status(done).uptimeSeconds >= 0)
                let early = try await touchstone.run("device", "set-clock-back", "90000 d")
                #expect(early.status != 0)
                #expect(early.standardError.contains("1970"))
                let wrong = try await touchstone.run("device", "set-clock-back", "soon")
                #expect(wrong.status == 2)
            }
        }

        @Test func aPowerCycleFromAnotherTerminalRestartsTheDevice() async throws {
            try await withDevice("security-key-pin") { touchstone, device, port in
                _ = try await Script.run("mistakes", port: port)
                let before = try status(await touchstone.run("device", "status", "--json"))
                #expect(before.isPINSet)
                #expect(before.needsPowerCycle)
                #expect(before.pinRetries == 5)
                let after = try status(await touchstone.run("device", "power-cycle", "--json"))
                #expect(after.isPINSet)
                #expect(!after.needsPowerCycle)
                #expect(after.pinRetries == 5)
                #expect(after.uptimeSeconds < before.uptimeSeconds)

                // The device's own terminal shows every event up to the power cycle.
                var kinds: [String] = []
                for await line in device.output {
                    kinds.append(try JSONDecoder().decode(EventDescription.self, from: Data(line.utf8)).kind)
                    if kinds.last == "power" { break }
                }
                #expect(kinds.filter { $0 == "pin" }.count == 3)
                #expect(kinds.last == "power")
            }
        }

        @Test func aTerminatedDeviceRemovesItsFiles() async throws {
            try await withDevice("security-key-pin") { touchstone, device, port in
                let control = DeviceSocketDirectory(path: touchstone.runtimeDirectory.path)
                #expect(control.names() == ["key"])
                let taken = try await touchstone.run(
                    "device", "start", "security-key-pin", "--udp", "0", "--name", "key")
                #expect(taken.status == 3)
                #expect(taken.standardError.contains("running already"))
                let occupied = try await touchstone.run("device", "start", "security-key-pin", "--udp", "\(port)")
                #expect(occupied.status == 3)
                #expect(occupied.standardError.contains("choose another port with --udp"))
                #expect(control.names() == ["key"])

                device.terminate()
                #expect(await device.exitStatus() == 0)
                #expect(control.names().isEmpty)
                let gone = try await touchstone.run("device", "status")
                #expect(gone.status == 3)
                #expect(gone.standardError.contains("no device is running"))
                let unheard = try await touchstone.run("device", "present", "match", "--name", "key")
                #expect(unheard.status == 3)
            }
        }

        @Test func aDeviceThatWaitsForATouchCanBeTerminated() async throws {
            try await withDevice("security-key-pin") { touchstone, device, port in
                _ = try await Script.run("walk_away", port: port)
                #expect(try await waitUntilWaiting(touchstone).waitingFor == "touch")
                device.terminate()
                #expect(await device.exitStatus() == 0)
                #expect(DeviceSocketDirectory(path: touchstone.runtimeDirectory.path).names().isEmpty)
            }
        }

        @Test func plannedActsCanBeCleared() async throws {
            try await withDevice("security-key-pin") { touchstone, _, _ in
                let planned = try status(await touchstone.run("device", "present", "touch", "touch", "--json"))
                #expect(planned.planned == ["touch", "touch"])
                let replaced = try status(await touchstone.run("device", "present", "--clear", "cancel", "--json"))
                #expect(replaced.planned == ["cancel"])
                #expect(try status(await touchstone.run("device", "present", "--clear", "--json")).planned.isEmpty)
                // A script clears up without a look at the device first.
                #expect(try status(await touchstone.run("device", "present", "--clear", "--json")).planned.isEmpty)
                #expect(try status(await touchstone.run("device", "fault", "none", "--json")).faults.isEmpty)
                #expect(try await touchstone.run("device", "present").status == 2)
            }
        }

        @Test func anActSaysWhatItWaitsForOrWhyItIsImpossible() async throws {
            try await withDevice("security-key-pin") { touchstone, _, _ in
                let first = try await touchstone.run("device", "present", "touch")
                #expect(first.standardOutput.contains("touch waits for the next prompt\n"), "\(first.standardOutput)")
                let second = try await touchstone.run("device", "present", "touch", "cancel")
                #expect(second.standardOutput.contains("touch, cancel wait for the next prompts, behind 1 other"))
                for (act, reason) in [
                    ("match", "match is impossible: key has no sensor; choose from touch, "),
                    ("passcode", "key has no passcode"), ("choose:1", "no account at a relying party"),
                ] {
                    let refused = try await touchstone.run("device", "present", "touch", act)
                    #expect(refused.status == 2)
                    #expect(
                        refused.standardError.replacing("\n", with: " ").contains(reason), "\(refused.standardError)")
                }
                #expect(try status(await touchstone.run("device", "status", "--json")).planned.count == 3)
            }
        }

        @Test func anUnknownActIsRefusedBeforeTheFirstActIsDone() async throws {
            try await withDevice("security-key-pin") { touchstone, _, _ in
                let output = try await touchstone.run("device", "present", "touch", "wave")
                #expect(output.status == 2)
                #expect(output.standardError.contains("wave"))
                let status = try status(await touchstone.run("device", "status", "--json"))
                #expect(status.planned.isEmpty)
            }
        }
    }
}
