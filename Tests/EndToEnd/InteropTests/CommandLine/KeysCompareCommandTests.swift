import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone keys compare` in a separate process.
    struct KeysCompareCommandTests {
        private let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)

        /// Devices, and the exit status and the message they lead to.
        static let ends: [(devices: [String], status: Int32, says: String)] = [
            (["virtual:solo-2", "virtual:solo-2"], 0, "Asking Solo 2 (virtual:solo-2)"),
            (["virtual:yubikey-5-nfc-5.4", "virtual:yubikey-5-nfc-5.7"], 1, "they differ in"),
            (["virtual:solo-2"], 2, "two devices or more"),
            (["virtual:solo-2", "virtual:no-such"], 2, "no-such"),
            (["virtual:solo-2", "bluetooth"], 2, "\"bluetooth\" is not a device selector"),
            (["virtual:solo-2", "udp:127.0.0.1:9"], 3, "(udp:127.0.0.1:9) cannot be reached"),
        ]

        @Test(arguments: ends)
        func theExitStatusShowsTheResult(devices: [String], status: Int32, says: String) async throws {
            let output = try await touchstone.run(["keys", "compare"] + devices)
            #expect(output.status == status)
            #expect(output.standardError.contains(says), "\(output.standardError)")
        }

        @Test func aServedDeviceIsComparedWithAVirtualOneOfItsKind() async throws {
            try await ServedDevice.with("security-key-pin") { served in
                let output = try await touchstone.run(
                    "keys", "compare", "virtual:security-key-pin", "udp:127.0.0.1:\(served.port)", "--touch", "--all")
                #expect(output.status == 0, "\(output.standardOutput) \(output.standardError)")
                let signature = output.standardOutput.split(separator: "\n").first {
                    $0.hasPrefix("getAssertion.algorithm.ES256")
                }
                #expect(signature?.contains("OK (0x00)") == true && signature?.contains("verif") == false)
                #expect(output.standardOutput.contains("They agree in"))
            }
        }

        @Test func aKeyInUseEqualsItsVirtualTwin() async throws {
            try await ServedDevice.with("yubikey-5-nfc-5.7", withQuirks: true) { served in
                let key = "udp:127.0.0.1:\(served.port)"
                for command in [
                    ["pin", "set"], ["config", "min-pin-length", "6"], ["config", "toggle-always-uv"],
                ] {
                    let output = try await touchstone.run(
                        ["keys"] + command + ["--yes", "--device", key],
                        environment: ["TOUCHSTONE_PIN": "739184", "TOUCHSTONE_NEW_PIN": "739184"])
                    #expect(output.status == 0, "\(output.standardError)")
                }
                let output = try await touchstone.run("keys", "compare", "virtual:yubikey-5-nfc-5.7", key)
                #expect(output.status == 0, "\(output.standardOutput) \(output.standardError)")
                #expect(
                    output.standardError.contains("takes over the state of \(key): a PIN, alwaysUv on, minPINLength 6"))
            }
        }

        @Test func theJSONHasEveryRow() async throws {
            let output = try await touchstone.run(
                "keys", "compare", "virtual:solo-1", "virtual:solo-2", "--json")
            #expect(output.status == 1)
            let comparison = try JSONDecoder().decode(Comparison.self, from: Data(output.standardOutput.utf8))
            #expect(comparison.devices == ["virtual:solo-1", "virtual:solo-2"])
            #expect(comparison.differences == comparison.rows.count { $0.verdict == "different" })
            #expect(comparison.rows.contains { $0.name == "getAssertion.missing.rpId" && $0.verdict == "same" })
        }

        private struct Comparison: Decodable {
            struct Row: Decodable {
                let name: String
                let values: [String]
                let verdict: String
            }

            let devices: [String]
            let differences: Int
            let rows: [Row]
        }
    }
}
