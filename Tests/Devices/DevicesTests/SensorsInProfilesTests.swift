import Biometrics
import Causes
import DeviceProfiles
import Documents
import Foundation
import ProfileFiles
import SampleGates
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

@Suite("Sensors, lockouts and credentials in profiles")
struct SensorsInProfilesTests {
    static let head = """
        name: two
        title: Two sensors
        platform: android
        authenticator:
          aaguid: 01020304-0506-0708-0102-030405060708
          attachment: platform
          transports: [internal]

        """

    static let good =
        head + """
            sensors:
              - modality: fingerprint
                templates: [right index finger]
                latency: 400 ms
              - modality: face
                class: 2
                templates: [owner]
                latency: { mean: 500 ms, deviation: 100 ms, at-least: 200 ms }
                lockout: { timed-at: [3, 4], timed-duration: 10 s, timed-clears-count: true, permanent-at: never }
            device-credential:
              kind: pin
              delays:
                - { failures: 5, delay: 30 s }
                - { failures: 10, delay: 10 min }
              permanent-at: 12
              permanently: erased
              power-cycle-clears: true
            lockout:
              timed-every: 5
              permanent-at: 20
              credential-fallback: true
              invalidation: enrolledOrAllRemoved
              confirmation: appDecides
              attention: true
              power-button: powerPressed
              power-cycle-requires-credential: true
              power-cycle-clears: true
              strong-authentication:
                - { classes: [1, 2], since-credential: 24 h }
                - { since-credential: 72 h, since-unlock: 4 h, since-biometric: 2 h, failures: 3 }
            """

    static func profile(_ text: String) throws(SourceError) -> DeviceProfile {
        try DeviceProfile(parsing: text, file: "p.yaml")
    }

    @Test func everySensorSettingIsRead() throws {
        let profile = try Self.profile(Self.good)
        #expect(profile.sensors.map(\.modality) == [.fingerprint, .face])
        #expect(profile.sensor?.modality == .fingerprint)
        #expect(profile.sensors[0].latency == .fixed(.milliseconds(400)))
        #expect(profile.sensors[0].lockoutPolicy == nil)
        #expect(
            profile.sensors[1].latency
                == .normal(mean: .milliseconds(500), deviation: .milliseconds(100), floor: .milliseconds(200)))
        let lockout = try LockoutPolicy(
            timedAt: [3, 4], timedDuration: .seconds(10), expiryClearsCount: true, permanentAt: nil)
        #expect(profile.sensors[1].lockoutPolicy == lockout)
        let policy = try #require(profile.lockout)
        #expect(policy.lockout == LockoutPolicy.androidFingerprint)
        #expect(policy.confirmation == .appDecides && policy.requiresAttention && policy.powerButton == .powerPressed)
        #expect(policy.powerCycleRequiresCredential && policy.powerCycleClearsLockout)
        let credential = try CredentialLockoutPolicy(
            delays: [.init(failures: 5, delay: .seconds(30)), .init(failures: 10, delay: .seconds(600))],
            permanentAt: 12, permanentErases: true, powerCycleClears: true)
        #expect(policy.credentialLockout == credential)
        let rules = try [
            StrongAuthenticationRule(classes: [.class1, .class2], sinceCredential: .seconds(86_400)),
            StrongAuthenticationRule(
                sinceCredential: .seconds(72 * 3600), sinceUnlock: .seconds(4 * 3600),
                sinceBiometric: .seconds(2 * 3600), failures: 3),
        ]
        #expect(policy.strongAuthentication == rules)
        #expect(profile.deviceCredential == .pin)
        #expect(profile.gate?.sensors == profile.sensors)
    }

    @Test(
        arguments: [
            ("latency: 400 ms", "latency: [600 ms, 400 ms]", 11, "the first span is longer than the second; swap them"),
            ("latency: 400 ms", "latency: [600 ms]", 11, "expected the shortest and the longest span"),
            ("latency: 400 ms", "latency: 2 h", 11, "expected at most 1 h"),
            ("latency: 400 ms", "latency: { mean: 1 s }", 11, "deviation is missing"),
            (
                "modality: face", "modality: fingerprint", 12,
                "there is already a sensor for fingerprint; give each sensor a different modality"
            ),
            ("[3, 4]", "[4, 3]", 16, "the numbers of timed-at must ascend"),
            ("[3, 4]", "[0, 3]", 16, "timed-at is 0, but must be at least 1"),
            ("{ timed-at", "{ timed-every: 3, timed-at", 16, "cannot both be given"),
            ("permanent-at: never", "permanent-at: 3", 16, "timed-at is 4, but permanent-at is 3"),
            (", permanent-at: never", "", 16, "permanent-at is missing"),
            ("failures: 10", "failures: 5", 21, "the numbers of delays must ascend"),
            ("delay: 30 s", "delay: 0 s", 20, "delay must be positive"),
            ("permanent-at: 12", "permanent-at: 10", 22, "permanent-at is 10, but must be at least 11"),
            ("  permanent-at: 12\n", "", 22, "device-credential.permanently: has no effect without permanent-at"),
            ("permanently: erased", "permanently: melted", 23, "expected one of disabled, erased"),
            ("kind: pin", "sort: pin", 18, "unknown key sort in device-credential"),
            ("classes: [1, 2], since-credential: 24 h", "classes: [1]", 36, "a rule needs a condition"),
            ("classes: [1, 2]", "classes: [4]", 36, "expected 1 to 3, found 4"),
            ("confirmation: appDecides", "confirmation: maybe", 30, "expected one of required, appDecides, never"),
            ("powerPressed", "explodes", 32, "expected one of systemCancelled, powerPressed, verifies"),
            ("permanent-at: 20", "permanent-at: 26", 27, "permanent-at is 26, but must lie between 1 and 25"),
            ("permanent-at: 12", "permanent-at: -5", 22, "device-credential.permanent-at: expected 0 to"),
            ("failures: 5,", "failures: 0,", 20, "failures: expected 1 to"),
            ("modality: face", "modality: iris", 31, "lockout.attention: attention needs a face sensor"),
            ("sensors:\n", "sensor: { modality: iris }\nsensors:\n", 10, "sensor and sensors cannot both be given"),
        ])
    func aMistakeIsReportedWithItsLine(old: String, new: String, line: Int, says: String) throws {
        try #require(Self.good.contains(old))
        let text = Self.good.replacingOccurrences(of: old, with: new)
        #expect {
            try Self.profile(text)
        } throws: { error in
            guard let error = error as? SourceError else { return false }
            #expect(error.message.contains(says), "\(error)")
            #expect(error.line == line, "\(error)")
            return true
        }
    }

    @Test func anEmptyListOfSensorsIsAMistake() {
        let text = Self.head + "sensors: []\nlockout: { permanent-at: 5, invalidation: never }\n"
        #expect(throws: SourceError.self) { try Self.profile(text) }
    }

    // MARK: In a device

    static func device(_ acts: [GateAct]) throws -> (SimulatedDevice, ScriptedUser, SimulatedClock) {
        let clock = SimulatedClock()
        let person = ScriptedUser(clock: clock)
        person.willDo(acts)
        let device = try SimulatedDevice(
            profile: try profile(good), time: clock, random: SeededRandomSource(seed: 3), user: person,
            wait: { clock.advance(to: $0) })
        return (device, person, clock)
    }

    static let app = PromptOptions(allowsDeviceCredential: false)

    @Test func aPromptUsesBothSensorsAndTheScriptedUserConfirmsAFace() async throws {
        let (device, person, _) = try Self.device([.nonMatch, .sample(.match(), on: .face)])
        #expect(await device.authenticator.verifyUser(Self.app) == .verified(.biometric(.face, templateID: [1])))
        #expect(person.remainingActs.isEmpty)
        let texts = device.log.all.map { EventDescription($0).text }
        #expect(
            texts == [
                "prompt for the fingerprint",
                "user: shows a fingerprint that does not match, and is asked again; failure 1 in a row",
                "user: shows the enrolled face, and is asked to confirm", "user: confirms → verified",
            ])
        // A match of class 2 clears no failure of class 3.
        #expect(await device.authenticator.snapshot().gate?.consecutiveFailures == 1)
    }

    @Test(arguments: [
        ([GateAct.sample(.match(), on: .face), .declineConfirmation], "confirmationDeclined"),
        ([.sample(.match(), on: .face), .noAnswer], "timedOut"), ([.powerButton], "powerPressed"),
        ([.sensorError(.reEnrolRequired)], "reEnrolRequired"),
    ])
    func promptsEndAsTheScriptSays(acts: [GateAct], label: String) async throws {
        let (device, person, _) = try Self.device(acts)
        #expect(await device.authenticator.verifyUser(Self.app)?.cause == Cause(label))
        #expect(person.remainingActs.isEmpty)
    }

    @Test func theNextActOfAScriptIsNoConfirmation() async throws {
        let (device, person, _) = try Self.device([.sample(.match(), on: .face), .nonMatch, .match()])
        #expect(await device.authenticator.verifyUser(Self.app)?.cause == "verified.biometric")
        #expect(person.remainingActs == [.nonMatch, .match()])
        #expect(await device.authenticator.verifyUser(Self.app)?.cause == "verified.biometric")
    }

    @Test func aSampleTakesItsLatencyAndTheDeadlineHolds() async throws {
        let (device, person, clock) = try Self.device([.match()])
        let start = clock.now()
        _ = await device.authenticator.verifyUser(Self.app)
        #expect(clock.now() - start == .milliseconds(400))
        // A hint takes time, too: seventy-five of them take half a minute.
        person.willDo(Array(repeating: .badCapture(.partial), count: 90))
        let again = clock.now()
        #expect(await device.authenticator.verifyUser(Self.app) == .failed(.timedOut))
        #expect(clock.now() - again == .seconds(30))
        #expect(person.remainingActs.count == 15)
    }

    @Test(
        arguments: [
            (SensorLatency.fixed(.milliseconds(7)), 7.0, 7.0, 7.0),
            (.uniform(from: .milliseconds(100), to: .milliseconds(300)), 200, 100, 300),
            (.normal(mean: .milliseconds(500), deviation: .milliseconds(50), floor: .milliseconds(450)), 504, 450, 800),
        ])
    func latenciesAreDrawnAsDescribed(latency: SensorLatency, mean: Double, least: Double, most: Double) async throws {
        let clock = SimulatedClock()
        let sensor = DelayedUser(
            ConsentingUser(), latencies: [.fingerprint: latency], time: clock, random: SeededRandomSource(seed: 1),
            waitUntil: { clock.advance(to: $0) })
        let device = VirtualAuthenticator(
            configuration: AuthenticatorConfiguration(),
            environment: Environment(time: clock, random: SeededRandomSource(seed: 2), user: sensor),
            gate: UserVerificationGate(
                policy: .androidFingerprint,
                sensor: BiometricSensor(
                    modality: .fingerprint, templates: [BiometricTemplate(id: [1], name: "owner")]),
                deviceCredential: nil))
        var spans: [Double] = []
        for _ in 0..<1_000 {
            let start = clock.now()
            let result = await device.verifyUser(Self.app)
            #expect(result?.cause == "verified.biometric")
            spans.append((clock.now() - start) / .milliseconds(1))
        }
        let average = spans.reduce(0, +) / 1_000
        #expect(abs(average - mean) <= mean * 0.03)
        #expect(spans.allSatisfy { $0 >= least && $0 <= most })
        #expect(least == most || Set(spans).count > 400)
    }
}
