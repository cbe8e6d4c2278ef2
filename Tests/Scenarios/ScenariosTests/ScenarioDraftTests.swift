import DeviceProfiles
import Documents
import ProfileFiles
import Scenarios
import TestSupport
import Testing
import YAMLFiles

/// The first scenario that `touchstone scenario new` writes.
@Suite("A new scenario")
struct ScenarioDraftTests {
    /// The second profile of flows whose steps follow the sensor's rules.
    private static let seconds: [ScenarioDraft.Flow: String] = [
        .lockout: "samsung-fingerprint", .fallback: "macbook-touch-id",
    ]

    @Test("has the answers, whatever characters they have", arguments: ScenarioDraft.Flow.allCases)
    func draftHasAnswers(flow: ScenarioDraft.Flow) async throws {
        let profiles = ["pixel-fingerprint", Self.seconds[flow] ?? "iphone-face-id"]
        let draft = ScenarioDraft(name: "A \"name\": # ${x}\u{7}", profiles: profiles, flow: flow, requirements: ["A3"])
        let runs = try Scenario.runs(parsing: draft.text(ShippedScenarioTests.profiles), file: "new.yaml")
        #expect(runs.map { $0.devices[0].profile } == profiles)
        #expect(runs[0].title == "A \"name\": # ${x}\u{7}")
        #expect(runs[0].requirements == ["A3"])
        try await draft.check(ShippedScenarioTests.profiles)
    }

    /// Devices whose flaws end a registration or a sign-in.
    private static let flawed = [
        "chrome-mac-profile-older", "feitian-multipass-u2f", "nitrokey-fido2", "qubes-ctap-proxy",
        "solo-1-firmware-2.1.0", "yubikey-bio", "yubikey-bio-5.7", "yubikey-bio-5.7-second",
    ]

    @Test("passes as it is at every profile, or is refused with a reason", arguments: ScenarioDraft.Flow.allCases)
    func draftPasses(flow: ScenarioDraft.Flow) async throws {
        let library = ShippedScenarioTests.profiles
        var refused: [String] = []
        let names = Ring.sample(try library.files().map(ResourceName.name(ofFile:)), 12)
        for name in names {
            let draft = ScenarioDraft(name: "t", profiles: [name], flow: flow)
            do {
                try await draft.check(library)
                let run = try Scenario(parsing: draft.text(library), file: "new.yaml")
                #expect(try await ScenarioRunner(profiles: library, isStrict: true).run(run).passed, "\(name)")
            } catch let error as SourceError {
                #expect(error.message.hasPrefix("\(flow.rawValue) does not pass at \(name): "), "\(error)")
                refused.append(name)
            }
        }
        func expect(refused expected: [String], passed: [String] = []) {
            #expect(Set(refused).isSuperset(of: Set(expected).intersection(names)))
            #expect(Set(refused).isDisjoint(with: passed))
        }
        switch flow {
        case .signIn, .cancelled: #expect(refused == Self.flawed.filter(names.contains))
        case .mismatch:
            expect(
                refused: Self.flawed + ["security-key-nfc", "feitian-epass"],
                passed: ["pixel-face-class-3", "windows-hello-face", "security-key-bio"])
        case .unlock:
            expect(
                refused: ["security-key-bio", "windows-hello-pin", "pixel-face-class-1"],
                passed: ["pixel-face-class-3", "macbook-touch-id", "iphone-face-id"])
        case .lockout, .reEnrolment, .fallback:
            expect(
                refused: ["security-key-bio", "windows-hello-pin", "security-key-nfc"],
                passed: ["pixel-fingerprint", "macbook-touch-id", "iphone-face-id", "iphone-touch-id"])
        case .sync:
            expect(refused: ["security-key-bio", "feitian-epass"], passed: ["pixel-fingerprint", "iphone-face-id"])
        case .lostPhone: expect(refused: [], passed: ["pixel-fingerprint", "iphone-face-id"])
        }
    }

    @Test("about a lockout is refused for phones whose sensors lock in different ways")
    func differentLockoutsAreRefused() {
        let draft = ScenarioDraft(name: "t", profiles: ["iphone-face-id", "pixel-fingerprint"], flow: .lockout)
        let error = #expect(throws: SourceError.self) { try draft.text(ShippedScenarioTests.profiles) }
        #expect(
            error?.message
                == "lockout takes other steps at pixel-fingerprint than at iphone-face-id; write a scenario for each")
    }

    @Test("is refused at a profile where the flow does not pass, and the flows that pass are named")
    func passingFlowsAreNamed() async throws {
        let draft = ScenarioDraft(name: "t", profiles: ["pixel-fingerprint", "security-key-pin"], flow: .unlock)
        let error = await #expect(throws: SourceError.self) { try await draft.check(ShippedScenarioTests.profiles) }
        #expect(error?.message.contains("at security-key-pin: store-secret needs a phone or a computer") == true)
        #expect(
            error?.message.hasSuffix("choose another profile, or the flow sign-in or cancelled or lost-phone") == true)
    }

    @Test("is refused with a requirement that has no identifier's form, and without a device")
    func wrongAnswerIsRefused() {
        let wrong = ScenarioDraft(name: "t", profiles: ["x"], flow: .signIn, requirements: ["log in"])
        #expect(throws: SourceError.self) { try wrong.text(ShippedScenarioTests.profiles) }
        let empty = ScenarioDraft(name: "t", profiles: [], flow: .signIn)
        #expect(throws: SourceError.self) { try empty.text(ShippedScenarioTests.profiles) }
    }
}
