import Foundation
import SimulatedAppleNames
import Testing

/// Code of an app as Apple's documents of LAContext show it, with one changed import.
private enum SampleApp {
    /// The document "Logging a User into Your App with Face ID or Touch ID": a check, an evaluation, and a fallback.
    static func logIn() async -> String {
        let context = LAContext()
        context.localizedCancelTitle = "Enter Username/Password"
        var error: NSError?
        guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) else {
            return error?.localizedDescription ?? "Can't evaluate policy"
        }
        do {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Log in to your account")
            return context.biometryType == .faceID ? "loggedIn with Face ID" : "loggedIn"
        } catch let error as LAError where error.code == .userCancel {
            return "username and password"
        } catch {
            return error.localizedDescription
        }
    }

    /// The same with a reply.
    static func logIn(completion: @escaping @Sendable (Result<Bool, any Error>) -> Void) {
        let context = LAContext()
        context.localizedFallbackTitle = "Use PIN"
        context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Log in") { success, error in
            if let error { completion(.failure(error)) } else { completion(.success(success)) }
        }
    }
}

@Suite("An app's code with Apple's names")
struct SampleCodeTests {
    @Test("logs in by the document of LAContext")
    func login() async throws {
        let phone = try Phone("iphone-face-id")
        try await phone.use {
            #expect(await SampleApp.logIn() == "loggedIn with Face ID")
            phone.person.will(.cancel)
            #expect(await SampleApp.logIn() == "username and password")
            try phone.removePasscode()
            #expect(await SampleApp.logIn().contains("passcode"))
        }
        #expect(phone.person.prompts.map(\.cancelTitle) == ["Enter Username/Password", "Enter Username/Password"])
        #expect(await SampleApp.logIn().contains("phone.use"))
    }

    @Test("hears a reply on the phone of its test")
    func replies() async throws {
        let phone = try Phone("iphone-touch-id")
        try await phone.use {
            phone.person.will(.noMatch)
            phone.person.will(.fallback)
            let result = await withCheckedContinuation { continuation in
                SampleApp.logIn { continuation.resume(returning: $0) }
            }
            #expect(throws: LAError.self) { try result.get() }
        }
    }
}
