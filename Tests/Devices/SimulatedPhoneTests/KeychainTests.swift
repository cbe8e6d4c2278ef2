import Causes
import Foundation
import SimulatedAppleNames
import Testing

@Suite("The Keychain on a simulated phone")
struct KeychainTests {
    private let token = Data("token".utf8)

    private func query(_ account: String = "ada", _ more: [CFString: Any] = [:]) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: "diary"].merging(more) { $1 }
    }

    private func control(
        _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    ) throws -> SecAccessControl {
        try #require(SecAccessControlCreateWithFlags(nil, protection, flags, nil))
    }

    private func add(_ account: String = "ada", _ more: [CFString: Any] = [:]) -> OSStatus {
        SecItemAdd(query(account, [kSecValueData: token].merging(more) { $1 }) as CFDictionary, nil)
    }

    private func read(_ account: String = "ada", _ more: [CFString: Any] = [:]) -> (status: OSStatus, data: Data?) {
        var item: CFTypeRef?
        let status = SecItemCopyMatching(
            query(account, [kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne].merging(more) { $1 })
                as CFDictionary,
            &item)
        return (status, item as? Data)
    }

    @Test("An item is added, found, changed and deleted")
    func life() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            #expect(read().status == errSecItemNotFound)
            #expect(add() == errSecSuccess)
            #expect(add() == errSecDuplicateItem)
            #expect(add("grace") == errSecSuccess)
            #expect(read() == (errSecSuccess, token))
            let change = [kSecValueData: Data("new".utf8), kSecAttrLabel: "Diary"] as [CFString: Any]
            #expect(SecItemUpdate(query() as CFDictionary, change as CFDictionary) == errSecSuccess)
            #expect(read().data == Data("new".utf8))
            #expect(read("grace").data == token)
            #expect(
                SecItemUpdate(query("ada") as CFDictionary, [kSecAttrAccount: "grace"] as CFDictionary)
                    == errSecDuplicateItem)
            #expect(
                SecItemUpdate(query("ada") as CFDictionary, [kSecAttrAccount: "alan"] as CFDictionary) == errSecSuccess)
            #expect(read("alan").data == Data("new".utf8))
            #expect(SecItemDelete(query("alan") as CFDictionary) == errSecSuccess)
            #expect(SecItemDelete(query("alan") as CFDictionary) == errSecItemNotFound)
            #expect(
                SecItemUpdate(query("alan") as CFDictionary, [kSecAttrLabel: "x"] as CFDictionary) == errSecItemNotFound
            )
            #expect(read("alan").status == errSecItemNotFound)
        }
        #expect(phone.person.prompts.isEmpty)
    }

    @Test("A search returns what it asks for")
    func results() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            for account in ["ada", "grace"] {
                #expect(add(account, [kSecAttrLabel: "Diary of \(account)"]) == errSecSuccess)
            }
            var item: CFTypeRef?
            #expect(SecItemCopyMatching(query() as CFDictionary, &item) == errSecSuccess)
            #expect(item == nil)

            let both: [CFString: Any] = [kSecReturnAttributes: true, kSecReturnData: kCFBooleanTrue!]
            #expect(SecItemCopyMatching(query("ada", both) as CFDictionary, &item) == errSecSuccess)
            let found = try #require(item as? [String: Any])
            #expect(found[kSecValueData as String] as? Data == token)
            #expect(found[kSecAttrLabel as String] as? String == "Diary of ada")
            #expect(found[kSecAttrAccessible as String] as? String == kSecAttrAccessibleWhenUnlocked as String)
            #expect(found[kSecAttrCreationDate as String] is Date)

            let all: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
            ]
            #expect(SecItemCopyMatching(all as CFDictionary, &item) == errSecSuccess)
            let list = try #require(item as? [[String: Any]])
            #expect(list.compactMap { $0[kSecAttrAccount as String] as? String } == ["ada", "grace"])

            #expect(
                SecItemCopyMatching(query("grace", [kSecReturnPersistentRef: true]) as CFDictionary, &item)
                    == errSecSuccess)
            let reference = try #require(item as? Data)
            let kept: [CFString: Any] = [kSecValuePersistentRef: reference, kSecReturnAttributes: true]
            #expect(SecItemCopyMatching(kept as CFDictionary, &item) == errSecSuccess)
            #expect((item as? [String: Any])?[kSecAttrAccount as String] as? String == "grace")
        }
    }

    @Test("Internet passwords differ in server and port, and classes do not meet")
    func internetPasswords() throws {
        let phone = try Phone("macbook-touch-id")
        try phone.use {
            for port in [443, 8443] {
                let item: [CFString: Any] = [
                    kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com", kSecAttrAccount: "ada",
                    kSecAttrPort: port, kSecValueData: Data("\(port)".utf8),
                ]
                #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            }
            var item: CFTypeRef?
            let search: [CFString: Any] = [
                kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com", kSecAttrPort: 8443,
                kSecReturnData: true,
            ]
            #expect(SecItemCopyMatching(search as CFDictionary, &item) == errSecSuccess)
            #expect(item as? Data == Data("8443".utf8))
            #expect(read().status == errSecItemNotFound)
        }
    }

    @Test("An access control asks for the user, whose acts decide")
    func accessControl() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            #expect(try add("ada", [kSecAttrAccessControl: control(.biometryCurrentSet)]) == errSecSuccess)
            #expect(read("ada", [kSecUseOperationPrompt: "Open the diary"]).data == token)
            #expect(phone.person.prompts.map(\.reason) == ["Open the diary"])
            phone.person.will(.cancel)
            #expect(read().status == errSecUserCanceled)
            for _ in 0..<2 {
                phone.person.will(.noMatch, times: 2)
                phone.person.will(.giveUp)
                #expect(read().status == errSecAuthFailed)
            }
            phone.person.will(.noMatch)
            #expect(read().status == errSecAuthFailed)
            #expect(read().status == errSecAuthFailed)
            try phone.lock()
            #expect(read().status == errSecInteractionNotAllowed)
            try phone.unlock()
            #expect(read().data == token)
        }
    }

    @Test("A new face destroys the items of the enrolled set, and no others")
    func enrolment() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            #expect(try add("current", [kSecAttrAccessControl: control(.biometryCurrentSet)]) == errSecSuccess)
            #expect(try add("any", [kSecAttrAccessControl: control(.biometryAny)]) == errSecSuccess)
            #expect(add("plain") == errSecSuccess)
            try phone.enrol("second face")
            #expect(read("current").status == errSecItemNotFound)
            #expect(try add("current", [kSecAttrAccessControl: control(.biometryCurrentSet)]) == errSecSuccess)
            for account in ["current", "any", "plain"] { #expect(read(account).data == token) }
        }
    }

    @Test("An item is gone for a search that only looks, too, and can be added again at once")
    func enrolmentWithoutRead() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let protected = [kSecAttrAccessControl: try control(.biometryCurrentSet)] as [CFString: Any]
            #expect(add("ada", protected) == errSecSuccess)
            try phone.enrol("second face")
            #expect(add("ada", protected) == errSecSuccess)
            try phone.enrol("third face", insteadOf: "second face")
            #expect(SecItemCopyMatching(query() as CFDictionary, nil) == errSecItemNotFound)
        }
    }

    @Test("Interaction can be forbidden, by each of the ways")
    func interaction() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let protected = try control(.userPresence)
            #expect(add("ada", [kSecAttrAccessControl: protected]) == errSecSuccess)
            #expect(add("plain") == errSecSuccess)
            let silent = LAContext()
            silent.interactionNotAllowed = true
            let fail = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail] as [CFString: Any]
            for more in [fail, [kSecUseAuthenticationContext: silent]] {
                #expect(read("ada", more).status == errSecInteractionNotAllowed)
                #expect(read("ada", more.merging([kSecReturnData: false]) { $1 }).status == errSecInteractionNotAllowed)
                #expect(read("plain", more).data == token)
            }
            let skip = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip] as [CFString: Any]
            #expect(read("ada", skip).status == errSecItemNotFound)
            #expect(read("plain", skip).data == token)
            #expect(read("ada", [kSecReturnData: false]).status == errSecSuccess)
            #expect(phone.person.prompts.isEmpty)
        }
    }

    @Test("A context that was verified opens items without a prompt until it is invalidated")
    func contexts() async throws {
        let phone = try Phone("iphone-face-id")
        try await phone.use {
            let protected = try control(.biometryAny)
            #expect(add("ada", [kSecAttrAccessControl: protected]) == errSecSuccess)
            let context = LAContext()
            try await context.evaluateAccessControl(protected, operation: .useItem, localizedReason: "Open")
            #expect(phone.person.prompts.count == 1)
            context.interactionNotAllowed = true
            #expect(read("ada", [kSecUseAuthenticationContext: context]).data == token)
            #expect(
                read("ada", [kSecUseAuthenticationContext: context, kSecReturnData: false]).status == errSecSuccess)
            #expect(phone.person.prompts.count == 1)
            context.invalidate()
            #expect(read("ada", [kSecUseAuthenticationContext: context]).status == errSecAuthFailed)

            let fresh = LAContext()
            fresh.localizedReason = "Read the diary"
            #expect(read("ada", [kSecUseAuthenticationContext: fresh]).data == token)
            #expect(phone.person.prompts.last?.reason == "Read the diary")
            let creating = LAContext()
            try await creating.evaluateAccessControl(protected, operation: .createItem, localizedReason: "Store")
            #expect(phone.person.prompts.count == 2)
            phone.person.will(.cancel)
            await #expect(throws: LAError.self) {
                try await creating.evaluateAccessControl(protected, operation: .useItem, localizedReason: "Open")
            }
        }
    }

    @Test("A password of the app opens an item together with its access control")
    func applicationPassword() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let protected = [kSecAttrAccessControl: try control(.applicationPassword)] as [CFString: Any]
            #expect(add("ada", protected) == errSecAuthFailed)
            let right = LAContext()
            #expect(right.setCredential(Data("correct horse".utf8), type: .applicationPassword))
            #expect(right.isCredentialSet(.applicationPassword))
            #expect(add("ada", protected.merging([kSecUseAuthenticationContext: right]) { $1 }) == errSecSuccess)
            #expect(read("ada", [kSecUseAuthenticationContext: right]).data == token)
            #expect(read().status == errSecAuthFailed)
            _ = right.setCredential(nil, type: .applicationPassword)
            #expect(!right.isCredentialSet(.applicationPassword))
        }
    }

    @Test("Availability follows the screen and the passcode")
    func availability() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let classes: [String: CFString] = [
                "unlocked": kSecAttrAccessibleWhenUnlocked, "first": kSecAttrAccessibleAfterFirstUnlock,
                "passcode": kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
            ]
            for (account, accessible) in classes {
                #expect(add(account, [kSecAttrAccessible: accessible]) == errSecSuccess)
            }
            try phone.lock()
            #expect(read("unlocked").status == errSecInteractionNotAllowed)
            #expect(read("first").data == token)
            try phone.reboot()
            #expect(read("first").status == errSecNotAvailable)
            #expect(phone.takeRefusals().map(\.cause) == [.appNotRunning])
            try phone.wake()
            #expect(read("first").status == errSecInteractionNotAllowed)
            try phone.unlock()
            try phone.launch()
            try phone.removePasscode()
            #expect(read("passcode").status == errSecItemNotFound)
            #expect(
                add("passcode", [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly])
                    == errSecAuthFailed)
            #expect(read("unlocked").data == token)
        }
    }

    @Test("Items outlive their app, and move to a new phone as their class says")
    func moves() throws {
        let old = try Phone("iphone-face-id")
        let new = try Phone("iphone-touch-id")
        try old.use {
            #expect(add("moves") == errSecSuccess)
            #expect(add("stays", [kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly]) == errSecSuccess)
            #expect(try add("face", [kSecAttrAccessControl: control(.biometryCurrentSet)]) == errSecSuccess)
            try old.reinstall()
            try old.launch()
            #expect(read("moves").data == token)
        }
        try new.takeOver(from: old)
        try new.launch()
        try new.use {
            #expect(read("moves").data == token)
            for account in ["stays", "face"] { #expect(read(account).status == errSecItemNotFound) }
        }
        #expect(old.isReplaced)
        try old.use { #expect(read("moves").status == errSecItemNotFound) }
    }

    @Test("Apps have their own items")
    func apps() throws {
        let phone = try Phone("iphone-face-id")
        try phone.install("mail")
        try phone.launch("mail")
        try phone.use(app: "mail") { #expect(add() == errSecSuccess) }
        try phone.use { #expect(read().status == errSecItemNotFound) }
        try phone.use(app: "mail") { #expect(read().data == token) }
    }

    @Test(
        "A dictionary that the simulation cannot carry out is errSecParam, and the log says why",
        arguments: [
            ([kSecClass: kSecClassGenericPassword, "kSecAttrColour": "red"], "kSecAttrColour"),
            ([kSecClass: "cert"], "cert"),
            ([kSecAttrAccount: "ada"], "kSecClass"),
            ([kSecClass: kSecClassGenericPassword, kSecAttrAccount: 7], "7"),
            ([kSecClass: kSecClassGenericPassword, kSecAttrServer: "example.com"], "srvr"),
            ([kSecClass: kSecClassGenericPassword, kSecValueData: "text"], "v_Data"),
            ([kSecClass: kSecClassGenericPassword, kSecMatchLimit: "two"], "m_Limit"),
            ([kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll], "m_Limit"),
            ([kSecClass: kSecClassGenericPassword, kSecAttrAccessible: "sometimes"], "pdmn"),
            ([kSecClass: kSecClassGenericPassword, kSecReturnData: "yes"], "r_Data"),
        ] as [([String: any Sendable], String)])
    func wrongDictionaries(attributes: [String: any Sendable], words: String) throws {
        let phone = try Phone("iphone-face-id")
        try phone.use { #expect(SecItemAdd(attributes as CFDictionary, nil) == errSecParam) }
        #expect(
            phone.events.contains { $0.contains("SecItemAdd fails with -50") && $0.contains(words) }, "\(phone.events)")
    }

    @Test("A contradiction, a constraint that the simulation lacks and a missing phone are errors")
    func contradictions() throws {
        let phone = try Phone("iphone-face-id")
        try phone.use {
            let both =
                [
                    kSecAttrAccessControl: try control(.userPresence),
                    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                ] as [CFString: Any]
            #expect(add("ada", both) == errSecParam)
            let key: [CFString: Any] = [kSecClass: kSecClassKey, kSecValueData: token]
            #expect(SecItemAdd(key as CFDictionary, nil) == errSecUnimplemented)
        }
        let wrong: [(CFString, SecAccessControlCreateFlags)] = [
            (kSecAttrAccessibleWhenUnlocked, [.biometryAny, .devicePasscode]),
            (kSecAttrAccessibleWhenUnlocked, [.biometryAny, .and, .devicePasscode]),
            (kSecAttrAccessibleWhenUnlocked, .companion), ("sometimes" as CFString, .userPresence),
        ]
        for (protection, flags) in wrong {
            var error: Unmanaged<CFError>?
            #expect(SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, &error) == nil)
            let found = error?.takeRetainedValue() as? NSError
            #expect(found?.code == Int(errSecParam) && found?.domain == NSOSStatusErrorDomain)
            #expect(found?.localizedDescription.isEmpty == false)
        }
        #expect(
            SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [.biometryAny, .or, .companion], nil)
                != nil)
        #expect(add() == errSecNotAvailable)
        let android = try Phone("pixel-fingerprint")
        try android.use {
            #expect(add() == errSecNotAvailable)
            #expect(android.takeRefusals().first?.sentence.contains("has no Keychain") == true)
        }
        #expect(SecCopyErrorMessageString(errSecItemNotFound, nil) != nil)
    }
}
