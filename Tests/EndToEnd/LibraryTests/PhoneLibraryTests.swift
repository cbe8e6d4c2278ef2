import Foundation
import SimulatedAppleNames
import Testing

/// The types that an app's test names, as another package sees them.
private protocol Authenticating {
    func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool
    func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool
}

extension LAContext: Authenticating {}

@Suite("The phone in another package")
struct PhoneLibraryTests {
    @Test("stands behind the protocol of an app")
    func protocols() async throws {
        let phone = try Phone("iphone-face-id")
        let context: any Authenticating = SimulatedLAContext(phone: phone)
        #expect(context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))
        phone.person.will(.noMatch, times: 2)
        phone.person.will(.fallback)
        do {
            _ = try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Unlock")
            Issue.record("the user chose the fallback")
        } catch LAError.userFallback {
        }
        try phone.checkActs()
    }

    @Test("keeps items of the Keychain")
    func keychain() throws {
        let keychain = SimulatedKeychain(phone: try Phone("macbook-touch-id"))
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "ada",
            kSecValueData as String: Data("token".utf8),
        ]
        #expect(keychain.add(item as CFDictionary, nil) == errSecSuccess)
        #expect(keychain.add(item as CFDictionary, nil) == errSecDuplicateItem)
        let query: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecReturnData as String: true]
        var found: CFTypeRef?
        #expect(keychain.copyMatching(query as CFDictionary, &found) == errSecSuccess)
        #expect(found as? Data == Data("token".utf8))
        #expect(keychain.delete([kSecClass as String: kSecClassGenericPassword] as CFDictionary) == errSecSuccess)
    }
}
