import Biometrics
import CTAP
import Causes
import DeviceProfiles
import SimulatedDevice
import Testing
import VirtualAuthenticator

/// What readers of events see at a glance.
@Suite("Results and acts of events")
struct EventResultTests {
    /// The described gate events of prompts with these acts.
    private static func events(_ profile: String, _ acts: GateAct...) async throws -> [EventDescription] {
        let phone = try Device(profile)
        try await phone.register()
        let before = phone.device.log.all.count
        phone.person.willDo(acts)
        _ = try await phone.signIn()
        return phone.device.log.all.dropFirst(before).map { EventDescription($0) }.filter { $0.kind == "gate" }
    }

    @Test(
        "A match and what follows from it are a success; a wrong sample, a wrong passcode and a cancellation are failures"
    )
    func results() async throws {
        let matched = try await Self.events("iphone-face-id", .match())
        #expect(matched.map(\.result) == [nil, .success])
        #expect(matched.map(\.act) == [nil, "match"])
        let failed = try await Self.events(
            "iphone-face-id", .nonMatch, .nonMatch, .passcode(correct: false), .cancelByUser)
        #expect(failed.map(\.result) == [nil, .failure, .failure, .failure, .failure])
        #expect(failed.map(\.act) == [nil, "no-match", "no-match", "wrong-passcode", "cancel"])
    }

    @Test("A sample that the sensor could not compare is neither, and has the sensor's hint")
    func hints() async throws {
        let events = try await Self.events("pixel-fingerprint", .badCapture(.tooFast), .match())
        #expect(events.map(\.result) == [nil, nil, .success])
        #expect(events.map(\.hint) == [nil, "tooFast", nil])
        #expect(events.map(\.act) == [nil, "bad-capture:too-fast", "match"])
    }

    @Test("An act that the prompt ignores is neither, and has the reason")
    func ignoredActs() async throws {
        let events = try await Self.events("iphone-face-id", .nonMatch, .nonMatch, .nonMatch, .cancelByUser)
        #expect(events.map(\.act) == [nil, "no-match", "no-match", nil, "cancel"])
        #expect(events.map(\.ignored?.act) == [nil, nil, nil, "no-match", nil])
        #expect(events[3].ignored?.reason == "the prompt asks for the passcode")
        #expect(events[3].text.hasSuffix(", without effect: the prompt asks for the passcode"))
    }

    @Test(
        "The other kinds of event",
        arguments: [
            (AuthenticatorEvent.Kind.answer(.getInfo, .ok, nil), EventResult?.some(.success), String?.none),
            (.answer(.getAssertion, .operationDenied, nil), .failure, nil), (.request(.getInfo), nil, nil),
            (.presenceAnswered(.confirmed), .success, "touch"), (.presenceAnswered(.declined), .failure, "cancel"),
            (.presenceAnswered(.tooShort), .failure, "short-touch"),
            (.presenceAnswered(.noAnswer), .failure, "no-answer"),
            (.pinChecked(matched: true, retriesLeft: 8), .success, nil),
            (.pinChecked(matched: false, retriesLeft: 7), .failure, nil),
            (.credentialUsed(relyingPartyID: "example.org", userVerified: true), .success, nil),
            (.powerCycled, nil, nil),
            (.device(DeviceEvent(.screenLock, "the screen is locked")), nil, nil),
            (.device(DeviceEvent(.secretRead, "reads a secret", cause: .userCancelled)), .failure, nil),
        ])
    func kinds(kind: AuthenticatorEvent.Kind, result: EventResult?, act: String?) {
        let event = EventDescription(AuthenticatorEvent(at: .zero, kind: kind))
        #expect(event.result == result)
        #expect(event.act == act)
    }
}
