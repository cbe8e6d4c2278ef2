import CTAPNFC
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

extension Readers {
    /// python-fido2's own PC/SC transport, with the virtual authenticator on the reader.
    @Suite(.serialized, .readerStack) struct PythonTests {
        /// python-fido2's form of the messages, and the way of user verification.
        struct Setup: CustomTestStringConvertible, Sendable {
            let pin: String?
            let extended: Bool
            let updates: Bool

            var testDescription: String {
                (pin == nil ? "no PIN" : "PIN") + (extended ? ", extended lengths" : ", chaining")
                    + (updates ? "" : ", no status updates")
            }
        }

        static let setups = [
            Setup(pin: nil, extended: false, updates: true), Setup(pin: "271828", extended: false, updates: true),
            Setup(pin: "271828", extended: true, updates: false),
        ]

        @Test(arguments: setups)
        func aServerVerifiesRegistrationsAndSignIns(setup: Setup) async throws {
            struct Summary: Decodable { let credentials: Int }
            try await LaidDevice.with { laid in
                let summary = try await laid.run(
                    "reader_ceremonies",
                    [
                        "pin": setup.pin.map { .text($0) } ?? .null, "extended": .bool(setup.extended),
                        "updates": .bool(setup.updates),
                    ], as: Summary.self)
                #expect(summary.credentials == 2)
                #expect(await laid.device.authenticator.snapshot().credentials.count == 1)
            }
        }

        @Test func secretsOfACredentialAreReadThroughTheReader() async throws {
            try await LaidDevice.with { laid in _ = try await laid.run("reader_prf") }
        }

        @Test func u2fWorksByTapping() async throws {
            try await LaidDevice.with { laid in _ = try await laid.run("reader_u2f") }
        }

        @Test func aWaitIsReportedAndCancelled() async throws {
            try await LaidDevice.with(habit: .ask, settings: "nfc-presence: touch") { laid in
                _ = try await laid.run("reader_cancel")
            }
        }
    }
}
