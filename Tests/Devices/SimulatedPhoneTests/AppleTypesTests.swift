import Foundation
import SimulatedAppleNames
import Testing

/// Forms in which apps write the Keychain's calls on Apple's systems.
@Suite("Other forms of the Keychain's calls")
struct AppleTypesTests {
    @Test("An object receives a result, and dictionaries are those of Foundation")
    func objects() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let item: NSDictionary = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada", kSecValueData: Data("token".utf8),
                kSecReturnAttributes: true,
            ]
            var added: AnyObject?
            #expect(SecItemAdd(item, &added) == errSecSuccess)
            #expect((added as? [String: Any])?[kSecAttrAccount as String] as? String == "ada")
            let query: NSDictionary = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada", kSecReturnData: true,
            ]
            var read: AnyObject?
            #expect(SecItemCopyMatching(query, &read) == errSecSuccess)
            #expect(read as? Data == Data("token".utf8))
            var any: CFTypeRef?
            #expect(SecItemCopyMatching(query, &any) == errSecSuccess)
            #expect(any as? Data == Data("token".utf8))
            let dictionary =
                [
                    kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "ada",
                    kSecReturnData as String: true,
                ] as [String: Any]
            var object: AnyObject?
            #expect(SecItemCopyMatching(dictionary as CFDictionary, &object) == errSecSuccess)
            #expect(object as? Data == Data("token".utf8))
            let search: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada"]
            let change: NSDictionary = [kSecAttrLabel: "Diary"]
            #expect(SecItemUpdate(search, change) == errSecSuccess)
            #expect(SecItemDelete(search) == errSecSuccess)
            #expect(SecItemDelete(search) == errSecItemNotFound)
            let parameters: NSDictionary = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true] as NSDictionary,
            ]
            #expect(SecKeyCreateRandomKey(parameters, nil) != nil)
        }
    }

    @Test("Older names have the values of today's")
    func olderNames() throws {
        #expect(LAError.touchIDLockout == .biometryLockout && LAError.Code.touchIDNotEnrolled == .biometryNotEnrolled)
        #expect(LAError.touchIDNotAvailable == .biometryNotAvailable)
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil))
            let item =
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada", kSecValueData: Data("token".utf8),
                    kSecAttrAccessControl: control,
                ] as [CFString: Any]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            for (isForbidden, status) in [(true, errSecInteractionNotAllowed), (false, errSecSuccess)] {
                let query =
                    [
                        kSecClass: kSecClassGenericPassword, kSecReturnData: true,
                        kSecUseNoAuthenticationUI: isForbidden,
                    ] as [CFString: Any]
                #expect(SecItemCopyMatching(query as CFDictionary, nil) == status)
            }
            #expect(phone.person.prompts.count == 1)
        }
    }

    @Test("A key of a given phone is created and signs on a queue without a phone in use")
    func queues() throws {
        let keychain = SimulatedKeychain(phone: try Phone("iphone-face-id"))
        let parameters =
            [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            ] as [CFString: Any]
        let key = try #require(keychain.createRandomKey(parameters as CFDictionary, nil))
        let signature = SecKeyCreateSignature(
            key, .ecdsaSignatureMessageX962SHA256, Data("1".utf8) as CFData, nil)
        #expect(signature != nil)
    }

    @Test(
        "An unlock with the sensor also opens items within the time of reuse",
        arguments: ["iphone-touch-id", "iphone-face-id"])
    func reuse(profile: String) throws {
        let phone = try Phone(profile)
        try phone.use {
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryCurrentSet, nil))
            let item =
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada", kSecValueData: Data("token".utf8),
                    kSecAttrAccessControl: control,
                ] as [CFString: Any]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            func read(reusing seconds: Double) throws -> Int {
                let context = LAContext()
                context.touchIDAuthenticationAllowableReuseDuration = seconds
                let query =
                    [
                        kSecClass: kSecClassGenericPassword, kSecReturnData: true,
                        kSecUseAuthenticationContext: context,
                    ] as [CFString: Any]
                let before = phone.person.prompts.count
                try #require(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
                return phone.person.prompts.count - before
            }
            try phone.lock()
            try phone.unlock(.biometrics)
            #expect(try read(reusing: 0) == 1)
            #expect(try read(reusing: 60) == 0)
            try phone.wait(61 * .seconds)
            #expect(try read(reusing: 60) == 1)
            try phone.lock()
            try phone.unlock(.passcode)
            #expect(try read(reusing: 60) == 1)
            try phone.lock()
            try phone.unlock(.biometrics)
            try phone.enrol("another")
            let query = [kSecClass: kSecClassGenericPassword, kSecReturnData: true] as [CFString: Any]
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecItemNotFound)
        }
    }
}
