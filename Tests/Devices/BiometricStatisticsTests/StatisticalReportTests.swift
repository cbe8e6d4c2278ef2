import BiometricStatistics
import Biometrics
import Foundation
import SampleGates
import TestSupport
import Testing

@Suite("Statistical runs")
struct StatisticalReportTests {
    @Test(
        "Over many attempts the rates of every platform's gate follow the model",
        arguments: [Device.touchID, .android])
    func rates(device: Device) throws {
        let count = Ring.rounds(1_000_000)
        let model = try RecognitionModel(
            falseAcceptRate: 1.0 / 50_000, goodDay: .init(falseRejectRate: 0.03, failureToAcquireRate: 0.02))
        let report = try StatisticalReport.measure(
            device.gate, model: model, attempts: count, seed: 2026, level: 0.99)
        for rate in report.genuine + report.impostor {
            #expect(rate.isForecastInside, "\(device.name), \(rate.name): \(rate)")
        }
        let attempts = try #require(report.genuine.first { $0.name == "FRR by attempt" })
        let accepts = try #require(report.impostor.first { $0.name == "FAR by attempt" })
        #expect(attempts.trials >= count && accepts.trials >= count)
        #expect(attempts.interval.contains(0.03))
        #expect(accepts.interval.contains(1.0 / 50_000))
    }

    @Test("Bad days lock out genuine users at the predicted rate", arguments: Ring.sample(Device.all, 1))
    func badDays(device: Device) throws {
        let model = try RecognitionModel(
            falseAcceptRate: 1.0 / 50_000, goodDay: .init(falseRejectRate: 0.02, failureToAcquireRate: 0.01),
            badDays: .init(.init(falseRejectRate: 0.6, failureToAcquireRate: 0.2), share: 0.05, length: 25))
        let report = try StatisticalReport.measure(
            device.gate, model: model, attempts: Ring.isWhole ? 250_000 : 100_000, seed: 11, level: 0.99)
        let lockouts = try #require(report.genuine.first { $0.name == device.lockout })
        #expect(lockouts.errors > (Ring.isWhole ? 50 : 20), "\(lockouts)")
        for rate in report.genuine { #expect(rate.isForecastInside, "\(device.name), \(rate.name): \(rate)") }
        let mixed = try Forecast(model, of: .genuine, under: LockoutRules(device.gate))
        let plain = try RecognitionModel(
            falseAcceptRate: 0, goodDay: .init(falseRejectRate: mixed.rejectionByAttempt))
        let forecast = try Forecast(plain, of: .genuine, under: LockoutRules(device.gate))
        let independent = device.lockout == "timed lockouts" ? forecast.timedLockouts : forecast.permanentLockouts
        #expect(lockouts.measured > 10 * independent)
    }

    @Test("Every kind of lockout occurs as often as forecast", arguments: Ring.sample(Lockout.all, 3))
    func lockouts(lockout: Lockout) throws {
        let model = try RecognitionModel(
            falseAcceptRate: 0.1, goodDay: .init(falseRejectRate: 0.4, failureToAcquireRate: 0.1))
        let report = try StatisticalReport.measure(
            lockout.gate, model: model, attempts: 40_000, seed: 9, patience: lockout.patience, level: 0.999)
        for rate in report.genuine + report.impostor {
            #expect(rate.isForecastInside, "\(lockout.name), \(rate.name): \(rate)")
        }
        for name in lockout.seen {
            #expect(report.genuine.contains { $0.name == name && $0.errors > 100 }, "\(lockout.name): \(name)")
        }
    }

    @Test("Intervals at 90 % hold the forecast in about nine runs of ten, with and without bad days")
    func coverage() throws {
        let day = RecognitionModel.Day(falseRejectRate: 0.05)
        let models = [
            try RecognitionModel(falseAcceptRate: 0.01, goodDay: day),
            try RecognitionModel(
                falseAcceptRate: 0.01, goodDay: day,
                badDays: .init(.init(falseRejectRate: 0.5), share: 0.1, length: 10)),
        ]
        let runs = Ring.isWhole ? 200 : 40
        // Three standard deviations below nine in ten.
        let fewest = 0.9 * Double(runs) - 3 * (0.09 * Double(runs)).squareRoot()
        for model in models {
            var inside: [String: Int] = [:]
            for seed in 1...runs {
                let report = try StatisticalReport.measure(
                    Device.touchID.gate, model: model, attempts: 4000, seed: UInt64(seed), level: 0.9)
                for rate in report.genuine + report.impostor where rate.isForecastInside {
                    inside[rate.name, default: 0] += 1
                }
            }
            for name in ["FRR by attempt", "FRR by transaction", "FAR by attempt", "FAR by transaction"] {
                #expect(Double(inside[name, default: 0]) >= fewest, "\(name): \(inside[name, default: 0]) of \(runs)")
            }
        }
    }

    @Test("A seed always gives the same report, and another seed gives another report")
    func seeded() throws {
        let model = try RecognitionModel(falseAcceptRate: 0.01, goodDay: .init(falseRejectRate: 0.1))
        let first = try StatisticalReport.measure(Device.android.gate, model: model, attempts: 5000, seed: 1)
        let second = try StatisticalReport.measure(Device.android.gate, model: model, attempts: 5000, seed: 1)
        let other = try StatisticalReport.measure(Device.android.gate, model: model, attempts: 5000, seed: 2)
        #expect(first == second)
        #expect(first != other)
    }

    @Test("Without an error the rule of three bounds the rate")
    func ruleOfThree() throws {
        let model = try RecognitionModel(falseAcceptRate: 1e-9, goodDay: .init(falseRejectRate: 0))
        let report = try StatisticalReport.measure(Device.android.gate, model: model, attempts: 3000, seed: 1)
        let rate = try #require(report.impostor.first)
        #expect(rate.errors == 0)
        #expect(rate.caution?.contains("1.0e-3") == true, "\(rate)")
    }

    @Test("A user without patience left gives up, which ends the prompt")
    func patience() throws {
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0.5))
        let run = try StatisticalRun(
            gate: Device.android.gate, model: model, subject: .genuine, seed: 3, patience: 2)
        let tally = run.play(attempts: 20_000)
        let failed = Double(tally.prompts - tally.verified) / Double(tally.prompts)
        let forecast = try Forecast(model, of: .genuine, under: LockoutRules(Device.android.gate, patience: 2))
        #expect(abs(failed - forecast.failureByPrompt) < 0.01)
    }

    @Test("A gate is refused if failures never end its prompts and the user does not give up")
    func endless() throws {
        let gate = try Self.gate(LockoutPolicy(permanentAt: nil))
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 1))
        #expect(throws: StatisticalRunError.endlessPrompts) {
            _ = try StatisticalReport.measure(gate, model: model, attempts: 100, seed: 1)
        }
        let report = try StatisticalReport.measure(gate, model: model, attempts: 100, seed: 1, patience: 4)
        let failures = try #require(report.genuine.first { $0.name == "FRR by transaction" })
        #expect(failures.errors == 25)
        #expect(failures.forecast == 1)
        // Impostors without matches and lockouts give a divisor of zero.
        let attacks = try #require(report.impostor.last)
        #expect(attacks.trials == 0)
        #expect(attacks.forecast == 0)
        _ = try JSONEncoder().encode(report)
    }

    @Test("A prompt without an end times out even when its samples never match")
    func timesOut() throws {
        let gate = try Self.gate(LockoutPolicy(permanentAt: nil), promptTimeout: .seconds(10))
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 1))
        let tally = try StatisticalRun(gate: gate, model: model, subject: .genuine, seed: 1).play(attempts: 100)
        #expect(tally.prompts == 4)
        #expect(tally.verified == 0)
    }

    @Test("The device credential counts as due by time once per prompt, and only when due by time")
    func credentialDemands() throws {
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0))
        // A prompt every 1.4 s: for every eighth one, ten seconds have passed since the last entry.
        let clocked = try Self.gate(
            LockoutPolicy(permanentAt: 5),
            strongAuthentication: [StrongAuthenticationRule(sinceCredential: .seconds(10))])
        let run = try StatisticalRun(gate: clocked, model: model, subject: .genuine, seed: 1)
        #expect(run.play(attempts: 100).credentialDemands == 12)
        // Every prompt times out, which locks the sensor permanently.
        let closing = try Self.gate(
            LockoutPolicy(permanentAt: 1), promptTimeout: .milliseconds(100), timeoutCounts: true)
        let other = try StatisticalRun(gate: closing, model: model, subject: .genuine, seed: 1)
        #expect(other.play(attempts: 100).credentialDemands == 0)
    }

    private static func gate(
        _ lockout: LockoutPolicy, promptTimeout: Duration = .seconds(30), timeoutCounts: Bool = false,
        strongAuthentication: [StrongAuthenticationRule] = []
    ) throws -> UserVerificationGate {
        let policy = try GatePolicy(
            attemptsPerPrompt: nil, lockout: lockout, promptTimeout: promptTimeout, timeoutCounts: timeoutCounts,
            invalidationRule: .never, strongAuthentication: strongAuthentication)
        let sensor = BiometricSensor(modality: .face, templates: [BiometricTemplate(id: [1], name: "owner")])
        return UserVerificationGate(policy: policy, sensor: sensor, deviceCredential: DeviceCredential(kind: .pin))
    }

    @Test("A gate that cannot verify a user is refused")
    func closed() throws {
        let gate = UserVerificationGate(
            policy: .iOSFaceID, sensor: BiometricSensor(modality: .face), deviceCredential: nil)
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0))
        #expect(throws: StatisticalRunError.cannotSense(.notEnrolled)) {
            _ = try StatisticalRun(gate: gate, model: model, subject: .genuine, seed: 1)
        }
    }
}

/// A device to measure.
struct Device: Sendable, CustomTestStringConvertible {
    let name: String
    let gate: UserVerificationGate
    /// The lockout that its bad days cause often enough to count.
    let lockout: String

    var testDescription: String { name }

    private init(
        _ name: String, _ policy: GatePolicy, _ modality: BiometricModality, credential: DeviceCredential.Kind?,
        lockout: String
    ) {
        self.name = name
        self.lockout = lockout
        gate = UserVerificationGate(
            policy: policy,
            sensor: BiometricSensor(modality: modality, templates: [BiometricTemplate(id: [1], name: "owner")]),
            deviceCredential: credential.map { DeviceCredential(kind: $0) })
    }

    static let touchID = Device(
        "Touch ID", .iOSTouchID, .fingerprint, credential: .passcode, lockout: "permanent lockouts")
    static let android = Device(
        "Android fingerprint", .androidFingerprint, .fingerprint, credential: .pin, lockout: "timed lockouts")
    static let all = [
        touchID, android,
        Device("Face ID", .iOSFaceID, .face, credential: .passcode, lockout: "permanent lockouts"),
    ]
}

/// A kind of lockout.
struct Lockout: Sendable, CustomTestStringConvertible {
    let name: String
    let gate: UserVerificationGate
    let patience: Int?
    /// The rates that count it.
    let seen: [String]

    var testDescription: String { name }

    private init(
        _ name: String, _ lockout: LockoutPolicy, _ modality: BiometricModality = .fingerprint,
        strength: StrengthClass = .class3, attemptsPerPrompt: Int? = nil, confirmation: ConfirmationRule = .never,
        strongAuthentication: [StrongAuthenticationRule] = [], badCaptureCounts: Bool = false, patience: Int? = nil,
        seen: [String]
    ) throws {
        self.name = name
        self.patience = patience
        self.seen = seen
        let policy = try GatePolicy(
            attemptsPerPrompt: attemptsPerPrompt, lockout: lockout, badCaptureCounts: badCaptureCounts,
            invalidationRule: .never, confirmation: confirmation, strongAuthentication: strongAuthentication)
        let template = BiometricTemplate(id: [1], name: "owner")
        gate = UserVerificationGate(
            policy: policy,
            sensor: BiometricSensor(modality: modality, strengthClass: strength, templates: [template]),
            deviceCredential: DeviceCredential(kind: .pin))
    }

    static let all: [Lockout] = {
        do {
            return [
                try Lockout(
                    "older Android face", .androidFace, .face, confirmation: .required, seen: ["timed lockouts"]),
                try Lockout("virtual face HAL", .virtualFaceHAL, .face, seen: ["timed lockouts"]),
                try Lockout(
                    "Windows Hello", .windowsHello, attemptsPerPrompt: 3, seen: ["FRR by transaction"]),
                try Lockout(
                    "class 1, credential after three failures", LockoutPolicy(permanentAt: nil), .face,
                    strength: .class1, strongAuthentication: StrongAuthenticationRule.android,
                    seen: ["permanent lockouts"]),
                try Lockout(
                    "timed every three, never permanent", LockoutPolicy(timedEvery: 3, permanentAt: nil),
                    attemptsPerPrompt: 2, seen: ["timed lockouts", "FRR by transaction"]),
                try Lockout(
                    "timed at two and four, permanent at five", LockoutPolicy(timedAt: [2, 4], permanentAt: 5),
                    badCaptureCounts: true, seen: ["timed lockouts", "permanent lockouts"]),
                try Lockout(
                    "security key with a user who gives up early", LockoutPolicy(permanentAt: 8), attemptsPerPrompt: 3,
                    patience: 2, seen: ["FRR by transaction"]),
            ]
        } catch {
            Issue.record(error)
            return []
        }
    }()
}
