import Biometrics
import Foundation
import SampleGates
import Testing

@Suite("A policy")
struct GatePolicyTests {
    @Test("a permanent lockout lies between 1 and 25", arguments: [-1, 0, 1, 25, 26, Int.max])
    func permanentRange(limit: Int) {
        let make = { () throws in
            try GatePolicy(attemptsPerPrompt: nil, permanentLockoutAt: limit, invalidationRule: .never)
        }
        if (1...25).contains(limit) {
            #expect(throws: Never.self) { try make() }
        } else {
            #expect(throws: GatePolicyError.permanentLockoutOutOfRange(limit)) { try make() }
        }
    }

    @Test("unreachable limits are refused by name")
    func limits() {
        #expect(throws: GatePolicyError.limitTooLow(field: "attemptsPerPrompt", value: 0, least: 1)) {
            try GatePolicy(attemptsPerPrompt: 0, permanentLockoutAt: 5, invalidationRule: .never)
        }
        #expect(throws: GatePolicyError.limitTooLow(field: "fallbackOfferedAfter", value: -1, least: 0)) {
            try GatePolicy(
                attemptsPerPrompt: nil, fallbackOfferedAfter: -1, permanentLockoutAt: 5, invalidationRule: .never)
        }
        #expect(throws: GatePolicyError.fallbackNeverOffered(after: 3, limit: 2)) {
            try GatePolicy(
                attemptsPerPrompt: 2, fallbackOfferedAfter: 3, permanentLockoutAt: 5, invalidationRule: .never)
        }
        #expect(throws: GatePolicyError.limitTooLow(field: "timedEvery", value: 0, least: 1)) {
            try GatePolicy(
                attemptsPerPrompt: nil, timedLockoutEvery: 0, permanentLockoutAt: 5, invalidationRule: .never)
        }
        #expect(throws: GatePolicyError.timedLockoutAfterPermanent(field: "timedEvery", timed: 6, permanent: 5)) {
            try GatePolicy(
                attemptsPerPrompt: nil, timedLockoutEvery: 6, permanentLockoutAt: 5, invalidationRule: .never)
        }
        #expect(throws: GatePolicyError.limitTooLow(field: "credentialAttemptsPerPrompt", value: 0, least: 1)) {
            try GatePolicy(
                attemptsPerPrompt: nil, permanentLockoutAt: 5, credentialAttemptsPerPrompt: 0,
                invalidationRule: .never)
        }
    }

    @Test(
        "spans of time are positive, at most 366 days and whole milliseconds",
        arguments: [
            (Duration.zero, false), (.seconds(-1), false), (.milliseconds(1), true), (.microseconds(1_500), false),
            (.seconds(366 * 86_400), true), (.seconds(366 * 86_400) + .milliseconds(1), false),
            (.seconds(Int64.max) * 10, false),
        ])
    func durations(duration: Duration, isValid: Bool) {
        let timeout = { () throws in
            try GatePolicy(
                attemptsPerPrompt: nil, permanentLockoutAt: 5, promptTimeout: duration, invalidationRule: .never)
        }
        let lockout = { () throws in
            try GatePolicy(
                attemptsPerPrompt: nil, timedLockoutDuration: duration, permanentLockoutAt: 5,
                invalidationRule: .never)
        }
        if isValid {
            #expect(throws: Never.self) { try timeout() }
            #expect(throws: Never.self) { try lockout() }
        } else {
            #expect(throws: GatePolicyError.durationOutOfRange(field: "promptTimeout")) { try timeout() }
            #expect(throws: GatePolicyError.durationOutOfRange(field: "timedDuration")) { try lockout() }
        }
    }

    @Test("a security key's retries are checked like any other limit")
    func securityKeyRange() {
        #expect(throws: GatePolicyError.permanentLockoutOutOfRange(26)) {
            try GatePolicy.securityKeyFingerprint(maxUVRetries: 26)
        }
        #expect(throws: GatePolicyError.limitTooLow(field: "attemptsPerPrompt", value: 0, least: 1)) {
            try GatePolicy.securityKeyFingerprint(maxUVRetries: 3, internalRetries: 0)
        }
    }

    @Test("every preset is a valid policy and survives encoding")
    func presetsRoundTrip() throws {
        let presets: [GatePolicy] = [
            .iOSFaceID, .iOSTouchID, .androidFingerprint, try .securityKeyFingerprint(maxUVRetries: 5),
            .androidFingerprint.withDeviceCredentialFallback(true),
        ]
        for preset in presets {
            let data = try JSONEncoder().encode(preset)
            #expect(try JSONDecoder().decode(GatePolicy.self, from: data) == preset)
        }
    }

    @Test("a policy in a file names its limits in whole milliseconds and omits defaults")
    func writtenByHand() throws {
        let text = """
            {"permanentLockoutAt": 12, "timedLockoutEvery": 3, "timedLockoutMilliseconds": 10000,
             "invalidationRule": "anyChange"}
            """
        let policy = try JSONDecoder().decode(GatePolicy.self, from: Data(text.utf8))
        let expected = try GatePolicy(
            attemptsPerPrompt: nil, timedLockoutEvery: 3, timedLockoutDuration: .seconds(10), permanentLockoutAt: 12,
            invalidationRule: .anyChange)
        #expect(policy == expected)
    }

    @Test(
        "invalid data does not decode",
        arguments: [
            #"{"permanentLockoutAt": 26, "invalidationRule": "never"}"#,
            #"{"permanentLockoutAt": 5, "attemptsPerPrompt": 0, "invalidationRule": "never"}"#,
            #"{"permanentLockoutAt": 5, "promptTimeoutMilliseconds": 9223372036854775807, "invalidationRule": "never"}"#,
            #"{"permanentLockoutAt": 5, "invalidationRule": "sometimes"}"#,
        ])
    func badData(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(GatePolicy.self, from: Data(text.utf8)) }
    }
}
