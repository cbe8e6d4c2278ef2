import Biometrics
import CTAP
import SimulatedDevice
import Testing
import VirtualAuthenticator

/// The acts that answer a prompt, which the panel offers.
@Suite("Answers to prompts")
struct PromptQuestionTests {
    /// Acts that end any prompt.
    private static let ends: Set = ["cancel", "system-cancel", "app-cancel", "leave-screen", "no-answer"]

    private static func answers(_ profile: String, after acts: [UserAct] = []) async throws -> Set<String> {
        let scene = try ControlledUserTests.Scene(.ask, on: profile)
        for act in acts { await scene.person.tell(act) }
        async let verified = scene.verify()
        _ = await scene.prompt()
        let answers = await scene.person.openPrompt?.question.answers ?? []
        await scene.person.tell(.gate(.cancelByUser))
        _ = await verified
        return Set(answers)
    }

    @Test(
        "A sensor takes samples; a face sensor takes no touch, and the passcode and the fallback come when they are asked for"
    )
    func sensing() async throws {
        let face = try await Self.answers("iphone-face-id")
        #expect(
            face.isSuperset(of: ["match", "no-match", "spoof", "bad-capture", "bad-capture:too-dark", "power-button"]))
        #expect(face.isSuperset(of: Self.ends))
        #expect(
            face.isDisjoint(with: [
                "touch", "passcode", "wrong-passcode", "fallback", "confirm", "try-again", "choose:1",
            ]))
        #expect(try await Self.answers("pixel-fingerprint").contains("touch"))
    }

    @Test("The passcode's prompt takes the passcode and no sample")
    func passcode() async throws {
        let asked = try await Self.answers("iphone-face-id", after: [.gate(.nonMatch), .gate(.nonMatch)])
        #expect(asked.isSuperset(of: Self.ends.union(["passcode", "wrong-passcode", "give-up"])))
        #expect(asked.isDisjoint(with: ["match", "no-match", "bad-capture", "touch", "fallback"]))
    }

    @Test("A prompt for a face ignores answers to other questions and other sensors, and a touch")
    func ignored() async throws {
        let scene = try ControlledUserTests.Scene(.ask)
        async let verified = scene.verify()
        _ = await scene.prompt()
        let question = try #require(await scene.person.openPrompt?.question)
        for act: UserAct in [
            .gate(.passcode(correct: true)), .gate(.fallback), .gate(.sample(.match(), on: .fingerprint)),
            .touch, .touchBriefly,
        ] {
            #expect(question.ignores(act), "\(act.word)")
        }
        for act: UserAct in [.gate(.match()), .gate(.sample(.match(), on: .face)), .gate(.cancelByUser)] {
            #expect(!question.ignores(act), "\(act.word)")
        }
        await scene.person.tell(.gate(.cancelByUser))
        _ = await verified
    }

    @Test("The other questions")
    func others() {
        let touch = Set(PromptQuestion.touch(isLong: false).answers)
        #expect(touch == Self.ends.union(["touch"]))
        #expect(Set(PromptQuestion.touch(isLong: true).answers) == touch.union(["short-touch"]))
        let accounts = PromptQuestion.account([
            PublicKeyCredentialUserEntity(id: [1], name: "ada"), PublicKeyCredentialUserEntity(id: [2]),
        ])
        #expect(Set(accounts.answers) == Self.ends.union(["choose:1", "choose:2"]))
        #expect(accounts.accounts.map(\.name) == ["ada", nil])
        #expect(accounts.ignores(.touch) && accounts.ignores(.gate(.nonMatch)) && accounts.ignores(.sample(.good)))
        #expect(!accounts.ignores(.choose(0)) && !accounts.ignores(.choose(7)))
        #expect(!accounts.ignores(.gate(.cancelByUser)))
        let sample = PromptQuestion.sample.answers
        #expect(sample.contains("sample:good") && sample.contains("match") && !sample.contains("passcode"))
    }
}
