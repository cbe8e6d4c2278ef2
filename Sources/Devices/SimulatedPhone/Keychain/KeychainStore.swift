internal import Causes
internal import Foundation
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator

#if canImport(Security)
internal import Security
#endif

/// A result of a search.
struct KeychainFinding: Sendable {
    let phone: Phone
    let entry: KeychainEntry
    /// The secret, if the search asked for it.
    var secret: [UInt8]?
}

/// The Keychain of an app on a phone.
struct KeychainStore: Sendable {
    let phone: Phone
    let app: String

    private var storage: SecureStorage { phone.device.secureStorage }
    private var entries: [KeychainEntry] { phone.keychain.entries(of: app, in: storage) }

    /// Adds a password.
    func add(_ request: KeychainRequest) async throws -> KeychainFinding {
        try phone.refuseForeign(request.context)
        let itemClass = try request.requireClass()
        guard itemClass != .key else {
            throw KeychainProblem(
                errSecUnimplemented,
                "the simulation does not add keys; create one in the Secure Enclave with SecKeyCreateRandomKey")
        }
        try request.refuse(kSecMatchLimit, kSecValueRef, kSecValuePersistentRef)
        try request.refuseChoice()
        let accessible = try request.newAccessible ?? .usual
        let attributes = attributes(request.attributes)
        let identity = KeychainEntry.identity(attributes, of: itemClass)
        for entry in entries where entry.itemClass == itemClass && entry.identity == identity {
            // An item whose key was destroyed is gone.
            _ = await storage.check(entry.id.name, app: app)
        }
        let (id, reference) = try phone.keychain.claimName(
            request.attributes, identity: identity, app: app, class: itemClass, in: storage)
        let secret = Array(request.data ?? Data())
        let entry: KeychainEntry
        do {
            let now = phone.clock.now()
            entry = KeychainEntry(
                id: id, itemClass: itemClass, attributes: attributes, accessible: accessible,
                accessControl: request.accessControl, createdAt: now, modifiedAt: now, persistentReference: reference)
            try entry.requireReach()
            try await store(secret, as: entry, request)
        } catch {
            phone.keychain.release(id)
            throw error
        }
        phone.keychain.put(entry)
        return KeychainFinding(phone: phone, entry: entry, secret: request.results.contains(.data) ? secret : nil)
    }

    /// Finds items, and reads their secrets if the request asks for them.
    func find(_ request: KeychainRequest) async throws -> [KeychainFinding] {
        var found: [KeychainFinding] = []
        var problem = KeychainProblem.notFound
        for entry in try matches(request) {
            if let limit = request.limit, found.count >= limit { break }
            if entry.isProtected, request.prompts == .skip { continue }
            if let cause = await storage.check(entry.id.name, app: app) {
                problem = phone.keychainProblem(DeviceRefusal(cause), during: .read)
                continue
            }
            var finding = KeychainFinding(phone: phone, entry: entry)
            if request.results.contains(.data) {
                finding.secret = try await secret(of: entry, request)
            } else if entry.isProtected, !request.allowsPrompts, !isVerified(request.context) {
                throw KeychainProblem.interactionNotAllowed
            }
            found.append(finding)
        }
        guard !found.isEmpty else { throw problem }
        return found
    }

    /// Changes all items that a request finds.
    func update(_ request: KeychainRequest, _ change: KeychainRequest) async throws {
        try request.refuse(kSecMatchLimit)
        try request.refuseResults()
        try change.allow(only: kSecValueData, kSecAttrAccessible, kSecAttrAccessControl)
        try change.refuseChoice()
        let found = try matches(request)
        guard !found.isEmpty else { throw KeychainProblem.notFound }
        for entry in found {
            var new = entry
            new.attributes.merge(change.attributes) { $1 }
            let accessible = try change.newAccessible
            if let accessible { (new.accessible, new.accessControl) = (accessible, change.accessControl) }
            try new.requireReach()
            try phone.keychain.claimIdentity(of: new)
            do {
                if change.data != nil || accessible != nil {
                    // The simulation decides: a change of a protected secret asks for the user, as reading it does.
                    let secret = try await secret(of: entry, request)
                    try await store(change.data.map { Array($0) } ?? secret, as: new, request)
                } else if let cause = await storage.check(entry.id.name, app: app) {
                    throw phone.keychainProblem(DeviceRefusal(cause), during: .read)
                }
            } catch {
                phone.keychain.release(entry.id)
                throw error
            }
            new.modifiedAt = phone.clock.now()
            phone.keychain.put(new)
        }
    }

    /// Deletes all items that a request finds; no prompt is shown.
    func delete(_ request: KeychainRequest) async throws {
        try request.refuse(kSecMatchLimit)
        guard phone.device.lifeState.apps[app]?.isRunning == true else { throw DeviceRefusal.appNotRunning }
        let found = try matches(request)
        guard !found.isEmpty else { throw KeychainProblem.notFound }
        for entry in found {
            try storage.remove(entry.id.name, app: app)
            phone.keychain.remove(entry)
        }
    }

    /// The attributes of a new item, with the app's group of items where they name none.
    func attributes(_ given: [String: KeychainValue]) -> [String: KeychainValue] {
        given.merging([kSecAttrAccessGroup as String: .text(KeychainEntry.accessGroup(of: app))]) { own, _ in own }
    }

    /// The items that a request describes, oldest first.
    private func matches(_ request: KeychainRequest) throws(KeychainProblem) -> [KeychainEntry] {
        try phone.refuseForeign(request.context)
        let itemClass: KeychainClass?
        // A reference names its item.
        if request.persistentReference == nil, request.key == nil {
            itemClass = try request.requireClass()
        } else {
            itemClass = request.itemClass
        }
        try request.refuse(kSecValueData)
        return entries.filter { entry in
            (itemClass == nil || entry.itemClass == itemClass) && request.describes(entry)
        }
    }

    /// Reads a secret, with a prompt where its access control asks for one.
    private func secret(of entry: KeychainEntry, _ request: KeychainRequest) async throws -> [UInt8] {
        guard entry.itemClass != .key else {
            throw KeychainProblem(
                errSecUnimplemented, "a key of the Secure Enclave cannot be read; ask for its reference")
        }
        let use = try phone.use(of: request.context, allowsPrompts: request.allowsPrompts)
        return try await phone.person.seeing(phone.sheet(app, request)) {
            await storage.read(entry.id.name, app: app, with: use)
        }.get()
    }

    private func store(_ secret: [UInt8], as entry: KeychainEntry, _ request: KeychainRequest) async throws {
        let control = entry.accessControl
        var password: String?
        if control?.needsPassword == true {
            password = request.context?.password
            guard password != nil else {
                throw KeychainProblem(
                    errSecAuthFailed,
                    "the item needs the app's password; set it on the context with setCredential(_:type:)")
            }
        }
        do {
            try await storage.store(
                secret, as: entry.id.name, app: app, protection: SecureStorage.Protection(entry), password: password)
        } catch {
            throw phone.keychainProblem(error, during: .store)
        }
    }

    /// Whether a context has verified the user, so that no prompt is needed.
    private func isVerified(_ context: SimulatedLAContext?) -> Bool {
        context.map { phone.device.hasContext($0.id.name, app: app) } ?? false
    }
}

extension SecureStorage.Protection {
    init(_ entry: KeychainEntry) {
        self.init(
            entry.accessControl?.access ?? .none, entry.accessible.accessibility, migrates: entry.accessible.migrates)
    }
}

extension Phone {
    /// The use of an item with a context.
    func use(of context: SimulatedLAContext?, allowsPrompts: Bool) throws -> SecretUse {
        var use = SecretUse()
        use.allowsInteraction = allowsPrompts
        guard let context else { return use }
        try refuseForeign(context)
        guard !context.isInvalid else { throw DeviceRefusal.contextInvalid }
        use.context = context.id.name
        use.password = context.password
        use.reuseSeconds = context.reuseSeconds
        return use
    }

    /// Refuses a context of another phone, which can verify no user of this one.
    func refuseForeign(_ context: SimulatedLAContext?) throws(KeychainProblem) {
        guard let owner = context?.phone, owner !== self else { return }
        throw .query("the LAContext belongs to another phone, \(owner.title); make a context on this phone")
    }

    /// The texts of a prompt of the Keychain.
    func sheet(_ app: String, _ request: KeychainRequest) -> PromptSheet {
        PromptSheet(
            app: app, reason: request.reason ?? request.context?.localizedReason ?? "",
            fallbackTitle: request.context?.localizedFallbackTitle, cancelTitle: request.context?.localizedCancelTitle)
    }
}
