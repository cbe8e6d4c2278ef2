import COSE
import CTAP
import CTAPHybrid
import Causes
import Documents
import Foundation
import HybridLink
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

@testable import ControlAPI

/// Phones that scan QR codes.
@Suite struct ScanTests {
    private static func code(age: UInt64 = 0) throws -> ScannedPhone.Code {
        try #require(
            ScannedPhone.Code(
                operation: .makeCredential, now: UInt64(Date().timeIntervalSince1970) - age,
                randomBytes: SystemRandomSource().bytes))
    }

    @Test("A phone scans a code, and answers the computer that shows it as its user says")
    func aPhoneAnswers() async throws {
        try await Control.run { control in
            // The code has the time of the computer.
            try await control.post("/v1/devices", ["profile": "iphone-face-id", "name": "phone", "clock": "real"])
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["no-match", "match"]])
            let code = try Self.code()
            let way = try await HybridWay.onThisComputer()
            async let scanned = control.post("/v1/devices/phone/scan", ["code": .text(code.contents.text)])
            let phone = try await ScannedPhone.connect(code, way: way)
            let response = try await AuthenticatorClient(phone).makeCredential(
                MakeCredentialRequest(
                    clientDataHash: [UInt8](repeating: 7, count: 32), rp: .init(id: "example.org"),
                    user: .init(id: [1]), pubKeyCredParams: [.init(algorithm: .es256)],
                    options: ["rk": true, "uv": true]))
            #expect(try AuthenticatorData(parsing: response.authenticatorData).flags.contains(.userVerified))
            let outcome: Outcome = try await scanned.decode()
            #expect(outcome.done && outcome.answer?.hasPrefix("phone has answered the computer, ") == true)
            await phone.close()
            await way.close()
        }
    }

    @Test("A phone that does not scan says why, with the cause")
    func refusals() async throws {
        try await Control.run { control in
            try await control.post("/v1/devices", ["profile": "iphone-face-id", "name": "phone", "clock": "real"])
            try await control.device("macbook-touch-id", "mac")
            func cause(_ device: String, _ text: String) async throws -> String? {
                let answer = try await control.post("/v1/devices/\(device)/scan", ["code": .text(text)])
                #expect(answer.status == 200)
                let outcome: Outcome = try answer.decode()
                #expect(!outcome.done && outcome.explanation?.isEmpty == false)
                return outcome.cause?.rawValue
            }
            let fresh = try Self.code().contents.text
            #expect(try await cause("phone", "https://example.org") == "codeInvalid")
            #expect(try await cause("phone", try Self.code(age: 3600).contents.text) == "codeExpired")
            #expect(try await cause("mac", fresh) == "devicesUnsuitable")
            try await control.post("/v1/devices/phone/acts", ["verb": "lock"])
            #expect(try await cause("phone", fresh) == "deviceLocked")
            try await control.post("/v1/devices/phone/acts", ["verb": "unlock"])
            try await control.post("/v1/devices/phone/acts", ["verb": "airplane-mode", "arguments": ["state": "on"]])
            #expect(try await cause("phone", fresh) == "offline")
        }
    }

    @Test("A failed scan is an event of the device, and a simulated clock is named as the reason")
    func failedScans() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            let code = ScannedPhone.Code(
                operation: .getAssertion, now: 4_000_000_000, randomBytes: SystemRandomSource().bytes)
            let answer = try await control.post(
                "/v1/devices/phone/scan", ["code": .text(try #require(code).contents.text)])
            let outcome: Outcome = try answer.decode()
            let explanation = try #require(outcome.explanation)
            #expect(explanation.contains("in the future, because the device has a simulated clock. Start it with"))
            let events: EventList = try await control.get("/v1/devices/phone/events").decode()
            let last = try #require(events.events.last?.event)
            #expect(last.text == "the scan of a QR code fails: \(explanation)" && last.cause == outcome.cause)
        }
    }

    @Test("A scan without a code, with two, or of a damaged picture is refused with a sentence")
    func mistakes() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            let mistakes: [(JSONValue, String)] = [
                ([:], "scan.code"), (["code": "FIDO:/1", "picture": "AA"], "scan.code"),
                (["picture": "!"], "scan.picture"),
                (["picture": "AAAA"], "scan.picture"),
                (
                    ["picture": .text(Base64URL.encode([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]))],
                    "scan.picture"
                ),
            ]
            for (body, code) in mistakes {
                let answer = try await control.post("/v1/devices/phone/scan", body)
                #expect(answer.status == 422 && answer.code == code, "\(body)")
            }
        }
    }
}
