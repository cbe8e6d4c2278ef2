import BiometricStatistics
import Biometrics
import SampleGates
import Testing

@Suite("Forecasts")
struct ForecastTests {
    /// The worked numbers of independent attempts: 1 − (1 − FAR)ⁿ with n attempts before the sensor locks permanently.
    @Test(
        "An impostor's chance before the lockout follows from the attempts that the policy allows",
        arguments: [
            ("Touch ID, 5 tries at 1:50,000", GatePolicy.iOSTouchID, 1.0 / 50_000, 1.0e-4),
            ("Face ID, 5 tries at 1:1,000,000", .iOSFaceID, 1e-6, 5.0e-6),
            ("Android, 20 tries at 1:50,000", .androidFingerprint, 1.0 / 50_000, 4.0e-4),
        ])
    func attack(name: String, policy: GatePolicy, rate: Double, expected: Double) throws {
        let model = try RecognitionModel(falseAcceptRate: rate, goodDay: .init(falseRejectRate: 0))
        let forecast = try Forecast(model, of: .impostor, under: LockoutRules(policy.gate))
        #expect(abs(forecast.verificationByAttack - expected) < 0.01 * expected)
    }

    @Test("A security key with 25 retries and a FAR of 1:10,000 accepts an impostor in one of 400 attacks")
    func securityKey() throws {
        let model = try RecognitionModel(falseAcceptRate: 1e-4, goodDay: .init(falseRejectRate: 0))
        let rules = LockoutRules(try GatePolicy.securityKeyFingerprint(maxUVRetries: 25).gate)
        let forecast = try Forecast(model, of: .impostor, under: rules)
        #expect(abs(forecast.verificationByAttack - 2.5e-3) < 5e-6)
    }

    @Test(
        "Independent errors lock a genuine user out with the fifth power of their rate",
        arguments: [(0.03, 2.43e-8), (0.1, 1e-5)])
    func independent(rate: Double, expected: Double) throws {
        let policy = try GatePolicy(attemptsPerPrompt: nil, permanentLockoutAt: 5, invalidationRule: .never)
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: rate))
        let forecast = try Forecast(model, of: .genuine, under: LockoutRules(policy.gate))
        #expect(abs(forecast.permanentLockouts - expected) < 1e-9 * expected + 1e-18)
    }

    @Test("Bad days contribute their share of the errors, and more lockouts than the mean rate")
    func badDays() throws {
        let model = try RecognitionModel(
            falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0.02),
            badDays: .init(.init(falseRejectRate: 0.7), share: 0.05, length: 20))
        // One try per prompt: attempts are prompts, and the rates mix by share alone.
        let policy = try GatePolicy(attemptsPerPrompt: 1, permanentLockoutAt: 5, invalidationRule: .never)
        let forecast = try Forecast(model, of: .genuine, under: LockoutRules(policy.gate))
        #expect(abs((1 - forecast.matchByAttempt) - (0.95 * 0.02 + 0.05 * 0.7)) < 1e-9)
        #expect(abs((1 - forecast.verificationByPrompt) - (1 - forecast.matchByAttempt)) < 1e-9)
        let mixed = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0.054))
        let independent = try Forecast(mixed, of: .genuine, under: LockoutRules(policy.gate))
        #expect(forecast.permanentLockouts > 1000 * independent.permanentLockouts)
    }

    @Test("A sample that cannot be compared takes time and uses up no try")
    func failureToAcquire() throws {
        let clean = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0.1))
        let wet = try RecognitionModel(
            falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0.1, failureToAcquireRate: 0.25))
        let rules = LockoutRules(Device.android.gate)
        let first = try Forecast(clean, of: .genuine, under: rules)
        let second = try Forecast(wet, of: .genuine, under: rules)
        #expect(abs(second.failureToAcquire - 0.25) < 1e-12)
        #expect(abs(first.timedLockouts - second.timedLockouts) < 1e-12)
        #expect(abs(first.matchByAttempt - second.matchByAttempt) < 1e-12)
    }

    /// Sensors that never or always err, with several shares of samples that cannot be compared.
    static let acquisitionFailures = [0, 0.05, 0.06, 0.13, 0.21, 0.3, 0.53, 0.7, 0.9]

    @Test("Rates of 0 and 1 are forecast exactly", arguments: acquisitionFailures, [false, true])
    func exactEnds(fta: Double, badCaptureCounts: Bool) throws {
        for (attemptsPerPrompt, permanentAt) in [(1, 5), (3, 5), (7, 20), (nil, 5)] as [(Int?, Int)] {
            let policy = try GatePolicy(
                attemptsPerPrompt: attemptsPerPrompt, permanentLockoutAt: permanentAt,
                badCaptureCounts: badCaptureCounts, invalidationRule: .never)
            let rules = LockoutRules(policy.gate)
            let never = try RecognitionModel(
                falseAcceptRate: 1, goodDay: .init(falseRejectRate: 0, failureToAcquireRate: fta),
                badDays: .init(.init(falseRejectRate: 0, failureToAcquireRate: fta), share: 0.1, length: 3))
            let always = try RecognitionModel(
                falseAcceptRate: 0, goodDay: .init(falseRejectRate: 1, failureToAcquireRate: fta),
                badDays: .init(.init(falseRejectRate: 1, failureToAcquireRate: fta), share: 0.1, length: 3))
            for subject in SampleSource.Subject.allCases {
                let matching = try Forecast(never, of: subject, under: rules)
                #expect(matching.rejectionByAttempt == 0 && matching.matchByAttempt == 1)
                if !badCaptureCounts { #expect(matching.failureByPrompt == 0 && matching.verificationByPrompt == 1) }
                let failing = try Forecast(always, of: subject, under: rules)
                #expect(failing.rejectionByAttempt == 1 && failing.matchByAttempt == 0)
                #expect(failing.failureByPrompt == 1 && failing.verificationByPrompt == 0)
                for forecast in [matching, failing] { #expect(abs(forecast.failureToAcquire - fta) < 1e-12) }
            }
        }
    }

    @Test("A prompt that ends only by its time-out has no forecast")
    func endless() throws {
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0.03))
        for lockout in [try LockoutPolicy(permanentAt: nil), try LockoutPolicy(timedAt: [2, 4], permanentAt: nil)] {
            let policy = try GatePolicy(attemptsPerPrompt: nil, lockout: lockout, invalidationRule: .never)
            #expect(throws: StatisticalRunError.endlessPrompts) {
                try Forecast(model, of: .impostor, under: LockoutRules(policy.gate))
            }
            let patient = try Forecast(model, of: .impostor, under: LockoutRules(policy.gate, patience: 100))
            #expect(patient.failureByPrompt == 1)
        }
    }

    @Test("Samples without duration are refused, because their prompts would never time out")
    func timeless() {
        #expect(throws: RecognitionModelError.latencyOutOfRange) {
            _ = try RecognitionModel(
                falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0, latency: .zero ... .zero))
        }
    }

    @Test(
        "Invalid numbers are refused",
        arguments: [
            (1.5, 0.0, 0.0, 0.1, 10.0), (0.0, -0.1, 0.0, 0.1, 10.0), (0.0, 0.0, 1.0, 0.1, 10.0),
            (0.0, 0.0, 0.0, 1.0, 10.0), (0.0, 0.0, 0.0, 0.1, 0.5), (0.0, 0.0, 0.0, 0.9, 1.0),
            (Double.nan, 0.0, 0.0, 0.1, 10.0),
        ])
    func refused(far: Double, frr: Double, fta: Double, share: Double, length: Double) {
        #expect(throws: RecognitionModelError.self) {
            let day = RecognitionModel.Day(falseRejectRate: frr, failureToAcquireRate: fta)
            _ = try RecognitionModel(
                falseAcceptRate: far, goodDay: day, badDays: .init(day, share: share, length: length))
        }
    }
}

extension GatePolicy {
    fileprivate var gate: UserVerificationGate {
        UserVerificationGate(policy: self, sensor: BiometricSensor(modality: .fingerprint), deviceCredential: nil)
    }
}
