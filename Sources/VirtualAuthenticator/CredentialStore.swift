internal import CTAP

/// The discoverable credentials of a device, and the counters of the others.
struct CredentialStore: Sendable {
    private(set) var discoverable: [StoredCredential] = []
    /// Counters of credentials that live in their IDs, by SHA-256 of the ID.
    private var sealedCounters: [[UInt8]: UInt32] = [:]
    private var nextOrder: UInt64 = 1

    mutating func takeOrder() -> UInt64 {
        defer { nextOrder += 1 }
        return nextOrder
    }

    /// The discoverable credentials of a relying party, newest first (CTAP 2.3 §6.2.2 step 12).
    func credentials(of relyingPartyID: String) -> [StoredCredential] {
        discoverable.filter { $0.relyingPartyID == relyingPartyID }.sorted { $0.creationOrder > $1.creationOrder }
    }

    func credential(_ id: [UInt8], of relyingPartyID: String) -> StoredCredential? {
        discoverable.first { $0.id == id && $0.relyingPartyID == relyingPartyID }
    }

    /// The place of the credential a new one for this account would overwrite.
    func indexOfAccount(_ userID: [UInt8], at relyingPartyID: String) -> Int? {
        discoverable.firstIndex { $0.relyingPartyID == relyingPartyID && $0.user.id == userID }
    }

    /// Keeps a discoverable credential in place of the one its account had.
    mutating func keep(_ credential: StoredCredential) {
        if let index = indexOfAccount(credential.user.id, at: credential.relyingPartyID) {
            discoverable[index] = credential
        } else {
            discoverable.append(credential)
        }
    }

    @discardableResult
    mutating func remove(_ id: [UInt8]) -> Bool {
        let count = discoverable.count
        discoverable.removeAll { $0.id == id }
        return discoverable.count < count
    }

    func signCount(of credential: StoredCredential) -> UInt32 {
        credential.isDiscoverable
            ? discoverable.first { $0.id == credential.id }?.signCount ?? credential.signCount
            : sealedCounters[sha256(credential.id)] ?? credential.signCount
    }

    mutating func setSignCount(_ value: UInt32, of credential: StoredCredential) {
        if credential.isDiscoverable, let index = discoverable.firstIndex(where: { $0.id == credential.id }) {
            discoverable[index].signCount = value
        } else {
            sealedCounters[sha256(credential.id)] = value
        }
    }

    mutating func setBackedUp(_ value: Bool, id: [UInt8]) {
        guard let index = discoverable.firstIndex(where: { $0.id == id }) else { return }
        discoverable[index].isBackedUp = value && discoverable[index].isBackupEligible
    }
}
