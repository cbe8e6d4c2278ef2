import Biometrics
import COSE
import CTAP
import DeviceProfiles
import ProfileFiles
import SimulatedDevice
import Testing
import VirtualAuthenticator

@Suite("A simulated user with instructions")
struct ControlledUserTests {
    /// A device whose user follows instructions, with an alarm for the prompt's deadline.
    struct Scene: Sendable {
        let alarm = Alarm()
        let clock = SimulatedClock()
        let person: ControlledUser
        let device: SimulatedDevice

        init(_ habit: ControlledUser.Habit, on profile: String = "iphone-face-id") throws {
            try self.init(habit, profile: try Shop.library.profile(profile))
        }

        init(_ habit: ControlledUser.Habit, profile: DeviceProfile) throws {
            person = ControlledUser(habit: habit, waitUntil: alarm.wait(until:))
            device = try SimulatedDevice(
                profile: profile, time: clock, random: SeededRandomSource(seed: 8), user: person)
        }

        func select() async -> UInt8? { await device.authenticator.transceive([0x0B], onKeepalive: { _ in }).first }

        func verify() async -> UserVerificationResult? {
            await device.authenticator.verifyUser(PromptOptions(allowsDeviceCredential: true))
        }

        /// Waits until the alarm is armed, which happens once the prompt is open.
        func prompt() async -> Duration? {
            var armed = alarm.armed.makeAsyncIterator()
            return await armed.next()
        }
    }

    static let verified = UserVerificationResult.verified(.biometric(.face, templateID: [1]))

    @Test func anAutomaticUserAgreesToEverything() async throws {
        let scene = try Scene(.auto)
        #expect(await scene.select() == 0)
        #expect(await scene.verify() == Self.verified)
    }

    @Test func instructionsInAdvanceComeFirstAndInOrder() async throws {
        let scene = try Scene(.auto)
        for act: UserAct in [
            .gate(.nonMatch), .gate(.nonMatch), .gate(.passcode(correct: false)), .gate(.cancelByUser),
        ] {
            await scene.person.tell(act)
        }
        #expect(await scene.person.plannedActs.count == 4)
        #expect(await scene.verify() == .failed(.userCancelled))
        #expect(await scene.person.plannedActs.isEmpty)
        #expect(await scene.verify() == Self.verified)
    }

    @Test func anAskingUserWaitsForAnInstruction() async throws {
        let scene = try Scene(.ask)
        async let answer = scene.select()
        let deadline = try #require(await scene.prompt())
        #expect(deadline == scene.clock.now() + .seconds(30))
        let open = try #require(await scene.person.openPrompt)
        #expect(open.asksFor == "touch")
        #expect(open.relyingPartyID == nil)
        #expect(open.deadline == deadline)
        await scene.person.tell(.touch)
        #expect(await answer == 0)
        #expect(await scene.person.openPrompt == nil)
    }

    @Test func eachPromptNamesItsRequest() async throws {
        for (profile, modality) in [("iphone-face-id", "face"), ("iphone-touch-id", "fingerprint")] {
            let scene = try Scene(.ask, on: profile)
            async let answer = scene.verify()
            for failures in 0..<(modality == "face" ? 2 : 3) {
                _ = await scene.prompt()
                #expect(await scene.person.openPrompt?.asksFor == modality, "\(failures)")
                await scene.person.tell(.gate(.nonMatch))
            }
            _ = await scene.prompt()
            #expect(await scene.person.openPrompt?.asksFor == "passcode")
            // A touch does not answer a passcode prompt; it stays queued.
            #expect(await scene.person.tell(.touch) == 0)
            await scene.person.tell(.gate(.passcode(correct: true)))
            #expect(await answer == .verified(.deviceCredential))
        }
    }

    @Test func theDeadlineEndsAPromptWithoutAnInstruction() async throws {
        let scene = try Scene(.ask)
        async let touch = scene.select()
        _ = await scene.prompt()
        scene.alarm.ring()
        #expect(await touch == CTAPStatus.userActionTimeout.rawValue)
        async let look = scene.verify()
        #expect(await scene.prompt() == scene.clock.now() + .seconds(60))
        scene.alarm.ring()
        #expect(await look == .failed(.timedOut))
        #expect(await scene.person.openPrompt == nil)
    }

    @Test func anAbsentUserTakesUntilTheDeadline() async throws {
        let scene = try Scene(.auto)
        await scene.person.tell(.gate(.noAnswer))
        async let answer = scene.select()
        #expect(await scene.prompt() == scene.clock.now() + .seconds(30))
        scene.alarm.ring()
        #expect(await answer == CTAPStatus.userActionTimeout.rawValue)
    }

    @Test func cancellingTheRequestClosesThePrompt() async throws {
        for habit: ControlledUser.Habit in [.ask, .auto] {
            let scene = try Scene(habit)
            if habit == .auto { await scene.person.tell(.gate(.noAnswer)) }
            let task = Task { await scene.select() }
            _ = await scene.prompt()
            task.cancel()
            #expect(await task.value == CTAPStatus.keepaliveCancel.rawValue)
            #expect(await scene.person.openPrompt == nil)
            // The next instruction applies to the next prompt.
            await scene.person.tell(.gate(.cancelByUser))
            #expect(await scene.select() == CTAPStatus.operationDenied.rawValue)
        }
    }

    @Test func aNewPromptEndsTheOpenPrompt() async throws {
        let scene = try Scene(.ask)
        async let touch = scene.select()
        _ = await scene.prompt()
        async let look = scene.verify()
        _ = await scene.prompt()
        // The app's prompt replaced the touch prompt on the screen.
        #expect(await touch == CTAPStatus.operationDenied.rawValue)
        #expect(await scene.person.openPrompt?.asksFor == "face")
        await scene.person.tell(.gate(.match()))
        #expect(await look == Self.verified)
    }

    @Test(arguments: [
        (UserAct.touch, UInt8(0)), (.choose(3), 0), (.gate(.match()), 0), (.gate(.passcode(correct: true)), 0),
        (.gate(.cancelByUser), 0x27), (.gate(.nonMatch), 0x27), (.gate(.cancelBySystem), 0x27),
        (.gate(.passcode(correct: false)), 0x27),
    ])
    func actsAtATouchPromptMeanConsentOrRefusal(act: UserAct, status: UInt8) async throws {
        let scene = try Scene(.auto)
        await scene.person.tell(act)
        #expect(await scene.select() == status)
    }

    @Test(
        arguments: [
            (UserAct.choose(1), [UInt8(1)], false), (.choose(0), [2], false), (.gate(.cancelByUser), nil, false),
            // No account has this place: the choice waits for a prompt with more of them.
            (.choose(7), [2], true),
            // The user then chooses the first account, and these acts wait for a prompt that asks for them.
            (.touch, [2], true), (.gate(.match()), [2], true), (.gate(.nonMatch), [2], true),
            (.gate(.passcode(correct: false)), [2], true), (.sample(.good), [2], true),
        ] as [(UserAct, [UInt8]?, Bool)])
    func anAccountIsChosenByItsPosition(act: UserAct, user: [UInt8]?, waits: Bool) async throws {
        let scene = try Scene(.auto)
        let client = AuthenticatorClient(scene.device.authenticator)
        let hash = [UInt8](repeating: 1, count: 32)
        for number: UInt8 in 1...2 {
            _ = try await client.makeCredential(
                MakeCredentialRequest(
                    clientDataHash: hash, rp: PublicKeyCredentialRPEntity(id: "example.com"),
                    user: PublicKeyCredentialUserEntity(id: [number]),
                    pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], options: ["uv": true]))
        }
        for told in [.gate(.match()), act] as [UserAct] { await scene.person.tell(told) }
        let got = try? await client.getAssertion(
            GetAssertionRequest(relyingPartyID: "example.com", clientDataHash: hash, options: ["uv": true]))
        #expect(got?.user?.id == user)
        #expect(await scene.person.plannedActs == (waits ? [act] : []))
    }

    // MARK: Words

    @Test func everyWordIsAnActAndEveryActHasAWord() {
        for entry in UserAct.vocabulary { #expect(UserAct(word: entry.word) == entry.act) }
        #expect(Set(UserAct.vocabulary.map(\.word)).count == UserAct.vocabulary.count)
        #expect(Set(UserAct.vocabulary.map(\.act)).count == UserAct.vocabulary.count)
        #expect(UserAct(word: "choose:1") == .choose(0))
        #expect(UserAct(word: "choose:12") == .choose(11))
    }

    @Test(
        arguments: [
            ("match:face", .sample(.match(), on: .face)),
            ("no-match:fingerprint", .sample(.nonMatch, on: .fingerprint)),
            ("spoof:iris", .sample(.spoof, on: .iris)),
            ("match-inattentive:face", .sample(.inattentiveMatch, on: .face)),
            ("bad-capture:face", .sample(.badCapture(.partial), on: .face)),
            ("bad-capture:too-fast:fingerprint", .sample(.badCapture(.tooFast), on: .fingerprint)),
            ("bad-capture:partial", .badCapture(.partial)), ("bad-capture:too-dark", .badCapture(.tooDark)),
            ("bad-capture:start", .badCapture(.start)), ("sensor-error:vendor", .sensorError(.vendor)),
            ("sensor-error:re-enrol-required", .sensorError(.reEnrolRequired)), ("power-button", .powerButton),
            ("confirm", .confirm), ("decline-confirmation", .declineConfirmation),
            ("match-inattentive", .inattentiveMatch),
        ] as [(String, GateAct)])
    func actsAtASensorMayNameIt(word: String, act: GateAct) throws {
        let read = try #require(UserAct(word: word))
        #expect(read == .gate(act))
        #expect(UserAct(word: read.word) == read)
    }

    @Test func everyHintAndEveryErrorHasAWord() {
        let acts = UserAct.vocabulary.map(\.act)
        for hint in AcquiredHint.allCases { #expect(acts.contains(.gate(.badCapture(hint))), "\(hint)") }
        for error in SensorError.allCases { #expect(acts.contains(.gate(.sensorError(error))), "\(error)") }
    }

    @Test(arguments: [
        "passcode:face", "confirm:face", "match:ear", "match:face:face", "bad-capture:too-slowly", "sensor-error:",
        "sample:good:fingerprint", "", "wave", "choose:", "choose:0", "choose:-1", "choose:x",
        "choose:99999999999999999999", "Touch",
    ])
    func otherWordsAreNoActs(word: String) {
        #expect(UserAct(word: word) == nil)
    }
}

@Suite struct UserPhraseTests {
    @Test(arguments: [
        (["match"], ["match"]), (["no-match x 3", "cancel"], ["no-match", "no-match", "no-match", "cancel"]),
        (["no-match", "x", "2", "match"], ["no-match", "no-match", "match"]),
        (["bad-capture:too-dark:face x 2"], ["bad-capture:too-dark:face", "bad-capture:too-dark:face"]),
    ])
    func aCommandLineMaySplitAPhrase(phrases: [String], words: [String]) {
        #expect(UserAct.acts(phrases: phrases)?.map(\.word) == words)
    }

    @Test(arguments: [["wink"], ["match", "x"], ["match", "x", "0"], ["x", "2"], ["match x 1000"]])
    func anInvalidPhraseIsRefused(phrases: [String]) {
        #expect(UserAct.acts(phrases: phrases) == nil)
    }
}
