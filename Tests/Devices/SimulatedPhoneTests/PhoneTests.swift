import Biometrics
import Causes
import SimulatedPhone
import Testing
import VirtualAuthenticator

@Suite("A phone in a test's own process")
struct PhoneTests {
    @Test("has the state of its acts", arguments: ["iphone-face-id", "iphone-touch-id", "macbook-touch-id"])
    func acts(profile: String) throws {
        let phone = try Phone(profile)
        #expect(!phone.isLocked)
        #expect(phone.foregroundApp == Phone.defaultApp)
        try phone.lock()
        #expect(phone.isLocked)
        try phone.unlock(.biometrics)
        try phone.reboot()
        #expect(!phone.hasBeenUnlocked)
        #expect(throws: PhoneRefusal.self) { try phone.unlock(.biometrics) }
        try phone.unlock()
        #expect(phone.foregroundApp == nil)
        try phone.launch()
        try phone.enrol("another")
        #expect(phone.enrolled.contains("another"))
        try phone.lockOut()
        #expect(phone.lockout == .permanent)
        try phone.setAirplaneMode(true)
        #expect(!phone.isOnline)
        try phone.unenrol()
        #expect(phone.enrolled.isEmpty)
        try phone.removePasscode()
        #expect(!phone.hasPasscode)
    }

    @Test("keeps its own time")
    func time() throws {
        let phone = try Phone("iphone-face-id")
        try phone.wait(30 * .seconds)
        #expect(phone.uptime == .seconds(30))
        try phone.wait(2 * .days)
        #expect(phone.uptime == .seconds(172_830))
        #expect(throws: PhoneRefusal.self) { try phone.wait(-1 * .hours) }
        try phone.lock()
        let refusal = #expect(throws: PhoneRefusal.self) { try phone.unlock(.biometrics) }
        #expect(refusal?.cause == .strongAuthenticationDue)
    }

    @Test(
        "refuses a name that is not a phone's",
        arguments: [("iphone-faceid", "iphone-face-id"), ("yubikey-5-nfc-5.7", "no screen"), ("", "profile")])
    func wrongNames(name: String, hint: String) {
        let refusal = #expect(throws: PhoneRefusal.self) { try Phone(name) }
        #expect(refusal?.sentence.contains(hint) == true, "\(refusal?.sentence ?? "")")
    }

    @Test("refuses an act without an effect, and says why")
    func idleActs() throws {
        let phone = try Phone("iphone-face-id")
        let acts: [(String, () throws -> Void)] = [
            ("not locked", { try phone.unlock() }),
            ("already", { try phone.setAirplaneMode(false) }),
            ("launch has no effect", { try phone.launch() }),
            ("in the foreground; send it to the background first", { try phone.resume() }),
            ("use reinstall", { try phone.install() }),
            ("other is not installed; install it", { try phone.launch("other") }),
            ("no template named", { try phone.unenrol("a finger") }),
            ("Did you mean", { try phone.arm("key-lost-at-rebot") }),
            ("because", { try phone.requirePasscode(because: .time) }),
            ("whole seconds", { try phone.delayPasskeys(by: .milliseconds(1500)) }),
            ("clears no app's data", { try phone.clearData() }),
        ]
        for (words, act) in acts {
            let refusal = #expect(throws: PhoneRefusal.self) { try act() }
            #expect(refusal?.sentence.lowercased().contains(words.lowercased()) == true, "\(refusal?.sentence ?? "")")
        }
    }

    @Test("repeats its random numbers with a seed")
    func seeds() throws {
        #expect(
            try Phone("iphone-face-id", seed: 7).random.bytes(8) == Phone("iphone-face-id", seed: 7).random.bytes(8))
        #expect(try Phone("iphone-face-id").random.bytes(8) != Phone("iphone-face-id").random.bytes(8))
    }

    @Test("is found by code that is not given one, until the end of its use")
    func current() async throws {
        let phone = try Phone("iphone-face-id")
        #expect(Phone.current == nil)
        try phone.use { #expect(Phone.current === phone) }
        try await phone.use {
            await Task { #expect(Phone.current === phone) }.value
        }
        #expect(Phone.current == nil)
    }

    @Test("reports planned acts that no prompt took, with their places")
    func unusedActs() throws {
        let phone = try Phone("iphone-face-id")
        phone.person.will(.noMatch, times: 2)
        phone.person.will(.match(on: .fingerprint))
        phone.person.will(.cancel, times: 0)
        phone.person.duringNextPrompt { try phone.lock() }
        #expect(phone.person.unusedActs == [.noMatch, .noMatch, .match(on: .fingerprint)])
        let unused = #expect(throws: UnusedActs.self) { try phone.checkActs() }
        let sentences = unused?.sentences ?? []
        #expect(sentences.count == 4)
        #expect(sentences.contains { $0.contains("PhoneTests.swift") && $0.contains("no-match, 2 times") })
        #expect(sentences.contains { $0.contains("no fingerprint sensor") })
        #expect(sentences.contains { $0.contains("planned 0 times") })
        #expect(sentences.contains { $0.contains("no prompt opened for the action") })
        try phone.checkActs()
        #expect(throws: UnusedActs.self) { try phone.use { phone.person.will(.match) } }
    }

    @Test("reports a planned act that its prompt ignored")
    func ignoredActs() async throws {
        let phone = try Phone("iphone-face-id")
        phone.person.will([.noMatch, .confirm, .match])
        try phone.lock()
        try phone.unlock(.biometrics)
        let unused = #expect(throws: UnusedActs.self) { try phone.checkActs() }
        #expect(unused?.sentences.count == 1)
        #expect(unused?.description.contains("the prompt ignored confirm") == true, "\(unused?.description ?? "")")
        #expect(unused?.description.contains("PhoneTests.swift") == true)
    }

    @Test("reports a planned act that its prompt ignored after a thousand others")
    func lateIgnoredActs() async throws {
        let phone = try Phone("iphone-face-id")
        phone.person.will(.noMatch)
        for number in 0..<1020 {
            let context = SimulatedLAContext(phone: phone)
            if number > 1000 { phone.person.duringNextPrompt { context.invalidate() } }
            _ = try? await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
        }
        phone.person.will([.noMatch, .confirm, .match])
        try phone.lock()
        try phone.unlock(.biometrics)
        let unused = #expect(throws: UnusedActs.self) { try phone.checkActs() }
        #expect(unused?.description.contains("the prompt ignored confirm") == true, "\(unused?.description ?? "")")
        #expect(unused?.sentences.count == 1)
    }

    @Test("gives a planned act to the prompt that asks for it")
    func usedActs() throws {
        let phone = try Phone("iphone-face-id")
        try phone.lock()
        phone.person.will(.noMatch)
        try phone.unlock(.biometrics)
        try phone.checkActs()
        #expect(phone.events.contains { $0.contains("failure 1 in a row") })
    }
}
