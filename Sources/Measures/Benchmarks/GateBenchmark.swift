internal import BiometricStatistics
internal import Biometrics
internal import Crypto
internal import DeviceProfiles
internal import ProfileFiles

/// Attempts at the user-verification gate and statistics of them, over the same number of hashes of a short message.
enum GateBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow("an attempt at the gate, its prompt included", over: "SHA-256 of 32 bytes", limit: 6.5),
        BenchmarkRow(
            "an attempt of a statistical run, half of them impostors'", over: "SHA-256 of 32 bytes", limit: 32),
    ]

    private static let attempts = 10_000
    private static let message = [UInt8](repeating: 0xA5, count: 32)

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        [try await attempt(rounds: min(order.rounds, 100)), try await statistics(rounds: min(order.rounds, 9))]
    }

    private static func gate() throws -> UserVerificationGate {
        guard let gate = try ProfileLibrary.standard().profile("pixel-fingerprint").gate else {
            throw BenchmarkFailure(description: "the profile has no gate")
        }
        return gate
    }

    private static func hash(_ count: Int) {
        for _ in 0..<count { _ = SHA256.hash(data: message) }
    }

    /// Attempts, each with its prompt.
    private static func attempt(rounds: Int) async throws -> Measurement {
        var gate = try gate()
        var clock = Duration.seconds(1)
        var verified = 0
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
            hash(attempts)
        }
        guard verified == attempts * (rounds + 1) else {
            throw BenchmarkFailure(description: "the gate verified \(verified) of \(attempts * (rounds + 1)) samples")
        }
        return measurement.divided(by: attempts)
    }

    /// Runs of a million attempts.
    private static func statistics(rounds: Int) async throws -> Measurement {
        let gate = try gate()
        let day = RecognitionModel.Day(falseRejectRate: 0.03, failureToAcquireRate: 0.02)
        let model = try RecognitionModel(
            falseAcceptRate: 1.0 / 50_000, goodDay: day,
            badDays: .init(.init(falseRejectRate: 0.5), share: 0.05, length: 20))
        let attempts = 1_000_000
        let measurement = try await Measurement.pair(rounds: rounds) {
            let report = try StatisticalReport.measure(gate, model: model, attempts: attempts / 2, seed: 1)
            guard report.genuine.allSatisfy({ $0.trials > 0 }) else {
                throw BenchmarkFailure(description: "the statistical run measured nothing")
            }
        } baseline: {
            hash(attempts)
        }
        return measurement.divided(by: attempts)
    }
}
