internal import COSE
internal import CTAP

/// The credentials on a device: the discoverable ones, those too large for their IDs, and the counters of the ones
/// sealed in their IDs.
///
/// Look-up by ID, relying party and account takes constant time.
struct CredentialStore: Sendable {
    /// The stored credentials, by ID.
    private var byID: [[UInt8]: StoredCredential] = [:]
    /// The IDs of the discoverable ones, by RP ID.
    private var indexByRelyingPartyID: [String: RelyingPartyIndex] = [:]
    private var relyingPartyIDByHash: [[UInt8]: String] = [:]
    private var idByAccount: [Account: [UInt8]] = [:]
    /// The counters of credentials sealed in their IDs, by SHA-256 of the ID.
    private(set) var sealedCounters: [[UInt8]: UInt32] = [:]
    private var nextOrder: UInt64 = 1
    private(set) var discoverableCount = 0
    /// Whether changes are recorded for storage.
    let tracksChanges: Bool
    /// The changes not yet in storage.
    private(set) var unsaved = UnsavedCredentials()

    init(tracksChanges: Bool) {
        self.tracksChanges = tracksChanges
    }

    /// The discoverable credentials of one relying party, oldest first.
    private struct RelyingPartyIndex {
        var all: [[UInt8]] = []
        /// The credentials visible without user verification.
        var open: [[UInt8]] = []

        mutating func put(_ id: [UInt8], isOpen: Bool) {
            all.append(id)
            if isOpen { open.append(id) }
        }

        /// - Parameter isOlder: whether a credential is older than the one to take.
        mutating func take(_ id: [UInt8], isOlder: ([UInt8]) -> Bool) {
            Self.take(id, from: &all, isOlder: isOlder)
            Self.take(id, from: &open, isOlder: isOlder)
        }

        private static func take(_ id: [UInt8], from ids: inout [[UInt8]], isOlder: ([UInt8]) -> Bool) {
            var (low, high) = (0, ids.count)
            while low < high {
                let middle = (low + high) / 2
                if isOlder(ids[middle]) { low = middle + 1 } else { high = middle }
            }
            if low < ids.count, ids[low] == id { ids.remove(at: low) }
        }
    }

    private struct Account: Hashable {
        let relyingPartyID: String
        let userID: [UInt8]
    }

    /// The number of stored credentials.
    var count: Int { byID.count }

    /// The discoverable credentials, oldest first.
    var discoverable: [StoredCredential] {
        byID.values.filter(\.isDiscoverable).sorted { $0.creationOrder < $1.creationOrder }
    }

    /// The stored credentials, oldest first.
    var all: [StoredCredential] { byID.values.sorted { $0.creationOrder < $1.creationOrder } }

    /// The RP IDs that have discoverable credentials, in alphabetical order.
    var relyingPartyIDs: [String] { indexByRelyingPartyID.keys.sorted() }

    /// The RP ID of a hash; nil without discoverable credentials.
    func relyingPartyID(ofHash hash: [UInt8]) -> String? { relyingPartyIDByHash[hash] }

    /// The IDs of the discoverable credentials a relying party may use without naming them, oldest first.
    func ids(of relyingPartyID: String, userVerified: Bool) -> ArraySlice<[UInt8]> {
        guard let index = indexByRelyingPartyID[relyingPartyID] else { return [] }
        return (userVerified ? index.all : index.open)[...]
    }

    func credential(_ id: [UInt8]) -> StoredCredential? { byID[id] }

    func credential(_ id: [UInt8], of relyingPartyID: String) -> StoredCredential? {
        guard let credential = byID[id], credential.relyingPartyID == relyingPartyID else { return nil }
        return credential
    }

    /// Whether a new discoverable credential replaces an old one.
    func hasAccount(_ userID: [UInt8], at relyingPartyID: String) -> Bool {
        idByAccount[Account(relyingPartyID: relyingPartyID, userID: userID)] != nil
    }

    /// Stores a new credential; a discoverable one replaces its account's earlier one.
    mutating func keep(_ credential: StoredCredential) {
        var credential = credential
        credential.creationOrder = nextOrder
        nextOrder += 1
        if let former = insert(credential) {
            byID[former] = nil
            discoverableCount -= 1
            noteRemoval(of: former)
        }
        noteChange(of: credential.id)
    }

    /// Indexes the credentials from storage, in any order.
    mutating func restore(_ credentials: [StoredCredential]) {
        // Growing the indices step by step takes longer than filling them.
        byID.reserveCapacity(credentials.count)
        idByAccount.reserveCapacity(credentials.count)
        let relyingParties = Set(credentials.lazy.filter(\.isDiscoverable).map(\.relyingPartyID)).count
        indexByRelyingPartyID.reserveCapacity(relyingParties)
        relyingPartyIDByHash.reserveCapacity(relyingParties)
        // Sign-in offers the newest account first.
        let indices = credentials.indices.sorted { credentials[$0].creationOrder < credentials[$1].creationOrder }
        for index in indices { insert(credentials[index]) }
        if let newest = indices.last { nextOrder = max(nextOrder, credentials[newest].creationOrder &+ 1) }
    }

    /// - Returns: the ID of the account's earlier credential, which is no longer indexed.
    @discardableResult
    private mutating func insert(_ credential: StoredCredential) -> [UInt8]? {
        byID[credential.id] = credential
        guard credential.isDiscoverable else { return nil }
        discoverableCount += 1
        let account = Account(relyingPartyID: credential.relyingPartyID, userID: credential.user.id)
        let former = idByAccount.updateValue(credential.id, forKey: account)
        if former == nil { relyingPartyIDByHash[credential.relyingPartyIDHash] = credential.relyingPartyID }
        if let former { takeFromIndex(former) }
        let isOpen = credential.protection.admits(isNamed: false, userVerified: false)
        indexByRelyingPartyID[credential.relyingPartyID, default: RelyingPartyIndex()].put(
            credential.id, isOpen: isOpen)
        return former
    }

    private mutating func takeFromIndex(_ id: [UInt8]) {
        guard let credential = byID[id] else { return }
        indexByRelyingPartyID[credential.relyingPartyID]?.take(id) { [byID] other in
            byID[other].map { $0.creationOrder < credential.creationOrder } ?? false
        }
    }

    private mutating func noteChange(of id: [UInt8]) {
        if tracksChanges { unsaved.changed.insert(id) }
    }

    private mutating func noteRemoval(of id: [UInt8]) {
        guard tracksChanges else { return }
        unsaved.changed.remove(id)
        unsaved.removed.insert(id)
    }

    @discardableResult
    mutating func remove(_ id: [UInt8]) -> Bool {
        takeFromIndex(id)
        guard let credential = byID.removeValue(forKey: id) else { return false }
        noteRemoval(of: id)
        guard credential.isDiscoverable else { return true }
        discoverableCount -= 1
        idByAccount[Account(relyingPartyID: credential.relyingPartyID, userID: credential.user.id)] = nil
        if indexByRelyingPartyID[credential.relyingPartyID]?.all.isEmpty ?? false {
            indexByRelyingPartyID[credential.relyingPartyID] = nil
            relyingPartyIDByHash[credential.relyingPartyIDHash] = nil
        }
        return true
    }

    mutating func setUser(_ user: PublicKeyCredentialUserEntity, id: [UInt8]) {
        change(id) { $0.user = user }
    }

    mutating func setLargeBlob(_ blob: LargeBlobExtensionValue, id: [UInt8]) {
        change(id) { $0.largeBlob = blob }
    }

    mutating func setBackup(isEligible: Bool, isBackedUp: Bool, id: [UInt8]) {
        change(id) { credential in
            credential.isBackupEligible = isEligible
            credential.isBackedUp = isBackedUp && isEligible
        }
    }

    mutating func setOwnCounter(_ mode: AuthenticatorConfiguration.CounterMode, value: UInt32, id: [UInt8]) {
        change(id) { credential in
            credential.ownCounter = mode
            credential.signCount = value
        }
    }

    private mutating func change(_ id: [UInt8], _ edit: (inout StoredCredential) -> Void) {
        guard let index = byID.index(forKey: id) else { return }
        edit(&byID.values[index])
        noteChange(of: id)
    }
}

extension CredentialStore {
    func signCount(of credential: StoredCredential) -> UInt32 {
        byID[credential.id]?.signCount ?? sealedCounters[sha256(credential.id)] ?? 0
    }

    mutating func setSignCount(_ value: UInt32, of credential: StoredCredential) {
        if byID[credential.id] != nil {
            change(credential.id) { $0.signCount = value }
        } else {
            let key = sha256(credential.id)
            sealedCounters[key] = value
            if tracksChanges { unsaved.counters.insert(key) }
        }
    }

    mutating func restoreSealedCounters(_ counters: [[UInt8]: UInt32]) { sealedCounters = counters }

    mutating func markUnsaved(_ id: [UInt8]) { noteChange(of: id) }
    mutating func markCountersUnsaved() { unsaved.counters = Set(sealedCounters.keys) }

    mutating func markSaved() {
        if !unsaved.isEmpty { unsaved = UnsavedCredentials() }
    }
}

/// The changes to the credentials since the last write.
struct UnsavedCredentials: Sendable {
    var changed: Set<[UInt8]> = []
    var removed: Set<[UInt8]> = []
    /// Keys of ``CredentialStore/sealedCounters``.
    var counters: Set<[UInt8]> = []

    var isEmpty: Bool { changed.isEmpty && removed.isEmpty && counters.isEmpty }
}
