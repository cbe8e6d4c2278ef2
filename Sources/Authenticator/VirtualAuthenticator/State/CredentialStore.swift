internal import COSE
internal import CTAP

/// The credentials on a device: the discoverable ones, those too large for their IDs, and the counters of the ones
/// sealed in their IDs.
///
/// Look-up by ID, relying party and account takes constant time.
struct CredentialStore: Sendable {
    /// The stored credentials, in no order.
    private var credentials: [StoredCredential] = []
    /// Their places in ``credentials``, by ID.
    private var places = ByteTable<Int>()
    private var indexByRelyingPartyID: [String: RelyingPartyIndex] = [:]
    /// The RP IDs by hash; nil until credential management asks, which few devices see.
    private var relyingPartyIDByHash: [[UInt8]: String]?
    /// The counters of credentials sealed in their IDs, by SHA-256 of the ID.
    private(set) var sealedCounters: [[UInt8]: UInt32] = [:]
    private var nextOrder: UInt64 = 1
    private(set) var discoverableCount = 0
    /// Whether changes are recorded for storage.
    let tracksChanges: Bool
    private(set) var unsaved = UnsavedCredentials()

    init(tracksChanges: Bool) { self.tracksChanges = tracksChanges }

    var count: Int { credentials.count }

    var discoverable: [StoredCredential] { all.filter(\.isDiscoverable) }

    /// The stored credentials, oldest first.
    var all: [StoredCredential] { credentials.sorted { $0.creationOrder < $1.creationOrder } }

    var relyingPartyIDs: [String] { indexByRelyingPartyID.keys.sorted() }

    /// The RP ID of a hash; nil without discoverable credentials.
    mutating func relyingPartyID(ofHash hash: [UInt8]) -> String? {
        let known =
            relyingPartyIDByHash
            ?? Dictionary(
                credentials.lazy.filter(\.isDiscoverable).map { ($0.relyingPartyIDHash, $0.relyingPartyID) }
            ) { first, _ in first }
        relyingPartyIDByHash = known
        return known[hash]
    }

    /// The IDs of the discoverable credentials a relying party may use without naming them, oldest first.
    func ids(of relyingPartyID: String, userVerified: Bool) -> ArraySlice<[UInt8]> {
        guard let index = indexByRelyingPartyID[relyingPartyID] else { return [] }
        return userVerified ? index.all : index.open
    }

    func credential(_ id: [UInt8]) -> StoredCredential? { places[id].map { credentials[$0] } }

    func credential(_ id: [UInt8], of relyingPartyID: String) -> StoredCredential? {
        guard let place = places[id], credentials[place].relyingPartyID == relyingPartyID else { return nil }
        return credentials[place]
    }

    /// Whether a new discoverable credential replaces an old one.
    func hasAccount(_ userID: [UInt8], at relyingPartyID: String) -> Bool {
        id(ofAccount: userID, at: relyingPartyID) != nil
    }

    private func id(ofAccount userID: [UInt8], at relyingPartyID: String) -> [UInt8]? {
        indexByRelyingPartyID[relyingPartyID]?.id(ofUser: userID) { self.userID(of: $0) == userID }
    }

    private func userID(of id: [UInt8]) -> [UInt8]? { places[id].map { credentials[$0].user.id } }

    /// Stores a new credential; a discoverable one replaces its account's earlier one.
    mutating func keep(_ credential: consuming StoredCredential) {
        credential.creationOrder = nextOrder
        nextOrder += 1
        let former = credential.isDiscoverable ? id(ofAccount: credential.user.id, at: credential.relyingPartyID) : nil
        if let former {
            replace(former, with: credential)
        } else {
            place(credential)
            if credential.isDiscoverable { index(at: credentials.count - 1, isNewAccount: true) }
        }
        noteChange(of: credential.id)
    }

    private mutating func replace(_ former: [UInt8], with credential: StoredCredential) {
        guard places[credential.id] == nil, let place = places.removeValue(forKey: former) else {
            remove(former)
            self.place(credential)
            return index(at: credentials.count - 1)
        }
        places[credential.id] = place
        let isOpen = Self.isOpen(credential)
        indexByRelyingPartyID[credential.relyingPartyID]?
            .replace(former, with: credential.id, ofUser: credential.user.id, isOpen: isOpen)
        credentials[place] = credential
        noteRemoval(of: former)
    }

    /// Stores and indexes the credentials from storage, in any order.
    mutating func restore(_ stored: [StoredCredential]) {
        places = ByteTable(minimumCapacity: stored.count)
        for place in stored.indices { places[stored[place].id] = place }
        guard places.count == stored.count else {
            // The last one of an ID counts.
            return restore(stored.indices.filter { places[stored[$0].id] == $0 }.map { stored[$0] })
        }
        credentials = stored
        // Sign-in offers the newest account first.
        var newest: UInt64 = 0
        var isSorted = true
        for place in stored.indices {
            if stored[place].creationOrder < newest { isSorted = false }
            newest = max(newest, stored[place].creationOrder)
        }
        let order =
            isSorted
            ? Array(stored.indices)
            : stored.indices.sorted { stored[$0].creationOrder < stored[$1].creationOrder }
        // A table that grows hashes its keys again. The first credentials give an estimate of the number of keys.
        let first = stored.prefix(1024)
        let parties = Set(first.lazy.filter(\.isDiscoverable).map(\.relyingPartyID)).count
        indexByRelyingPartyID.reserveCapacity(stored.count * parties / max(1, first.count))
        for place in order where stored[place].isDiscoverable { index(at: place) }
        if !stored.isEmpty { nextOrder = max(nextOrder, newest &+ 1) }
    }

    /// Stores a credential without indexing it; one with the same ID is replaced.
    private mutating func place(_ credential: StoredCredential) {
        // A new ID, the usual case, needs one look-up.
        if let place = places.updateValue(credentials.count, forKey: credential.id) {
            places[credential.id] = place
            remove(credential.id)
            places[credential.id] = credentials.count
        }
        credentials.append(credential)
    }

    /// Indexes a discoverable credential, the newest of its relying party; `isNewAccount` saves a look-up.
    private mutating func index(at place: Int, isNewAccount: Bool = false) {
        discoverableCount += 1
        let relyingPartyID = credentials[place].relyingPartyID
        relyingPartyIDByHash?[credentials[place].relyingPartyIDHash] = relyingPartyID
        putInIndex(credentials[place], isNewAccount: isNewAccount)
    }

    private mutating func putInIndex(_ credential: StoredCredential, isNewAccount: Bool) {
        let isOpen = Self.isOpen(credential)
        indexByRelyingPartyID[credential.relyingPartyID, default: RelyingPartyIndex()]
            .put(
                credential.id, ofUser: credential.user.id, isOpen: isOpen, isNewAccount: isNewAccount
            ) { [places, credentials] other in
                places[other].map { credentials[$0].user.id }
            }
    }

    private static func isOpen(_ credential: StoredCredential) -> Bool {
        credential.protection.admits(isNamed: false, userVerified: false)
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
        guard let place = places[id] else { return false }
        let credential = credentials[place]
        if credential.isDiscoverable { takeFromIndex(credential) }
        // The last one takes the place.
        let last = credentials.removeLast()
        places[id] = nil
        if last.id != id {
            credentials[place] = last
            places[last.id] = place
        }
        noteRemoval(of: id)
        return true
    }

    private mutating func takeFromIndex(_ credential: StoredCredential) {
        discoverableCount -= 1
        let relyingPartyID = credential.relyingPartyID
        indexByRelyingPartyID[relyingPartyID]?
            .take(credential.id, ofUser: credential.user.id) { [places, credentials] other in
                places[other].map { credentials[$0].creationOrder < credential.creationOrder } ?? false
            }
        guard indexByRelyingPartyID[relyingPartyID]?.all.isEmpty ?? false else { return }
        indexByRelyingPartyID[relyingPartyID] = nil
        relyingPartyIDByHash?[credential.relyingPartyIDHash] = nil
    }

    mutating func setUser(_ user: PublicKeyCredentialUserEntity, id: [UInt8]) { change(id) { $0.user = user } }

    mutating func setLargeBlob(_ blob: LargeBlobExtensionValue, id: [UInt8]) { change(id) { $0.largeBlob = blob } }

    mutating func setBackup(isEligible: Bool, isBackedUp: Bool, id: [UInt8]) {
        change(id) { credential in
            credential.isBackupEligible = isEligible
            credential.isBackedUp = isBackedUp
        }
    }

    mutating func setOwnCounter(_ mode: AuthenticatorConfiguration.CounterMode, value: UInt32, id: [UInt8]) {
        change(id) { credential in
            credential.ownCounter = mode
            credential.signCount = value
        }
    }

    private mutating func change(_ id: [UInt8], _ edit: (inout StoredCredential) -> Void) {
        guard let place = places[id] else { return }
        edit(&credentials[place])
        noteChange(of: id)
    }
}

extension CredentialStore {
    func signCount(of credential: StoredCredential) -> UInt32 {
        places[credential.id].map { credentials[$0].signCount } ?? sealedCounters[sha256(credential.id)] ?? 0
    }

    mutating func setSignCount(_ value: UInt32, of credential: StoredCredential) {
        if places[credential.id] != nil {
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
