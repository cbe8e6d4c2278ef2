import Conformance
import TestSupport
import Testing

/// Runs on devices that follow the specification.
struct ProfileTests {
    @Test(arguments: Ring.sample(["security-key-complete", "yubikey-5-nfc-5.7"], 1))
    func noCaseFailsOnTheProfile(profile: String) async throws {
        let results = try await Authenticator.results(profile)
        #expect(results.values.filter { $0.verdict == .failed }.map(\.words).sorted() == [])
        #expect(results.values.contains { $0.verdict == .passed })
    }
}
