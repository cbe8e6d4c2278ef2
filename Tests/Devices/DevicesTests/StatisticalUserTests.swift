import BiometricStatistics
import Biometrics
import Causes
import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

@Suite("A user whose samples follow a model")
struct StatisticalUserTests {
    @Test("Prompts of a device follow the model, and repeat with the same seed")
    func rates() async throws {
        let first = try await outcomes(seed: 7)
        let second = try await outcomes(seed: 7)
        let other = try await outcomes(seed: 8)
        #expect(first == second)
        #expect(first != other)
        let verified = first.count { $0 == "verified.biometric" }
        // Two tries at 40 %: 84 % of 400 prompts, give or take three standard deviations.
        #expect((314...358).contains(verified))
        #expect(first.contains { $0 == "verified.deviceCredential" })
    }

    @Test("An impostor has no passcode")
    func impostor() async throws {
        let outcomes = try await outcomes(seed: 3, subject: .impostor, count: 20)
        #expect(outcomes.allSatisfy { $0 != "verified.deviceCredential" })
        #expect(outcomes.contains("userCancelled"))
    }

    @Test(
        "A sample takes the sensor's latency, or the model's if the sensor has none, never both",
        arguments: [("latency: 400 ms", 400), ("latency: [150 ms, 150 ms]", 150), ("latency: 0 ms", 250), ("", 250)])
    func latency(line: String, milliseconds: Int) async throws {
        let profile = try Self.profile(replacing: ["  class: 3\n": "  class: 3\n  \(line)\n"])
        let day = RecognitionModel.Day(
            falseRejectRate: 0, latency: .milliseconds(250) ... .milliseconds(250))
        let plan = StatisticalUser.Plan(try RecognitionModel(falseAcceptRate: 0, goodDay: day), seed: 1)
        let (result, took) = try await Self.verification(at: profile, by: plan)
        #expect(result?.cause == "verified.biometric")
        #expect(took == .milliseconds(milliseconds))
    }

    @Test("An impostor without a match at a sensor without lockout tries until the prompt times out")
    func endless() async throws {
        let profile = try Self.profile(replacing: [
            "  class: 3\n": "  class: 3\n  latency: 0 ms\n", "  attempts-per-prompt: 2\n": "",
            "permanent-at: 5": "permanent-at: never",
        ])
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0))
        let plan = StatisticalUser.Plan(model, subject: .impostor, seed: 1)
        let (result, took) = try await Self.verification(at: profile, by: plan)
        #expect(result?.cause == "timedOut")
        #expect(took == .seconds(60))
    }

    private static func profile(replacing texts: [String: String]) throws -> DeviceProfile {
        var text = try ProfileLibrary.standard().profile("iphone-face-id").text
        for (part, other) in texts {
            try #require(text.contains(part))
            text = text.replacingOccurrences(of: part, with: other)
        }
        return try DeviceProfile(parsing: text, file: "iphone-face-id.yaml")
    }

    /// The outcome and the duration of one prompt of a new device.
    private static func verification(
        at profile: DeviceProfile, by plan: StatisticalUser.Plan
    ) async throws -> (UserVerificationResult?, Duration) {
        let clock = SimulatedClock()
        let wait: @Sendable (Duration) async -> Void = { clock.advance(to: $0) }
        let nature = StatisticalUser(plan, at: profile, time: clock, waitUntil: wait)
        let device = try SimulatedDevice(
            profile: profile, time: clock, random: SeededRandomSource(seed: 1),
            user: ControlledUser(habit: .auto, nature: nature, waitUntil: wait), wait: wait)
        let started = clock.now()
        let result = await device.authenticator.verifyUser(PromptOptions(allowsDeviceCredential: false))
        return (result, clock.now() - started)
    }

    private func outcomes(
        seed: UInt64, subject: SampleSource.Subject = .genuine, count: Int = 400
    ) async throws -> [String] {
        let model = try RecognitionModel(falseAcceptRate: 0.01, goodDay: .init(falseRejectRate: 0.4))
        let clock = SimulatedClock()
        let wait: @Sendable (Duration) async -> Void = { clock.advance(to: $0) }
        let profile = try ProfileLibrary.standard().profile("iphone-face-id")
        let nature = StatisticalUser(
            StatisticalUser.Plan(model, subject: subject, seed: seed), at: profile, time: clock, waitUntil: wait)
        let device = try SimulatedDevice(
            profile: profile, time: clock,
            random: SeededRandomSource(seed: 1),
            user: ControlledUser(habit: .auto, nature: nature, waitUntil: wait))
        var outcomes: [String] = []
        for _ in 0..<count {
            let started = clock.now()
            let result = await device.authenticator.verifyUser(PromptOptions(allowsDeviceCredential: true))
            outcomes.append(result?.cause.rawValue ?? "none")
            #expect(clock.now() > started || result?.cause.rawValue.hasPrefix("verified") == false)
        }
        return outcomes
    }
}
