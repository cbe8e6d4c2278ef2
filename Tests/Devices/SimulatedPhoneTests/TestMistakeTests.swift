import Causes
import Foundation
import SimulatedAppleNames
import Testing

/// Mistakes of a test that look like errors of the phone to the app's code.
@Suite("Mistakes of a test")
struct TestMistakeTests {
    private let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "ada",
        kSecValueData as String: Data("token".utf8),
    ]

    private func sentences(_ body: () throws -> Void) -> String {
        let unused = #expect(throws: UnusedActs.self) { try body() }
        return unused?.description ?? ""
    }

    @Test("An app that was not opened again fails the check, though it catches every error")
    func forgottenLaunch() async throws {
        let phone = try Phone("iphone-face-id")
        try phone.reboot()
        try phone.unlock()
        for _ in 1...2 {
            _ = try? await LAContext(phone: phone).evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
        }
        let found = sentences { try phone.checkActs() }
        #expect(found.contains("2 calls of the app could not run: the app is not running"), "\(found)")
        #expect(found.contains("phone.launch()") && found.contains("takeRefusals()"))
        try phone.checkActs()
    }

    @Test("Each shape's call counts, and a test that expects it takes the refusal")
    func shapes() async throws {
        let phone = try Phone("iphone-face-id")
        try phone.kill()
        try await phone.use {
            #expect(!LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecNotAvailable)
            await #expect(throws: PhoneRefusal.self) { try await LARight().authorize(localizedReason: "Open") }
            let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
            let request = provider.createCredentialAssertionRequest(challenge: Data(count: 32))
            await #expect(throws: PhoneRefusal.self) {
                try await ASAuthorizationController(authorizationRequests: [request]).perform()
            }
            #expect(phone.takeRefusals().map(\.cause) == Array(repeating: .appNotRunning, count: 4))
        }
    }

    @Test("An act that the phone refuses is the test's own, and no call of the app")
    func ownActs() throws {
        let phone = try Phone("iphone-face-id")
        #expect(throws: PhoneRefusal.self) { try phone.launch() }
        try phone.checkActs()
    }

    @Test("Calls without a phone say what to do")
    func missingPhone() async throws {
        var error: NSError?
        #expect(!LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
        #expect(error?.localizedDescription.contains("give the initializer a phone") == true)
        #expect(SecItemDelete(item as CFDictionary) == errSecNotAvailable)
        var problem: Unmanaged<CFError>?
        #expect(SecKeyCreateRandomKey([:] as [String: Any] as CFDictionary, &problem) == nil)
        #expect((problem?.takeRetainedValue() as? NSError)?.localizedDescription.contains("phone.use") == true)
    }

    @Test("A context of another phone is refused with the reason")
    func foreignContext() async throws {
        let (phone, other) = (try Phone("iphone-face-id"), try Phone("iphone-touch-id"))
        let context = LAContext(phone: other)
        try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
        let keychain = SimulatedKeychain(phone: phone)
        #expect(keychain.add(item as CFDictionary, nil) == errSecSuccess)
        var query = item
        query[kSecValueData as String] = nil
        query[kSecUseAuthenticationContext as String] = context
        #expect(keychain.copyMatching(query as CFDictionary, nil) == errSecParam)
        #expect(keychain.delete(query as CFDictionary) == errSecParam)
        #expect(phone.events.filter { $0.contains("belongs to another phone, iPhone with Touch ID") }.count == 2)
    }

    @Test("A request whose controller has no delegate fails the check")
    @MainActor func noDelegate() async throws {
        let app = try PasskeyApp()
        let controller = app.controller(app.registration())
        controller.performRequests()
        await app.phone.finishAuthorizations()
        #expect(sentences { try app.phone.checkActs() }.contains("had no delegate for its result"))
    }

    @Test(
        "An app that stops during a request hears that it was cancelled, and its code does not wait for ever",
        arguments: ["kill", "reboot", "uninstall"])
    @MainActor func stoppedApp(act: String) async throws {
        let app = try PasskeyApp()
        let listener = Listener()
        let controller = app.controller(app.registration())
        controller.delegate = listener
        app.phone.person.duringNextPrompt {
            switch act {
            case "kill": try app.phone.kill()
            case "reboot": try app.phone.reboot()
            default: try app.phone.uninstall()
            }
        }
        controller.performRequests()
        await app.phone.finishAuthorizations()
        #expect(listener.codes == [1001])
        guard case .failure(let error)? = listener.heard.first else { return }
        #expect(error.localizedDescription.contains("The app stopped during the request"))
        #expect(!app.phone.hasPasskey(of: "example.com"))
        try app.phone.checkActs()
        if act == "kill" {
            try app.phone.launch()
            try await app.register()
        }
    }
}
