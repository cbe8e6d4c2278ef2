import Biometrics
import COSE
import CTAP
import DeviceProfiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

extension Interop {
    /// python-fido2's client and server over UDP: registrations and sign-ins, verified and forged.
    @Suite struct PythonCeremonyTests {
        /// One way to verify the user on one device.
        struct Setup: CustomTestStringConvertible, Sendable {
            let profile: String
            let pin: String?
            let format: String
            let isSynced: Bool

            var testDescription: String { "\(profile), \(pin == nil ? "built-in verification" : "PIN")" }
        }

        static let setups = [
            Setup(profile: "security-key-pin", pin: "1234", format: "packed", isSynced: false),
            Setup(profile: "security-key-bio", pin: "1234", format: "packed", isSynced: false),
            Setup(profile: "security-key-bio", pin: nil, format: "packed", isSynced: false),
            Setup(profile: "iphone-face-id", pin: nil, format: "none", isSynced: true),
        ]

        @Test(arguments: setups)
        func aServerVerifiesEveryAlgorithm(setup: Setup) async throws {
            struct Summary: Decodable { let asked: [String] }
            try await ServedDevice.with(setup.profile) { served in
                let algorithms = served.device.profile.authenticator.algorithms.map(\.rawValue)
                let summary = try await Script.run(
                    "ceremonies", port: served.port,
                    [
                        "pin": setup.pin.map { .text($0) } ?? .null, "format": .text(setup.format),
                        "algorithms": .numbers(algorithms), "synced": .bool(setup.isSynced),
                    ], as: Summary.self)
                #expect(summary.asked == (setup.pin == nil ? ["touch", "uv"] : ["pin", "touch"]))
                let credentials = await served.device.authenticator.snapshot().credentials
                #expect(credentials.count == algorithms.count * (setup.isSynced ? 2 : 1))
            }
        }

        @Test func aTouchAloneMakesAndUsesAnUnverifiedCredential() async throws {
            try await ServedDevice.with("security-key-pin") { served in
                _ = try await Script.run("unverified", port: served.port)
            }
        }

        @Test func severalAccountsAreReturnedOneAfterTheOther() async throws {
            struct Summary: Decodable { let accounts: Int }
            try await ServedDevice.with("security-key-pin") { served in
                let capacity = served.device.profile.authenticator.discoverableCapacity
                let summary = try await Script.run(
                    "accounts", port: served.port, ["capacity": .number(capacity)], as: Summary.self)
                #expect(summary.accounts == 3)
            }
        }

        @Test func aPhoneLetsItsUserChooseTheAccount() async throws {
            struct Summary: Decodable { let credential: String }
            try await ServedDevice.with("iphone-face-id") { served in
                let names = ["alice", "bob", "carol"]
                _ = try await Script.run(
                    "chooser", port: served.port, ["act": "register", "names": .texts(names)])
                // The newest account is first, so alice is the last of three.
                for act in [.gate(.match()), .choose(2)] as [UserAct] { await served.person.tell(act) }
                let chosen = try await Script.run("chooser", port: served.port, ["act": "sign in"], as: Summary.self)
                let credentials = await served.device.authenticator.snapshot().credentials
                #expect(credentials.map(\.user.name) == names)
                #expect(chosen.credential == credentials.first?.id.hex)
            }
        }

        @Test func aRegisteredDeviceIsExcluded() async throws {
            try await ServedDevice.with("security-key-pin") { served in
                _ = try await Script.run("exclude", port: served.port)
            }
        }
    }
}
