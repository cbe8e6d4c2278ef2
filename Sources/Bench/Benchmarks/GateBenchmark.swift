internal import BiometricStatistics
internal import Biometrics
internal import Crypto
internal import DeviceProfiles

/// The user-verification gate and the statistics on top of it.
enum GateBenchmark {
    private static let attempts = 10_000

    static func run(rounds: Int) async throws -> [BenchmarkRow] {
        let attempt = try await attempt(rounds: rounds)
        return [attempt] + (try figures(attempt))
    }

    /// Attempts at the gate, each with its prompt, over the same number of hashes of a short message.
    private static func attempt(rounds: Int) async throws -> BenchmarkRow {
        let profile = try ProfileLibrary.standard().profile("pixel-fingerprint")
        guard var gate = profile.gate else { throw BenchmarkFailure(description: "the profile has no gate") }
        var clock = Duration.seconds(1)
        var verified = 0
        let message = Array(repeating: UInt8(0xA5), count: 32)
        let measurement = await Measurement.pair(rounds: rounds) {
            // The screen lock is due every 72 hours.
            _ = gate.enterDeviceCredential(correct: true, at: clock)
            for number in 0..<attempts {
                clock += .seconds(1)
                _ = gate.begin(PromptOptions(allowsDeviceCredential: false), at: clock)
                // Every fourth sample does not match; the prompt stays open, and the next sample matches.
                if number.isMultiple(of: 4) { _ = gate.present(.nonMatch, at: clock) }
                if case .ended(.verified) = gate.present(.match(), at: clock).step { verified += 1 }
            }
        } baseline: {
            for _ in 0..<attempts { _ = SHA256.hash(data: message) }
        }
        guard verified == attempts * (rounds + 1) else {
            throw BenchmarkFailure(description: "the gate verified \(verified) of \(attempts * (rounds + 1)) samples")
        }
        return BenchmarkRow("10,000 attempts at the gate", over: "10,000 SHA-256 of 32 bytes", measurement)
    }

    /// The times of one attempt and of a run of a million.
    private static func figures(_ attempt: BenchmarkRow) throws -> [BenchmarkRow] {
        let profile = try ProfileLibrary.standard().profile("pixel-fingerprint")
        guard let gate = profile.gate else { throw BenchmarkFailure(description: "the profile has no gate") }
        let day = RecognitionModel.Day(falseRejectRate: 0.03, failureToAcquireRate: 0.02)
        let model = try RecognitionModel(
            falseAcceptRate: 1.0 / 50_000, goodDay: day,
            badDays: .init(.init(falseRejectRate: 0.5), share: 0.05, length: 20))
        let started = ContinuousClock.now
        let report = try StatisticalReport.measure(gate, model: model, attempts: 500_000, seed: 1)
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        guard report.genuine.allSatisfy({ $0.trials > 0 }) else {
            throw BenchmarkFailure(description: "the statistical run measured nothing")
        }
        return [
            BenchmarkRow(
                "an attempt at the gate, its prompt included",
                (attempt.spread?.median ?? 0) / Double(attempts) * 1000, "ns", limit: .atMost(1000)),
            BenchmarkRow(
                "a statistical run of a million attempts, half of them impostors'", seconds, "s", limit: .atMost(5)),
        ]
    }
}
