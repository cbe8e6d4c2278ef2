import BiometricStatistics
import Biometrics
import Devices
import Testing
import VirtualAuthenticator

@Suite("A person whose samples follow a model")
struct StatisticalPersonTests {
    @Test("Prompts of a device come out as the model has it, and the same again from the same seed")
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

    @Test("An impostor has no passcode to go on with")
    func impostor() async throws {
        let outcomes = try await outcomes(seed: 3, subject: .impostor, count: 20)
        #expect(outcomes.allSatisfy { $0 != "verified.deviceCredential" })
        #expect(outcomes.contains("userCancelled"))
    }

    private func outcomes(
        seed: UInt64, subject: SampleSource.Subject = .genuine, count: Int = 400
    ) async throws -> [String] {
        let model = try RecognitionModel(falseAcceptRate: 0.01, goodDay: .init(falseRejectRate: 0.4))
        let clock = SimulatedClock()
        let wait: @Sendable (Duration) async -> Void = { clock.advance(to: $0) }
        let nature = StatisticalPerson(
            StatisticalPerson.Plan(model, subject: subject, seed: seed), time: clock, waitUntil: wait)
        let device = SimulatedDevice(
            profile: try ProfileLibrary.standard().profile("iphone-face-id"), time: clock,
            random: SeededRandomSource(seed: 1),
            person: ControlledPerson(habit: .auto, nature: nature, waitUntil: wait))
        var outcomes: [String] = []
        for _ in 0..<count {
            let started = clock.now()
            let result = await device.authenticator.verifyUser(PromptOptions(allowsDeviceCredential: true))
            outcomes.append(result?.label ?? "none")
            #expect(clock.now() > started || result?.label.hasPrefix("verified") == false)
        }
        return outcomes
    }
}
