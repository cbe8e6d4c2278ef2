import Biometrics
import CTAP
import DeviceProfiles
import ProfileFiles
import SimulatedDevice
import Synchronization
import Testing
import VirtualAuthenticator

@Suite("The log of a device")
struct LogTests {
    @Test func everyEventHasAStatusAndAReason() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register()
        phone.person.willDo([.nonMatch, .cancelByUser])
        _ = try await phone.signIn()
        let lines = phone.device.log.all.map { EventDescription($0) }
        let last = try #require(lines.last)
        #expect(last.kind == "answer")
        #expect(last.status == 0x27)
        #expect(last.reason == "getAssertion.builtInUV.userCancelled")
        #expect(last.clause == "CTAP 2.3 §6.2.2 step 11")
        #expect(last.at == 1_767_225_600)
        let gate = lines.filter { $0.kind == "gate" }.map(\.text)
        #expect(gate.contains("user: shows a face that does not match, and is asked again; failure 1 in a row"))
        #expect(Set(lines.map(\.kind)).isSuperset(of: ["request", "answer", "gate", "credential"]))
    }

    @Test func theNewestEventsAreKept() async throws {
        let heard = Mutex(0)
        let log = EventLog(capacity: 10) { _ in heard.withLock { $0 += 1 } }
        let clock = SimulatedClock(at: .zero)
        let device = try SimulatedDevice(
            profile: try Shop.library.profile("security-key-pin"), time: clock, random: SeededRandomSource(seed: 1),
            user: ConsentingUser(), log: log)
        for second in 1...50 {
            clock.advance(to: .seconds(second))
            _ = await device.authenticator.transceive([4], onKeepalive: { _ in })
        }
        let kept = log.all
        #expect((5...10).contains(kept.count))
        #expect(kept.last?.at == .seconds(50))
        #expect(kept.map(\.at) == kept.map(\.at).sorted())
        #expect(heard.withLock { $0 } == 100)
        #expect(log.drain().count == kept.count)
        #expect(log.all.isEmpty)
    }

    @Test func enrolmentAtTheDeviceUsesAFreeID() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.device.enrol("second")
        await #expect(throws: GateError.storeFull(maxTemplates: 2)) { try await phone.device.enrol("third") }
        try await phone.device.removeTemplate(named: "owner")
        try await phone.device.enrol("third")
        let sensor = await phone.device.authenticator.snapshot().gate?.sensor
        #expect(sensor?.templates.map(\.name) == ["second", "third"])
        #expect(sensor?.templates.map(\.id) == [[2], [1]])
        await #expect(throws: GateError.notEnrolled(name: "unknown")) {
            try await phone.device.removeTemplate(named: "unknown")
        }
    }

    @Test func enrolmentOnADeviceWithoutASensorIsRefused() async throws {
        let key = try Device("security-key-pin")
        await #expect(throws: GateError.sensorAbsent) { try await key.device.enrol("finger") }
    }
}
