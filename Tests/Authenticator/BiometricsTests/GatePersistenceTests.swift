import Biometrics
import Foundation
import SampleGates
import Testing

@Suite("A gate's state")
struct GatePersistenceTests {
    @Test("is restored from storage unchanged, with an open prompt")
    func roundTrip() throws {
        var gate = gate(.androidFingerprint)
        gate.fail(times: 5, at: .seconds(1_800_000_000))
        #expect(try stored(gate) == gate)
        _ = gate.begin(biometricOnly, at: .seconds(1_800_000_030))
        _ = gate.present(.nonMatch, at: .seconds(1_800_000_031))
        var restored = try stored(gate)
        #expect(restored == gate)
        #expect(
            restored.present(.match(), at: .seconds(1_800_000_032))
                == gate.present(.match(), at: .seconds(1_800_000_032)))
    }

    @Test("an impossible failure count does not decode", arguments: [-1, 5, 6])
    func impossibleState(failures: Int) throws {
        let data = try JSONEncoder().encode(gate(.iOSFaceID))
        let text = String(decoding: data, as: UTF8.self)
        let forged = text.replacingOccurrences(
            of: #""consecutiveFailures":0"#, with: #""consecutiveFailures":\#(failures)"#)
        #expect(forged != text)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(UserVerificationGate.self, from: Data(forged.utf8))
        }
    }

    @Test("a restored prompt does not verify with a sensor that has locked since")
    func restoredPromptStaysLocked() throws {
        var open = gate(.iOSFaceID)
        _ = open.begin(biometricOnly, at: .zero)
        let text = String(decoding: try JSONEncoder().encode(open), as: UTF8.self)
        let forged =
            text.replacingOccurrences(of: #""consecutiveFailures":0"#, with: #""consecutiveFailures":5"#)
            .replacingOccurrences(of: #""lockout":{"none":{}}"#, with: #""lockout":{"permanent":{}}"#)
        var locked = try JSONDecoder().decode(UserVerificationGate.self, from: Data(forged.utf8))
        #expect(locked.lockout(at: .zero) == .permanent)
        #expect(locked.stage == .sensing)
        #expect(locked.present(.match(), at: .zero).step == .ended(.failed(.lockedOutPermanently)))
    }

    @Test(
        "an impossible state does not decode",
        arguments: [
            (#""stage":"confirming""#, #""stage":"sensing""#), (#""sensor":0"#, #""sensor":-1"#),
            (#""sensor":0"#, #""sensor":1"#), (#""failures":1"#, #""failures":-1"#),
            (#""credentialFailures":0"#, #""credentialFailures":-1"#),
            (#""failedAttempts":0"#, #""failedAttempts":-1"#),
            (#""sensors":["#, #""sensors":[SENSOR,"#),
        ])
    func impossibleStates(part: String, forgery: String) throws {
        var confirming = gate(.androidFace, .face)
        _ = confirming.begin(biometricOnly, at: .zero)
        _ = confirming.present(.nonMatch, at: .zero)
        _ = confirming.present(.tryAgain, at: .zero)
        _ = confirming.present(.match(), at: .zero)
        #expect(confirming.stage == .confirming)
        let text = String(decoding: try JSONEncoder().encode(confirming), as: UTF8.self)
        let sensor = String(decoding: try JSONEncoder().encode(try #require(confirming.sensor)), as: UTF8.self)
        let forged = text.replacingOccurrences(
            of: part, with: forgery.replacingOccurrences(of: "SENSOR", with: sensor))
        #expect(forged != text)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(UserVerificationGate.self, from: Data(forged.utf8))
        }
    }

    @Test("follows from its events, which survive storage too")
    func replays() throws {
        let initial = gate(.androidFingerprint)
        var gate = initial
        var log: [GateEvent] = []
        log.append(try gate.enrol(bob, at: .seconds(1)))
        log.append(gate.begin(biometricOnly, at: .seconds(2)))
        for second in 3...7 { log.append(gate.present(.nonMatch, at: .seconds(second))) }
        log.append(gate.begin(biometricOnly, at: .seconds(8)))
        log.append(gate.enterDeviceCredential(correct: true, at: .seconds(9)))
        let restored = try JSONDecoder().decode([GateEvent].self, from: JSONEncoder().encode(log))
        #expect(restored == log)
        #expect(try initial.replay(restored) == gate)
    }

    @Test("a log with a missing event, or of another gate, does not replay")
    func wrongLog() throws {
        let initial = gate(.iOSTouchID)
        var gate = initial
        var log = [gate.begin(biometricOnly, at: .zero)]
        log.append(gate.present(.nonMatch, at: .zero))
        log.append(gate.present(.nonMatch, at: .zero))
        let enrolment = try gate.enrol(bob, at: .zero)
        log.append(enrolment)

        log.remove(at: 1)
        #expect { try initial.replay(log) } throws: { error in
            guard case .diverged(index: 1, _, _)? = error as? GateReplayError else { return false }
            return true
        }
        #expect(throws: GateReplayError.impossible(index: 0, .duplicateTemplate(id: bob.id))) {
            try gate.replay([enrolment])
        }
    }

    private func stored(_ gate: UserVerificationGate) throws -> UserVerificationGate {
        try JSONDecoder().decode(UserVerificationGate.self, from: JSONEncoder().encode(gate))
    }
}
