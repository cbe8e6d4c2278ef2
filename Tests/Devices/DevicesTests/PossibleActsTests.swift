import Biometrics
import DeviceActs
import SimulatedDevice
import Testing

@Suite("The acts that a device's prompts can ask for")
struct PossibleActsTests {
    /// A profile, acts that none of its prompts asks for, and a part of the reason.
    static let impossible: [(profile: String, acts: [String], reason: String)] = [
        (
            "security-key-pin", ["match", "no-match", "spoof", "bad-capture:too-fast", "sensor-error:vendor"],
            "no sensor"
        ),
        ("security-key-pin", ["passcode", "wrong-passcode"], "has no passcode"),
        ("security-key-pin", ["power-button"], "ask for a touch only"),
        ("security-key-pin", ["fallback"], "offers no fallback"),
        ("security-key-pin", ["confirm", "decline-confirmation"], "no confirmation"),
        ("security-key-pin", ["sample:good"], "enrols no fingers"),
        ("pixel-fingerprint", ["bad-capture:too-high"], "has no face sensor; it has fingerprint"),
        ("iphone-face-id", ["bad-capture:too-fast"], "has no fingerprint sensor; it has face"),
        ("iphone-face-id", ["bad-capture:too-fast:face"], "reports too-fast at the fingerprint sensor only"),
        ("security-key-bio", ["match:face"], "has no face sensor; it has fingerprint"),
        ("pixel-fingerprint", ["match-inattentive"], "attention of a face only"),
        ("pixel-fingerprint", ["try-again"], "pauses after a failure"),
        ("iphone-face-id", ["match:fingerprint"], "has no fingerprint sensor; it has face"),
        ("iphone-face-id", ["challenge-phrase"], "no challenge phrase"),
        ("iphone-face-id", ["touch"], "verifies its user with a face or a passcode"),
        ("windows-hello-pin", ["touch"], "verifies its user with a passcode"),
        ("iphone-face-id", ["choose:1"], "no account at a relying party"),
        ("windows-hello-pin", ["match"], "has no sensor"),
    ]

    @Test(arguments: impossible)
    func anActForNoPromptHasAReason(profile: String, acts: [String], reason: String) async throws {
        let scene = try ControlledUserTests.Scene(.auto, on: profile)
        let possible = await PossibleActs(scene.device)
        for word in acts {
            let obstacle = possible.obstacle(to: try #require(UserAct(word: word)))
            #expect(obstacle?.contains(reason) == true, "\(word): \(obstacle ?? "possible")")
            #expect(!possible.words.contains(word), "\(word)")
        }
    }

    @Test(arguments: [
        ("security-key-pin", ["touch", "cancel", "no-answer"]),
        ("yubikey-bio-5.7", ["touch", "match", "no-match:fingerprint", "sample:good", "short-touch"]),
        ("iphone-face-id", ["match:face", "match-inattentive", "passcode", "fallback", "give-up", "power-button"]),
        ("pixel-face-class-3", ["confirm", "decline-confirmation", "try-again", "bad-capture:too-dark"]),
        ("windows-hello-pin", ["passcode", "wrong-passcode", "cancel"]), ("pixel-fingerprint", ["touch"]),
    ])
    func anActForSomePromptIsPossible(profile: String, acts: [String]) async throws {
        let scene = try ControlledUserTests.Scene(.auto, on: profile)
        let possible = await PossibleActs(scene.device)
        for word in acts {
            #expect(possible.obstacle(to: try #require(UserAct(word: word))) == nil, "\(word)")
        }
    }

    @Test func aPasscodeIsPossibleWhileOneIsSet() async throws {
        let scene = try ControlledUserTests.Scene(.auto)
        _ = await scene.device.perform(try DeviceAct(verb: "passcode", arguments: ["change": "remove"]))
        let passcode = UserAct.gate(.passcode(correct: true))
        let reason = await PossibleActs(scene.device).obstacle(to: passcode)
        #expect(reason?.contains("set one first") == true, "\(reason ?? "possible")")
        // A scenario may set one before.
        #expect(PossibleActs(scene.device.profile).obstacle(to: passcode) == nil)
        _ = await scene.device.perform(try DeviceAct(verb: "passcode", arguments: ["change": "set"]))
        #expect(await PossibleActs(scene.device).obstacle(to: passcode) == nil)
    }

    @Test func aTouchIsPossibleAtADeviceThatCannotVerifyItsUser() async throws {
        let scene = try ControlledUserTests.Scene(.auto, on: "iphone-face-id")
        _ = await scene.device.perform(try DeviceAct(verb: "passcode", arguments: ["change": "remove"]))
        _ = await scene.device.perform(try DeviceAct(verb: "unenrol"))
        #expect(await PossibleActs(scene.device).obstacle(to: .touch) == nil)
        // A kind of device can lose its means of verification, unless it keeps them.
        #expect(PossibleActs(scene.device.profile).obstacle(to: .touch) == nil)
        #expect(PossibleActs(scene.device.profile, keepsVerification: true).obstacle(to: .touch) != nil)
    }
}
