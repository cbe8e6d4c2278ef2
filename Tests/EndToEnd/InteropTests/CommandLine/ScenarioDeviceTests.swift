import Foundation
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

extension Interop {
    /// `touchstone scenario run --device` in a separate process.
    struct ScenarioDeviceTests {
        private let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)

        private func withScenario(_ steps: String, _ use: (String) async throws -> Void) async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString).yaml")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data("name: t\ndevices: { key: security-key-pin }\nsteps:\n\(steps)".utf8).write(to: file)
            try await use(file.path)
        }

        @Test(arguments: ["", "key="])
        func aServedDevicePlaysTheScenariosDevice(name: String) async throws {
            try await withScenario(
                """
                  - create-account: ada
                  - register: { expect: { http: 201, credentials: 9 } }
                  - sign-out
                  - sign-in: { expect: { http: 200, ledger: none } }

                """
            ) { file in
                try await ServedDevice.with("security-key-pin") { served in
                    let output = try await touchstone.run(
                        "scenario", "run", file, "--device", "\(name)udp:127.0.0.1:\(served.port)", "--verbose")
                    #expect(output.status == 0, "\(output.standardOutput) \(output.standardError)")
                    #expect(output.standardOutput.contains("credentials (line 5) was not checked"))
                    #expect(output.standardOutput.contains("every ledger step passed"))
                    #expect(await served.device.authenticator.snapshot().credentials.count == 1)
                }
            }
        }

        @Test("A substituted profile plays the scenario with its user's acts", arguments: ["", "key="])
        func substitutedProfile(name: String) async throws {
            try await withScenario(
                "  - create-account: ada\n  - register: { person: [no-match, match], expect: { prompts: 2 } }\n"
            ) { file in
                let output = try await touchstone.run(
                    "scenario", "run", file, "--device", "\(name)virtual:security-key-bio")
                #expect(output.status == 0, "\(output.standardOutput) \(output.standardError)")
                let unknown = try await touchstone.run(
                    "scenario", "run", file, "--device", "\(name)virtual:security-key-bo")
                #expect(unknown.status == 2)
                #expect(unknown.standardError.contains("did you mean"), "\(unknown.standardError)")
            }
        }

        @Test("A device stands for one run of a matrix, under its own name")
        func deviceOfMatrix() async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString).yaml")
            defer { try? FileManager.default.removeItem(at: file) }
            let text =
                "name: m\nmatrix: { p: [pixel-fingerprint, iphone-face-id] }\ndevices: { phone: \"${p}\" }\n"
                + "steps:\n  - create-account: ada\n  - register\n"
            try Data(text.utf8).write(to: file)
            let command = ["scenario", "run", file.path, "--device", "virtual:iphone-touch-id"]
            let several = try await touchstone.run(command)
            #expect(several.status == 2)
            #expect(
                several.standardError.contains("phone has several profiles in these runs"), "\(several.standardError)")
            let one = try await touchstone.run(command + ["--matrix", "p=iphone-face-id"])
            #expect(one.status == 0, "\(one.standardError)")
            #expect(one.standardOutput.contains("m [p=iphone-touch-id]"), "\(one.standardOutput)")
            let spare = text.replacing("\"${p}\" }", with: "\"${p}\", spare: iphone-face-id }")
                .replacing("- register\n", with: "- register: { device: phone }\n  - verify: { device: spare }\n")
            try Data(spare.utf8).write(to: file)
            let other = try await touchstone.run([
                "scenario", "run", file.path, "--device", "spare=virtual:iphone-touch-id", "--matrix",
                "p=iphone-face-id",
            ])
            #expect(other.standardOutput.contains("m [p=iphone-face-id]"), "\(other.standardOutput)")
        }

        @Test func aStepThatNeedsASimulationIsRefusedBeforeAnyDeviceIsOpened() async throws {
            try await withScenario("  - create-account: ada\n  - power-cycle\n  - register\n") { file in
                let output = try await touchstone.run("scenario", "run", file, "--device", "usb:/dev/none")
                #expect(output.status == 2)
                #expect(output.standardError.contains("\(file):5:5: power-cycle: key is a real device"))
            }
        }

        /// Options that are refused.
        static let mistakes: [(options: [String], status: Int32, says: String)] = [
            (["--device", "tape"], 2, "\"tape\" is not a device selector"),
            (["--device", "phone=usb"], 2, "there is no device \"phone\""),
            (["--device", "usb", "--device", "key=nfc"], 2, "names key twice"),
            (["--device", "usb:/dev/none"], 3, "there is no security key"),
            (["--device", "udp:127.0.0.1:9"], 3, "cannot be reached"),
        ]

        @Test(arguments: mistakes)
        func anImpossibleDeviceIsRefused(options: [String], status: Int32, says: String) async throws {
            try await withScenario("  - create-account: ada\n") { file in
                let output = try await touchstone.run(["scenario", "run", file] + options)
                #expect(output.status == status)
                #expect(output.standardError.contains(says), "\(output.standardError)")
            }
        }

        @Test func aDeviceNeedsAScenarioAndAName() async throws {
            let shipped = try await touchstone.run("scenario", "run", "--device", "usb")
            #expect(shipped.status == 2)
            #expect(shipped.standardError.contains("needs a scenario"))
            let several = try await touchstone.run("scenario", "run", "sign-up-and-sign-in", "--device", "usb")
            #expect(several.status == 2)
            #expect(several.standardError.contains("choose one with --device NAME=usb"))
        }
    }
}
