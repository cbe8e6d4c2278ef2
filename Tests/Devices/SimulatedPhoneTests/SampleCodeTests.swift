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

    struct Credentials: Equatable {
        var username: String
        var password: String
    }

    enum KeychainError: Error, Equatable {
        case noPassword
        case unexpectedPasswordData
        case unhandledError(status: OSStatus)
    }

    /// The documents "Adding a password to the keychain" and "Accessing keychain items with Face ID or Touch ID".
    static func addCredentials(_ credentials: Credentials, server: String) throws {
        let account = credentials.username
        let password = Data(credentials.password.utf8)
        let access = SecAccessControlCreateWithFlags(
            nil,  // Use the default allocator.
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .userPresence,
            nil)  // Ignore any error.
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 10
        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword, kSecAttrAccount as String: account,
            kSecAttrServer as String: server, kSecAttrAccessControl as String: access as Any,
            kSecUseAuthenticationContext as String: context, kSecValueData as String: password,
        ]
        let status = SecItemAdd(query as CFDictionary, nil)
        guard status == errSecSuccess else { throw KeychainError.unhandledError(status: status) }
    }

    /// The document "Searching for keychain items".
    static func readCredentials(server: String) throws -> Credentials {
        let context = LAContext()
        context.localizedReason = "Access your password on the keychain"
        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword, kSecAttrServer as String: server,
            kSecMatchLimit as String: kSecMatchLimitOne, kSecReturnAttributes as String: true,
            kSecUseAuthenticationContext as String: context, kSecReturnData as String: true,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status != errSecItemNotFound else { throw KeychainError.noPassword }
        guard status == errSecSuccess else { throw KeychainError.unhandledError(status: status) }
        guard let existingItem = item as? [String: Any],
            let passwordData = existingItem[kSecValueData as String] as? Data,
            let password = String(data: passwordData, encoding: String.Encoding.utf8),
            let account = existingItem[kSecAttrAccount as String] as? String
        else { throw KeychainError.unexpectedPasswordData }
        return Credentials(username: account, password: password)
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

    @Test("keeps credentials by the documents of the Keychain")
    func credentials() throws {
        let phone = try Phone("iphone-face-id")
        let credentials = SampleApp.Credentials(username: "ada", password: "secret")
        try phone.use {
            #expect(throws: SampleApp.KeychainError.noPassword) {
                try SampleApp.readCredentials(server: "www.example.com")
            }
            try SampleApp.addCredentials(credentials, server: "www.example.com")
            #expect(try SampleApp.readCredentials(server: "www.example.com") == credentials)
            #expect(phone.person.prompts.map(\.reason) == ["Access your password on the keychain"])
            phone.person.will(.cancel)
            #expect(throws: SampleApp.KeychainError.unhandledError(status: errSecUserCanceled)) {
                try SampleApp.readCredentials(server: "www.example.com")
            }
            #expect(throws: SampleApp.KeychainError.unhandledError(status: errSecDuplicateItem)) {
                try SampleApp.addCredentials(credentials, server: "www.example.com")
            }
            try phone.removePasscode()
            #expect(throws: SampleApp.KeychainError.noPassword) {
                try SampleApp.readCredentials(server: "www.example.com")
            }
        }
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
