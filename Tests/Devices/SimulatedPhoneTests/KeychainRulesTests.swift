import Foundation
import SimulatedAppleNames
import Testing

@testable import SimulatedPhone

@Suite("Rules of the Keychain")
struct KeychainRulesTests {
    private func item(_ account: String, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: "diary"].merging(more) { $1 }
    }

    @Test("A change returns nothing, and refuses to")
    func resultsOfChanges() throws {
        let change = [kSecAttrLabel: "Diary"] as CFDictionary
        try Phone("iphone-face-id").use {
            #expect(SecItemAdd(item("ada") as CFDictionary, nil) == errSecSuccess)
            for result in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
                #expect(SecItemUpdate(item("ada", [result: true]) as CFDictionary, change) == errSecParam)
            }
            #expect(SecItemUpdate(item("ada", [kSecReturnData: false]) as CFDictionary, change) == errSecSuccess)
        }
    }

    @Test("An item without a group is in the app's own")
    func accessGroups() throws {
        func group(_ query: [CFString: Any]) -> String? {
            var found: CFTypeRef?
            SecItemCopyMatching(query.merging([kSecReturnAttributes: true]) { $1 } as CFDictionary, &found)
            return (found as? [String: Any])?[kSecAttrAccessGroup as String] as? String
        }
        let phone = try Phone("iphone-face-id")
        try phone.use {
            #expect(SecItemAdd(item("ada") as CFDictionary, nil) == errSecSuccess)
            let own = try #require(group(item("ada")))
            #expect(own == "TOUCHSTONE.\(Phone.defaultApp)")
            #expect(group(item("ada", [kSecAttrAccessGroup: own])) == own)
            #expect(group(item("ada", [kSecAttrAccessGroup: "TOUCHSTONE.shared"])) == nil)
            // The same item, and another one.
            #expect(SecItemAdd(item("ada", [kSecAttrAccessGroup: own]) as CFDictionary, nil) == errSecDuplicateItem)
            #expect(
                SecItemAdd(item("ada", [kSecAttrAccessGroup: "TOUCHSTONE.shared"]) as CFDictionary, nil)
                    == errSecSuccess)
        }
        #expect(phone.events.contains { $0.contains("stores diary ada,") })
    }

    @Test("An item of all devices does not stay on one, and is one item")
    func synchronizable() throws {
        try Phone("iphone-face-id").use {
            let wrong: [[CFString: Any]] = [
                [kSecAttrSynchronizable: true, kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly],
                [kSecAttrSynchronizable: true, kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly],
                [kSecAttrSynchronizable: kSecAttrSynchronizableAny],
            ]
            for more in wrong { #expect(SecItemAdd(item("ada", more) as CFDictionary, nil) == errSecParam) }
            let right: [CFString: Any] = [
                kSecAttrSynchronizable: true, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
            ]
            #expect(SecItemAdd(item("ada", right) as CFDictionary, nil) == errSecSuccess)
            let query = item("ada", [kSecAttrSynchronizable: kSecAttrSynchronizableAny])
            for more in wrong.map({ $0.filter { $0.key != kSecAttrSynchronizable || $0.value is String } }) {
                #expect(SecItemUpdate(query as CFDictionary, more as CFDictionary) == errSecParam)
            }
        }
    }

    @Test("Items that moved to a new phone, and those that were there, have references of their own")
    func references() throws {
        func add(_ account: String, on phone: Phone) throws -> Data {
            var reference: CFTypeRef?
            let attributes = item(account, [kSecReturnPersistentRef: true]) as CFDictionary
            #expect(SimulatedKeychain(phone: phone).add(attributes, &reference) == errSecSuccess)
            return try #require(reference as? Data)
        }
        func account(_ reference: Data, on phone: Phone) -> String? {
            var found: CFTypeRef?
            let query: [CFString: Any] = [kSecValuePersistentRef: reference, kSecReturnAttributes: true]
            SimulatedKeychain(phone: phone).copyMatching(query as CFDictionary, &found)
            return (found as? [String: Any])?[kSecAttrAccount as String] as? String
        }
        let (old, new) = (try Phone("iphone-face-id"), try Phone("iphone-face-id"))
        var references: [String: Data] = [:]
        for name in ["ada", "grace"] { references[name] = try add(name, on: old) }
        let own = try add("alan", on: new)
        try new.takeOver(from: old)
        try new.launch()
        #expect(account(own, on: new) == "alan")
        #expect(account(try #require(references["grace"]), on: new) == "grace")
        let later = try add("edsger", on: new)
        #expect(account(later, on: new) == "edsger")
        var found: CFTypeRef?
        let all: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnPersistentRef: true,
        ]
        #expect(SimulatedKeychain(phone: new).copyMatching(all as CFDictionary, &found) == errSecSuccess)
        let kept = try #require(found as? [Data])
        #expect(kept.count == 4 && Set(kept).count == 4)
    }

    @Test("Of two additions of an item at once, one succeeds")
    func concurrentAdditions() async throws {
        let phone = try Phone("iphone-face-id")
        let store = KeychainStore(phone: phone, app: Phone.defaultApp)
        let request = try KeychainRequest(item("ada") as CFDictionary)
        let (first, second) = try await phone.run {
            async let first = Result { try await store.add(request) }
            async let second = Result { try await store.add(request) }
            return await (first, second)
        }
        let problems = [first, second].compactMap { result in
            if case .failure(let error) = result { error as? KeychainProblem } else { nil }
        }
        #expect(problems == [.duplicate])
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
