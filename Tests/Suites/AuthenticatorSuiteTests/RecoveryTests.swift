import AuthenticatorSuite
import CTAP
import Conformance
import DeviceProfiles
import ProfileFiles
import Testing

/// The state of an authenticator between two cases.
struct RecoveryTests {
    private func bench(_ pin: String? = nil) async throws -> AuthenticatorBench {
        var settings = AuthenticatorBench.Settings()
        settings.pin = pin
        return try await .open(try Authenticator.profiles.profile("yubikey-5-nfc-5.7"), settings: settings)
    }

    private func spendTries(_ count: Int, at bench: AuthenticatorBench) async throws {
        for _ in 0..<count {
            await #expect(throws: AuthenticatorClient.Failure.self) {
                _ = try await bench.pinClient().token(pin: "9999999", permissions: nil)
            }
        }
    }

    @Test func anAuthenticatorThatAnswersIsSound() async throws {
        let bench = try await bench()
        #expect(await bench.restored() == .sound)
        try await bench.ensurePIN()
        _ = try await bench.sharedCredential()
        #expect(await bench.restored() == .sound)
    }

    @Test func aPINThatIsBlockedUntilAPowerCycleIsRestoredByOne() async throws {
        let bench = try await bench()
        try await bench.ensurePIN()
        try await spendTries(3, at: bench)
        #expect(await bench.restored() == .restored(by: "a power cycle"))
        #expect(await bench.restored() == .sound)
    }

    @Test func aBlockedPINIsRestoredByAReset() async throws {
        let bench = try await bench()
        try await bench.ensurePIN()
        for _ in 0..<3 {
            try await spendTries(3, at: bench)
            try await bench.powerCycle()
        }
        #expect(await bench.restored() == .restored(by: "a reset"))
        #expect(bench.info.option(.clientPin) == false)
        #expect(await bench.restored() == .sound)
    }

    @Test func aForgottenCredentialIsReplaced() async throws {
        let bench = try await bench()
        _ = try await bench.sharedCredential()
        try await bench.powerCycle()
        #expect(try await bench.send(.reset).status == .ok)
        #expect(await bench.restored() == .restored(by: "a new shared credential"))
        #expect(await bench.restored() == .sound)
    }

    @Test func aCaseAfterABlockedPINPassesOnceThePINIsRestored() async throws {
        let bench = try await bench()
        try await bench.ensurePIN()
        try await spendTries(3, at: bench)
        let id = "makeCredential.user.idAlone"
        let result = try #require(try await Authenticator.results(on: bench, identifiers: [id])[id])
        #expect(result.verdict == .passed, "\(result.words)")
        #expect(result.restoration == "a power cycle")
    }
}
