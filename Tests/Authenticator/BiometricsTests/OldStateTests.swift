import Biometrics
import Foundation
import Testing

/// States in the format from before a gate had several sensors.
@Suite("A state from an older version")
struct OldStateTests {
    static let policy = """
        {"badCaptureCounts":false,"credentialAttemptsPerPrompt":5,"deviceCredentialFallback":false,\
        "fallbackOfferedAfter":0,"invalidationRule":"enrolledOrAllRemoved","permanentLockoutAt":20,\
        "promptTimeoutMilliseconds":30000,"timedLockoutEvery":5,"timedLockoutMilliseconds":30000,"timeoutCounts":false}
        """
    static let sensor = """
        {"availability":"present","bindingGeneration":2,"enrolmentGeneration":3,"maxTemplates":5,\
        "modality":"fingerprint","strengthClass":3,"templates":[{"id":[1],"name":"Alice"}]}
        """

    static func decode(_ text: String) throws -> UserVerificationGate {
        try JSONDecoder().decode(UserVerificationGate.self, from: Data(text.utf8))
    }

    @Test("keeps its timed lockout, its failures, its fingers and its credential")
    func locked() throws {
        var gate = try Self.decode(
            """
            {"consecutiveFailures":5,"deviceCredential":{"failedAttempts":1,"kind":"pin"},\
            "lockout":{"timed":{"until":[97578197,3766986851632283648]}},"policy":\(Self.policy),\
            "sensor":\(Self.sensor)}
            """)
        let now = Duration.seconds(1_800_000_002)
        #expect(gate.consecutiveFailures == 5)
        #expect(gate.lockout(at: now) == .timed(until: .seconds(1_800_000_031)))
        #expect(gate.deviceCredential == DeviceCredential(kind: .pin, failedAttempts: 1))
        #expect(gate.sensor?.templates == [alice])
        #expect(gate.sensor?.enrolmentGeneration == 3 && gate.sensor?.bindingGeneration == 2)
        #expect(gate.policy.strongAuthentication.isEmpty && gate.policy.confirmation == .never)
        let later = Duration.seconds(1_800_000_031)
        #expect(gate.begin(biometricOnly, at: later).step == .sensing(.fingerprint))
        for _ in 1...4 { _ = gate.present(.nonMatch, at: later) }
        #expect(gate.present(.nonMatch, at: later).failuresAfter == 10)
    }

    @Test("keeps the open prompt")
    func prompting() throws {
        var gate = try Self.decode(
            """
            {"consecutiveFailures":6,"lockout":{"none":{}},"policy":\(Self.policy),"prompt":{"credentialFailures":0,\
            "deadline":[97578199,5873498704213180416],"failures":1,"options":{"allowsDeviceCredential":false},\
            "stage":"sensing"},"sensor":\(Self.sensor)}
            """)
        #expect(gate.stage == .sensing)
        #expect(gate.promptOptions == biometricOnly)
        #expect(
            gate.present(.match(), at: .seconds(1_800_000_042)).step
                == .ended(.verified(method: .biometric(.fingerprint, templateID: [1]))))
    }

    @Test("keeps a key's retries at a forced 0")
    func exhausted() throws {
        var key = try Self.decode(
            """
            {"consecutiveFailures":20,"lockout":{"exhausted":{}},"policy":\(Self.policy),"sensor":\(Self.sensor)}
            """)
        #expect(key.lockout(at: .zero) == .exhausted)
        #expect(key.attemptsRemaining(at: .zero) == 0)
        _ = key.refill(at: .zero)
        #expect(key.attemptsRemaining(at: .zero) == 20)
    }

    @Test("without a sensor stays without a sensor")
    func noSensor() throws {
        let gate = try Self.decode(
            """
            {"consecutiveFailures":0,"lockout":{"none":{}},"policy":\(Self.policy)}
            """)
        #expect(gate.sensors.isEmpty)
    }

    @Test("that is impossible is refused", arguments: [(20, "none"), (21, "permanent"), (-1, "none")])
    func impossible(failures: Int, lockout: String) {
        #expect(throws: DecodingError.self) {
            try Self.decode(
                """
                {"consecutiveFailures":\(failures),"lockout":{"\(lockout)":{}},"policy":\(Self.policy),\
                "sensor":\(Self.sensor)}
                """)
        }
    }

    @Test("has events that still decode")
    func events() throws {
        let text = """
            [{"at":[0,0],"counted":false,"failuresAfter":3,"failuresBefore":3,\
            "input":{"begin":{"_0":{"allowsDeviceCredential":true}}},"lockoutAfter":{"exhausted":{}},\
            "lockoutBefore":{"exhausted":{}},"modality":"fingerprint","stageAfter":"idle","stageBefore":"idle",\
            "step":{"refused":{"_0":{"lockedOutPermanently":{}}}}},\
            {"at":[0,5000000000000000000],"counted":false,"failuresAfter":6,"failuresBefore":6,\
            "input":{"enrol":{"_0":{"id":[9],"name":"x"}}},"lockoutAfter":{"none":{}},"lockoutBefore":{"none":{}},\
            "modality":"fingerprint","stageAfter":"sensing","stageBefore":"sensing","step":{"changed":{}}},\
            {"at":[0,5000000000000000000],"counted":false,"failuresAfter":0,"failuresBefore":6,\
            "input":{"present":{"_0":{"match":{}}}},"lockoutAfter":{"none":{}},"lockoutBefore":{"none":{}},\
            "modality":"fingerprint","stageAfter":"idle","stageBefore":"sensing",\
            "step":{"ended":{"_0":{"verified":{"method":{"biometric":{"_0":"fingerprint","templateID":[1]}}}}}}},\
            {"at":[0,5000000000000000000],"counted":false,"failuresAfter":0,"failuresBefore":0,\
            "input":{"setAvailability":{"_0":"busy"}},"lockoutAfter":{"none":{}},"lockoutBefore":{"none":{}},\
            "modality":"fingerprint","stageAfter":"idle","stageBefore":"idle","step":{"changed":{}}}]
            """
        let events = try JSONDecoder().decode([GateEvent].self, from: Data(text.utf8))
        #expect(
            events.map(\.input) == [
                .begin(PromptOptions(allowsDeviceCredential: true)),
                .enrol(BiometricTemplate(id: [9], name: "x")), .present(.match()), .setAvailability(.busy),
            ])
    }
}
