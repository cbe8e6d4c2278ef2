import Foundation
import SimulatedAppleNames
import Testing

@Suite("Keys of the simulated Secure Enclave")
struct SecKeyTests {
    private func parameters(
        _ flags: SecAccessControlCreateFlags = [.privateKeyUsage, .biometryCurrentSet], permanent: Bool = true,
        _ change: (inout [CFString: Any]) -> Void = { _ in }
    ) throws -> CFDictionary {
        var error: Unmanaged<CFError>?
        let control = SecAccessControlCreateWithFlags(
            kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, &error)
        var parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: permanent, kSecAttrApplicationTag: Data("payments".utf8),
                kSecAttrAccessControl: try #require(control),
            ] as [CFString: Any],
        ]
        change(&parameters)
        return parameters as CFDictionary
    }

    private let search: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("payments".utf8), kSecReturnRef: true,
    ]

    private let message = Data("100 NOK to Grace".utf8) as CFData

    @Test("sign for the user, verify with the public key, and die with the enrolled set")
    func life() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            var error: Unmanaged<CFError>?
            let key = try #require(SecKeyCreateRandomKey(try parameters(), &error))
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecKeyIsAlgorithmSupported(key, .sign, .ecdsaSignatureMessageX962SHA256))
            #expect(!SecKeyIsAlgorithmSupported(key, .decrypt, .ecdsaSignatureMessageX962SHA256))
            let signature = try #require(
                SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, &error))
            #expect(phone.person.prompts.count == 1)
            #expect(
                SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, &error))
            #expect(
                !SecKeyVerifySignature(
                    publicKey, .ecdsaSignatureMessageX962SHA256, Data("1".utf8) as CFData, signature, &error))
            #expect((error?.takeRetainedValue() as? NSError)?.code == Int(errSecVerifyFailed))
            let point = try #require(SecKeyCopyExternalRepresentation(publicKey, nil) as Data?)
            #expect(point.count == 65 && point.first == 0x04)
            #expect(SecKeyCopyExternalRepresentation(key, &error) == nil)

            var item: CFTypeRef?
            #expect(SecItemCopyMatching(search as CFDictionary, &item) == errSecSuccess)
            let found = try #require(item as? SecKey)
            #expect(found == key)
            phone.person.will(.cancel)
            #expect(SecKeyCreateSignature(found, .ecdsaSignatureMessageX962SHA256, message, &error) == nil)
            let cancellation = try #require(error?.takeRetainedValue())
            #expect(LAError.userCancel ~= cancellation)

            try phone.enrol("second face")
            #expect(SecKeyCreateSignature(found, .ecdsaSignatureMessageX962SHA256, message, &error) == nil)
            #expect((error?.takeRetainedValue() as? NSError)?.code == Int(errSecItemNotFound))
            #expect(SecItemCopyMatching(search as CFDictionary, &item) == errSecItemNotFound)
        }
    }

    @Test("take a context that was verified, and are deleted by their reference")
    func contexts() async throws {
        let phone = try Phone("iphone-touch-id")
        try await phone.use {
            let key = try #require(SecKeyCreateRandomKey(try parameters([.privateKeyUsage, .userPresence]), nil))
            let context = LAContext()
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Pay")
            var item: CFTypeRef?
            let query = search.merging([kSecUseAuthenticationContext: context]) { $1 }
            #expect(SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess)
            let found = try #require(item as? SecKey)
            #expect(SecKeyCreateSignature(found, .ecdsaSignatureMessageX962SHA256, message, nil) != nil)
            #expect(phone.person.prompts.count == 1)
            #expect(SecItemDelete([kSecClass: kSecClassKey, kSecValueRef: key] as CFDictionary) == errSecSuccess)
            #expect(SecItemCopyMatching(search as CFDictionary, &item) == errSecItemNotFound)
        }
    }

    @Test("are not in the Keychain unless they are permanent")
    func temporaryKeys() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let key = try #require(SecKeyCreateRandomKey(try parameters([.privateKeyUsage], permanent: false), nil))
            #expect(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, nil) != nil)
            #expect(SecItemCopyMatching(search as CFDictionary, nil) == errSecItemNotFound)
        }
    }

    private func signs(_ key: SecKey) throws {
        let signature = try #require(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, nil))
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, nil))
    }

    @Test("sign with their own secrets, also beside keys of the same tag or without one", arguments: [true, false])
    func manyKeys(hasTag: Bool) throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            func make(permanent: Bool) throws -> SecKey {
                let parameters = try parameters([.privateKeyUsage], permanent: permanent) {
                    guard !hasTag, var own = $0[kSecPrivateKeyAttrs] as? [CFString: Any] else { return }
                    own[kSecAttrApplicationTag] = nil
                    $0[kSecPrivateKeyAttrs] = own
                }
                return try #require(SecKeyCreateRandomKey(parameters, nil))
            }
            let first = try make(permanent: false)
            let permanent = try make(permanent: true)
            do {
                let second = try make(permanent: false)
                let another = try make(permanent: true)
                for key in [first, permanent, second, another] { try signs(key) }
                #expect(Set([first, permanent, second, another]).count == 4)
            }
            // The end of a temporary key leaves the others alone.
            try signs(permanent)
            try signs(first)
            var found: CFTypeRef?
            let all: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
            ]
            #expect(SecItemCopyMatching(all as CFDictionary, &found) == errSecSuccess)
            #expect((found as? [SecKey])?.count == 2)
        }
    }

    @Test("report a failed prompt as LocalAuthentication does")
    func failedPrompts() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let key = try #require(SecKeyCreateRandomKey(try parameters(), nil))
            func failure() throws -> NSError {
                var error: Unmanaged<CFError>?
                #expect(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, &error) == nil)
                return try #require(error?.takeRetainedValue() as? NSError)
            }
            for _ in 0..<2 {
                phone.person.will([.noMatch, .noMatch, .giveUp])
                #expect(LAError.authenticationFailed ~= (try failure()))
            }
            phone.person.will(.noMatch)
            #expect(LAError.biometryLockout ~= (try failure()))
            #expect(LAError.biometryLockout ~= (try failure()))
            try phone.lock()
            let locked = try failure()
            #expect(locked.domain == NSOSStatusErrorDomain && locked.code == Int(errSecInteractionNotAllowed))
        }
    }

    @Test("do not encrypt, which the error says")
    func encryption() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let key = try #require(SecKeyCreateRandomKey(try parameters([.privateKeyUsage]), nil))
            let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
            #expect(!SecKeyIsAlgorithmSupported(key, .decrypt, algorithm))
            var error: Unmanaged<CFError>?
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecKeyCreateEncryptedData(publicKey, algorithm, message, &error) == nil)
            #expect((error?.takeRetainedValue() as? NSError)?.code == Int(errSecUnimplemented))
            #expect(SecKeyCreateDecryptedData(key, algorithm, message, &error) == nil)
            #expect((error?.takeRetainedValue() as? NSError)?.code == Int(errSecUnimplemented))
        }
    }

    @Test("have random numbers beside them, which the phone's seed repeats")
    func randomBytes() throws {
        func bytes() throws -> [UInt8] {
            try Phone("iphone-face-id", seed: 7).use {
                var bytes = [UInt8](repeating: 0, count: 32)
                #expect(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess)
                return bytes
            }
        }
        #expect(try bytes() == bytes())
        var other = [UInt8](repeating: 0, count: 32)
        #expect(SecRandomCopyBytes(kSecRandomDefault, other.count, &other) == errSecSuccess)
        #expect(try bytes() != other)
        #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &other) == errSecParam)
    }

    @Test("are refused where the simulation or the phone lacks something")
    func refusals() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let wrong: [(CFDictionary, OSStatus)] = [
                (try parameters { $0[kSecAttrTokenID] = nil }, errSecUnimplemented),
                (try parameters { $0[kSecAttrKeyType] = "42" }, errSecParam),
                (try parameters { $0[kSecAttrKeySizeInBits] = 384 }, errSecParam),
                (try parameters { $0["colour" as CFString] = "red" }, errSecParam),
                (try parameters { $0[kSecAttrKeyType] = kSecAttrKeyTypeRSA }, errSecParam),
                (try parameters { $0[kSecPublicKeyAttrs] = [kSecAttrIsPermanent: true] }, errSecUnimplemented),
                (try parameters { $0[kSecAttrSynchronizable] = true }, errSecParam),
                (try parameters { $0[kSecAttrSynchronizable] = kSecAttrSynchronizableAny }, errSecParam),
                (try parameters([.biometryAny]), errSecParam),
                (try parameters([.privateKeyUsage, .applicationPassword]), errSecParam),
            ]
            for (parameters, status) in wrong {
                var error: Unmanaged<CFError>?
                #expect(SecKeyCreateRandomKey(parameters, &error) == nil)
                #expect((error?.takeRetainedValue() as? NSError)?.code == Int(status))
            }
            try phone.unenrol()
            var error: Unmanaged<CFError>?
            #expect(SecKeyCreateRandomKey(try parameters(), &error) == nil)
            #expect((error?.takeRetainedValue() as? NSError)?.code == Int(errSecAuthFailed))
            let key = try #require(SecKeyCreateRandomKey(try parameters([.privateKeyUsage]), nil))
            #expect(SecKeyCreateSignature(key, .ecdsaSignatureDigestX962SHA256, message, &error) == nil)
            #expect((error?.takeRetainedValue() as? NSError)?.code == Int(errSecParam))
        }
        #expect(SecKeyCreateRandomKey(try parameters(), nil) == nil)
    }
}
