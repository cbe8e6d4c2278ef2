import Biometrics
import CBOR
import CTAP
import DeviceProfiles
import SimulatedDevice
import TestSupport
import Testing
import Trace
import VirtualAuthenticator

@Suite("Rendering of traces")
struct ConversationTests {
    @Test func aTraceIsRenderedAsAConversation() async throws {
        let bench = try TracedBench("security-key-pin")
        try await bench.pin.setPIN("1234")
        bench.clock.advance(by: .milliseconds(1234))
        await #expect(throws: AuthenticatorClient.Failure.self) {
            try await bench.pin.token(pin: "0000", permissions: [.makeCredential], relyingPartyID: "example.com")
        }
        await bench.controlled.tell(.gate(.noAnswer))
        await #expect(throws: AuthenticatorClient.Failure.self) { try await bench.client.selection() }
        await bench.simulated.authenticator.powerCycle()
        let records = TraceFilter(onlyRefused: true).apply(to: bench.recording.records)
        let text = Conversation().text(records).split(separator: "\n", omittingEmptySubsequences: false)
            // Public keys follow from the seed and are not checked here.
            .filter { !$0.contains(" x: ") && !$0.contains(" y: ") }.joined(separator: "\n")
        let reasons = bench.simulated.log.all.compactMap { event -> String? in
            guard case .answer(_, _, let refusal?) = event.kind else { return nil }
            return "\(refusal.reason.label), \(refusal.reason.clause)"
        }
        try #require(reasons.count == 2)
        #expect(
            text == """
                2026-01-01, times in UTC
                key: \(bench.simulated.profile.title) (secrets are masked)

                #4    00:00:01.234  client → key   ClientPIN getPinUvAuthTokenUsingPinWithPermissions for example.com
                                                     pinUvAuthProtocol: 2
                                                     subCommand: 9 (getPinUvAuthTokenUsingPinWithPermissions)
                                                     keyAgreement:
                                                       kty: 2 (EC2)
                                                       alg: -25 (ECDH-ES+HKDF-256)
                                                       crv: 1 (P-256)
                                                     pinHashEnc: <32 secret bytes>
                                                     permissions: 1 (mc)
                                                     rpId: example.com
                      00:00:01.234  key            PIN does not match, 7 retries left
                      00:00:01.234  key → client   PIN_INVALID (0x31) after 0 ms
                                                     because \(reasons[0])

                #5    00:00:01.234  client → key   Selection
                      00:00:01.234  key            asks for a touch
                      00:00:01.234  key → client   waiting for the user
                      00:00:31.234  key → client   working
                      00:00:31.234  key            touch: noAnswer
                      00:00:31.234  key → client   USER_ACTION_TIMEOUT (0x2F) after 30 s
                                                     because \(reasons[1])

                """)
    }

    @Test func shortFieldsTakeOneLineAndLongBytesAreTruncated() async throws {
        let text = Conversation().text(
            try await exchange(
                [1]
                    + CBOR.encode([
                        2: ["id": "example.com", "name": ""], 4: [["alg": -7, "type": "public-key"]], 0x30: 1,
                        -3: .null,
                    ]), [0] + CBOR.encode([1: "x", 3: ["x5c": [.bytes([UInt8](repeating: 0xEE, count: 500))]]])))
        #expect(text.contains("rp: {id example.com, name \"\"}\n"))
        #expect(text.contains("pubKeyCredParams: [{alg -7 (ES256), type public-key}]\n"))
        #expect(text.contains("0x30 (unknown): 1\n"))
        #expect(text.contains("-3 (unknown): null\n"))
        #expect(text.contains("x5c [\(String(repeating: "ee", count: 16))… (500 bytes)]"))
    }

    @Test func aDeviceCannotControlTheTerminal() async throws {
        let evil = "\u{1B}]0;gotcha\u{07}\n#99 key → client OK\u{202E}"
        let answer = [0] + CBOR.encode([4: ["id": .bytes([1]), "name": .text(evil)]])
        let records = try await exchange([2], answer)
        for text in [Conversation().text(records), TraceReport.markdown(records)] {
            #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{07}" || $0 == "\u{202E}" })
            #expect(text.contains("\\u001B]0;gotcha\\u0007\\u000A#99"))
        }
    }

    @Test func severalDevicesAreDistinguished() async throws {
        let recording = Recording()
        let recorder = recording.recorder()
        let phone = recorder.device("phone", title: "A phone", now: { .seconds(1) })
        let key = recorder.device("key", now: { .seconds(90_000) })
        _ = try await phone.traced(Puppet { _, _ in [0] }).transceive([7])
        _ = try await key.traced(Puppet { _, _ in [0] }).transceive([7])
        let text = Conversation().text(recording.records)
        #expect(text.contains("phone: A phone (secrets are masked)\n"))
        #expect(text.contains("client → phone"))
        #expect(text.contains("client → key  "))
        #expect(text.contains("1970-01-02, times in UTC"))
    }

    @Test func aReportHasATableOfTheExchanges() async throws {
        let bench = try TracedBench("security-key-pin")
        _ = try await bench.client.getInfo()
        _ = try await bench.device.transceive([0x55])
        let recorder = bench.recording.recorder()
        let gone = recorder.device("a|b", now: { .zero }).traced(
            Puppet { _, _ throws(CTAPDeviceError) in throw .disconnected("```") })
        _ = try? await gone.transceive([7])
        let report = TraceReport.markdown(bench.recording.records)
        #expect(report.contains("| 1 | key | GetInfo | OK after 0 ms |  |\n"))
        #expect(
            report.contains(
                "| 2 | key | command 0x55 | INVALID\\_COMMAND (0x01) after 0 ms "
                    + "| message.unknownCommand, CTAP 2.3 §8.1 |\n"))
        #expect(report.contains("| a\\|b | Reset | none: disconnected | the device is not connected: \\`\\`\\` |\n"))
        // No text from the device ends the block.
        #expect(report.contains("\n````text\n") && report.hasSuffix("````\n"))
    }

    @Test func aReportInJSONIsTheRecords() async throws {
        let records = try await exchange([4], [0x01])
        let text = try TraceReport.json(records)
        #expect(text.hasPrefix("[\n") && text.hasSuffix("]\n"))
        #expect(text.contains("\"statusName\" : \"INVALID_COMMAND\""))
    }
}
