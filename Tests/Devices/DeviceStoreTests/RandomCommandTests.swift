import Biometrics
import CTAP
import DeviceStore
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

/// After every command a copy of a device's file restores the device.
@Suite struct RandomCommandTests {
    @Test(arguments: ["security-key-complete", "security-key-bio", "pixel-fingerprint"], UInt64(1)...4)
    func fileEqualsTheDeviceAfterEveryCommand(profile: String, seed: UInt64) async throws {
        let workshop = try Workshop()
        let store = try workshop.open(profile: profile)
        let bench = try StoreBench(profile: profile, storage: store, seed: seed)
        var random = SeededGenerator(seed: seed)
        try await bench.device.authenticator.flush()
        for step in 0..<60 {
            _ = try? await Self.act(on: bench, &random)
            guard step.isMultiple(of: 5) else { continue }
            try await compare(bench, store)
            if Bool.random(using: &random) { try await bench.device.authenticator.flush() }
        }
        // The power fails without notice: the log ends with the last commit.
        try workshop.copy(to: "crashed.state")
        let memory = try await bench.device.exportState()
        let crashed = try workshop.open("crashed.state", profile: profile)
        let stored = try #require(try crashed.load())
        let back = try StoreBench(profile: profile, storage: crashed, stored: stored, seed: seed + 100)
        let revived = try await back.device.exportState()
        #expect(revived.authenticator.credentials == memory.authenticator.credentials)
        #expect(revived.authenticator.sealedCounters == memory.authenticator.sealedCounters)
        #expect(revived.authenticator.largeBlobs == memory.authenticator.largeBlobs)
        #expect(revived.secrets == memory.secrets)
        #expect((0...32).contains(revived.authenticator.globalCounter - memory.authenticator.globalCounter))
        let (now, then) = (await bench.device.authenticator.snapshot(), await back.device.authenticator.snapshot())
        #expect(then.pinRetries == now.pinRetries)
        #expect(then.isPINSet == now.isPINSet)
        #expect(then.gate?.consecutiveFailures == now.gate?.consecutiveFailures)
        #expect(then.gate?.sensor == now.gate?.sensor)
        #expect(then.lockout?.label == now.lockout?.label)
    }

    private func compare(_ bench: StoreBench, _ store: DeviceStore) async throws {
        let memory = try await bench.device.exportState().unordered
        var stored = try #require(try store.load()).unordered
        // Only the counter in the file is ahead, by the reserved values.
        let (kept, used) = (stored.authenticator.globalCounter, memory.authenticator.globalCounter)
        #expect(kept >= used && kept - used <= 32)
        stored.authenticator.globalCounter = used
        #expect(stored == memory)
    }

    private static func act(on bench: StoreBench, _ random: inout SeededGenerator) async throws {
        let user = UInt8.random(in: 0..<8, using: &random)
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: try await bench.register(user: user, ["rk": true])
        case 2: try await bench.register(user: user)
        case 3: try await bench.signIn()
        case 4:
            let id = try #require(try await bench.register(user: user).attestedCredentialData).credentialID
            try await bench.signIn(id)
        case 5: try await bench.pins.setPIN(StoreBench.pin)
        case 6: _ = try await bench.mistypePIN()
        case 7:
            bench.person.willDo([.nonMatch])
            _ = await bench.device.authenticator.verifyUser(PromptOptions(allowsDeviceCredential: false))
            bench.person.forget()
        case 8: await bench.device.authenticator.powerCycle()
        case 9: try await bench.device.enrol("finger \(user)")
        case 10: try await bench.device.removeTemplate(named: "finger \(user)")
        case 11:
            try await bench.device.secureStorage.store([user], as: "secret \(user)", protection: .init(.currentSet))
        case 12:
            guard let id = await bench.device.authenticator.snapshot().credentials.first?.id else { return }
            await bench.device.authenticator.removeCredential(id)
        default:
            // A reset keeps the counter and erases everything else; it is rare, so that the state can grow.
            guard user == 0 else { return bench.clock.advance(by: .seconds(40)) }
            await bench.device.authenticator.powerCycle()
            try await bench.client.reset()
        }
    }
}
