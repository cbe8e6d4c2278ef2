import Causes
import Foundation
import SimulatedAppleNames
import SimulatedDevice
import Testing

@Suite("Acts at a prompt that reach further")
struct PromptActTests {
    private func evaluate(on phone: Phone) async -> Int? {
        do {
            _ = try await LAContext(phone: phone).evaluatePolicy(
                .deviceOwnerAuthenticationWithBiometrics, localizedReason: "Open the diary")
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    @Test("The power button locks the phone", arguments: ["iphone-face-id", "iphone-touch-id", "ipad-face-id"])
    func powerButton(profile: String) async throws {
        let phone = try Phone(profile)
        phone.person.will(.powerButton)
        #expect(await evaluate(on: phone) == LAError.Code.systemCancel.rawValue)
        #expect(phone.isLocked && phone.foregroundApp == nil)
        try phone.unlock()
        #expect(phone.foregroundApp == Phone.defaultApp)
        #expect(await evaluate(on: phone) == nil)
        try phone.checkActs()
    }

    @Test("A user who leaves the app puts it in the background")
    func leaveScreen() async throws {
        let phone = try Phone("iphone-face-id")
        phone.person.will(.leaveScreen)
        #expect(await evaluate(on: phone) == LAError.Code.systemCancel.rawValue)
        #expect(!phone.isLocked && phone.foregroundApp == nil)
        #expect(await evaluate(on: phone) == LAError.Code.notInteractive.rawValue)
        try phone.resume()
        #expect(await evaluate(on: phone) == nil)
        try phone.checkActs()
    }

    @Test("An app that takes the screen stays there, though the other one's prompt ends")
    func otherApp() async throws {
        let phone = try Phone("pixel-fingerprint")
        try phone.install("mail")
        phone.person.duringNextPrompt { try phone.launch("mail") }
        let result = try await phone.run { [device = phone.device] in await device.verifyUser(.init(), app: "app") }
        #expect(result.cause == .appLeftScreen)
        #expect(phone.foregroundApp == "mail")
        try phone.checkActs()
    }

    @Test("Prompts for passkeys and passwords show the relying party and the account")
    func sheets() async throws {
        let app = try PasskeyApp()
        try await app.register("ada")
        _ = try await app.signIn()
        app.phone.person.willPick(.passkey(account: "ada"))
        _ = try await app.signIn()
        app.phone.savePassword("secret", account: "grace", for: "example.com")
        app.phone.person.willPick(.password)
        _ = try await app.controller(
            app.assertion(), SimulatedASAuthorizationPasswordProvider().createRequest()
        ).perform()
        let prompts = app.phone.person.prompts
        #expect(prompts.map(\.relyingParty) == Array(repeating: "example.com", count: 4))
        #expect(prompts.map(\.account) == ["ada", nil, "ada", "grace"])
        #expect(prompts.allSatisfy { $0.app == Phone.defaultApp && $0.reason.isEmpty })
        try app.phone.checkActs()
    }
}
