internal import PlatformErrors
internal import SimulatedDevice

#if canImport(Security)
public import Foundation
internal import Security
#else
internal import Foundation
#endif

/// The shape of the Keychain, on a simulated phone: `SecItemAdd`, `SecItemCopyMatching`, `SecItemUpdate` and
/// `SecItemDelete`.
///
/// It follows Apple's document: <https://developer.apple.com/documentation/security/keychain-services>. The items are
/// in the phone's secure storage. A dictionary with a key that the simulation does not know results in `errSecParam`,
/// and the phone's ``Phone/events`` name the key.
///
/// The simulation decides where Apple's documents do not: a search without `kSecReturnData` shows no prompt, and with
/// `kSecUseAuthenticationUIFail` it still fails at an item with access control. Access groups are attributes only: an item
/// without one is in the app's own, and each item belongs to one app.
public struct SimulatedKeychain: Sendable {
    private let own: Phone?
    let app: String

    /// The Keychain of the phone in use: ``Phone/current`` at its creation, or else at a call.
    public init() { (own, app) = (Phone.current, Phone.currentApp) }

    /// The Keychain of an app on a phone.
    public init(phone: Phone, app: String = Phone.defaultApp) { (own, self.app) = (phone, app) }

    /// Adds an item, as `SecItemAdd` does.
    @discardableResult
    public func add(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        perform("SecItemAdd") { store throws in
            let request = try KeychainRequest(attributes)
            let finding = try store.phone.wait { try await store.add(request) }
            result?.pointee = request.result([finding])
        }
    }

    /// Finds items, as `SecItemCopyMatching` does; a prompt asks the user if an item's access control requires it.
    @discardableResult
    public func copyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        perform("SecItemCopyMatching") { store throws in
            let request = try KeychainRequest(query)
            let findings = try store.phone.wait { try await store.find(request) }
            result?.pointee = request.result(findings)
        }
    }

    /// Changes items, as `SecItemUpdate` does.
    @discardableResult
    public func update(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
        perform("SecItemUpdate") { store throws in
            let request = try KeychainRequest(query)
            let change = try KeychainRequest(attributesToUpdate, of: request.itemClass)
            try store.phone.wait { try await store.update(request, change) }
        }
    }

    /// Deletes items, as `SecItemDelete` does.
    @discardableResult
    public func delete(_ query: CFDictionary) -> OSStatus {
        perform("SecItemDelete") { store throws in
            let request = try KeychainRequest(query)
            try store.phone.wait { try await store.delete(request) }
        }
    }

    /// The phone in use or the given one; nil for none and for one without Apple's system, which is reported.
    func applePhone(_ call: String) -> Phone? {
        guard let phone = own ?? Phone.current else {
            Phone.reportMissingPhone(call)
            return nil
        }
        guard phone.device.platform.isApple else {
            let refusal = PhoneRefusal("\(phone.title) has no Keychain; choose the profile of an iPhone, iPad or Mac")
            phone.note(KeychainProblem(errSecNotAvailable, phone.noting(refusal).sentence), call)
            return nil
        }
        return phone
    }

    private func perform(_ call: String, _ operation: (KeychainStore) throws -> Void) -> OSStatus {
        guard let phone = applePhone(call) else { return errSecNotAvailable }
        do {
            try operation(KeychainStore(phone: phone, app: app))
            return errSecSuccess
        } catch {
            let problem = phone.keychainProblem(error, during: .read)
            phone.note(problem, call)
            return problem.status
        }
    }
}

extension KeychainRequest {
    /// The result of findings in the form that the request asks for; nil when it asks for none.
    func result(_ findings: [KeychainFinding]) -> CFTypeRef? {
        guard !results.isEmpty else { return nil }
        let values = findings.map(value)
        // A search for several items returns a list, also of one.
        return limit == 1 ? values.first.map(object) : object(values)
    }

    private func value(_ finding: KeychainFinding) -> Any {
        let entry = finding.entry
        let secret = finding.secret.map { Data($0) }
        switch results {
        case .data: return secret ?? Data()
        case .reference: return reference(finding) ?? entry.persistentReference
        case .persistentReference: return entry.persistentReference
        default: break
        }
        var values: [String: Any] = [:]
        if results.contains(.attributes) {
            values = entry.attributes.mapValues(\.object)
            values[kSecClass as String] = entry.itemClass.value
            values[kSecAttrAccessible as String] = entry.accessible.value
            values[kSecAttrAccessControl as String] = entry.accessControl
            values[kSecAttrCreationDate as String] = Date(entry.createdAt)
            values[kSecAttrModificationDate as String] = Date(entry.modifiedAt)
        }
        if results.contains(.data) { values[kSecValueData as String] = secret }
        if results.contains(.reference) { values[kSecValueRef as String] = reference(finding) }
        if results.contains(.persistentReference) {
            values[kSecValuePersistentRef as String] = entry.persistentReference
        }
        return values
    }

    /// The key of an item; nil for a password, whose reference is the persistent one.
    private func reference(_ finding: KeychainFinding) -> SimulatedSecKey? {
        SimulatedSecKey(finding.entry, on: finding.phone, context: context)
    }

    private func object(_ value: Any) -> CFTypeRef {
        #if canImport(Security)
        value as AnyObject
        #else
        value
        #endif
    }
}

extension Date {
    /// A time of the phone's clock.
    fileprivate init(_ time: Duration) { self.init(timeIntervalSince1970: time / .seconds(1)) }
}
