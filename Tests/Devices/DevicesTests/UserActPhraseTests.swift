import Biometrics
import CTAP
import Documents
import SimulatedDevice
import Testing

@testable import VirtualAuthenticator

@Suite("Words of the user's acts")
struct UserActPhraseTests {
    @Test("A phrase may repeat a word, and every word is written as it was read")
    func phrasesAreRead() {
        #expect(UserAct.acts(phrase: "no-match x 3") == Array(repeating: .gate(.nonMatch), count: 3))
        #expect(UserAct.acts(phrase: "choose:12") == [.choose(11)])
        for word in UserAct.vocabulary.map(\.word) + ["choose:12"] {
            #expect(UserAct.acts(phrase: word)?.map(\.word) == [word])
        }
        for phrase in ["", "sing", "match x 0", "match x 101", "match x", "match 3", "match x -1", "match x 2 x 2"] {
            #expect(UserAct.acts(phrase: phrase) == nil)
        }
    }

    @Test("A user without verification or consent fails until an act is queued")
    func dispositionsDecide() async throws {
        let scene = try ControlledUserTests.Scene(.auto)
        await scene.person.become(.init(verifies: false))
        #expect(await scene.select() == 0)
        guard case .failed = await scene.verify() else {
            Issue.record("a stranger was verified")
            return
        }
        await scene.person.become(.init(consents: false))
        #expect(await scene.select() == CTAPStatus.operationDenied.rawValue)
        #expect(await scene.verify() == .failed(.userCancelled))
        // Instructions precede habits.
        await scene.person.tell(.gate(.match()))
        #expect(await scene.verify() == ControlledUserTests.verified)
    }

    @Test("An unverified user fails once and gives up, at every prompt")
    func nonMatchingUsersFailOnce() async throws {
        let scene = try ControlledUserTests.Scene(.auto)
        await scene.person.become(.init(verifies: false))
        let prompts = [(CTAPCommand.getAssertion, 1), (.getAssertion, 2), (.getAssertion, 1), (.clientPIN, 1)]
        var acts: [GateAct] = []
        for (command, attempt) in prompts + [(.clientPIN, 1), (.clientPIN, 1)] {
            acts.append(
                await scene.person.verify(
                    VerificationPrompt(
                        command: command, relyingPartyID: nil, stage: .sensing, modality: .face, modalities: [.face],
                        attempt: attempt, isFallbackOffered: false, deadline: .seconds(30))))
        }
        #expect(acts == [.nonMatch, .cancelByUser, .nonMatch, .cancelByUser, .nonMatch, .cancelByUser])
    }

    @Test(
        "Spans are a number and a unit",
        arguments: [
            ("250 ms", Duration.milliseconds(250)), ("30 s", .seconds(30)), ("5 min", .seconds(300)),
            ("2 h", .seconds(7200)), ("1 d", .seconds(86_400)), ("0 s", .zero), ("30s", .seconds(30)), ("30", nil),
            ("s 30", nil),
            ("s", nil), ("-1 s", nil), ("30 y", nil), ("10000001 s", nil), ("", nil), ("1.5 s", nil),
        ] as [(String, Duration?)])
    func spansAreRead(text: String, span: Duration?) {
        #expect((try? Duration(span: text)) == span)
    }
}
