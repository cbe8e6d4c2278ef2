import COSE
import CTAP
import DeviceProfiles
import Faults
import ProfileFiles
import SimulatedDevice
import Testing
import VirtualAuthenticator

@Suite("Many devices in one process")
struct FleetTests {
    @Test func eachDeviceHasItsOwnStateClockAndFaults() async throws {
        let devices = try (0..<50).map { number in
            let clock = SimulatedClock(at: .seconds(1_000_000 * (number + 1)))
            return (
                clock,
                try SimulatedDevice(
                    profile: try Shop.library.profile("security-key-pin"), time: clock,
                    random: SeededRandomSource(seed: UInt64(number)), user: ScriptedUser(clock: clock))
            )
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, (_, device)) in devices.enumerated() {
                group.addTask {
                    let client = AuthenticatorClient(device.ctap)
                    for user in 0...(number % 5) {
                        _ = try await client.makeCredential(
                            MakeCredentialRequest(
                                clientDataHash: [UInt8](repeating: 1, count: 32),
                                rp: PublicKeyCredentialRPEntity(id: "rp\(number).example"),
                                user: PublicKeyCredentialUserEntity(id: [UInt8(user)]),
                                pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)],
                                options: ["rk": true]))
                    }
                }
            }
            try await group.waitForAll()
        }
        devices[0].0.advance(by: .seconds(60))
        try await devices[1].1.arm(try Fault(parsing: "status:OTHER"))
        for (number, (clock, device)) in devices.enumerated() {
            let snapshot = await device.authenticator.snapshot()
            #expect(snapshot.credentials.count == number % 5 + 1)
            #expect(Set(snapshot.credentials.map(\.relyingPartyID)) == ["rp\(number).example"])
            #expect(snapshot.uptime == (number == 0 ? .seconds(60) : .zero))
            #expect(clock.now() == .seconds(1_000_000 * (number + 1)) + (number == 0 ? .seconds(60) : .zero))
            let answer = try await device.ctap.transceive([CTAPCommand.getInfo.rawValue])
            #expect((answer.first == 0) == (number != 1))
        }
        let ids = await withTaskGroup(of: [[UInt8]].self) { group in
            for (_, device) in devices { group.addTask { await device.authenticator.snapshot().credentials.map(\.id) } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == ids.count)
    }
}
