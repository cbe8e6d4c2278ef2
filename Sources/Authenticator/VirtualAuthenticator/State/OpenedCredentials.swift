/// The credentials that were opened from their IDs last.
///
/// Opening one costs as much as the signature that follows, most of it for the key.
struct OpenedCredentials {
    private static let capacity = 32

    private var sealingKey: [UInt8] = []
    private var byID: [[UInt8]: StoredCredential] = [:]

    /// The credential sealed in an ID; nil where it was not sealed under this key for this relying party.
    mutating func open(
        _ id: [UInt8], relyingPartyID: String, relyingPartyIDHash: [UInt8], under key: [UInt8]
    ) -> StoredCredential? {
        if key != sealingKey { (sealingKey, byID) = (key, [:]) }
        if let known = byID[id], known.relyingPartyID == relyingPartyID { return known }
        guard
            let opened = SealedCredential.open(
                id, relyingPartyID: relyingPartyID, relyingPartyIDHash: relyingPartyIDHash, under: key)
        else { return nil }
        if byID.count >= Self.capacity { byID = [:] }
        byID[id] = opened
        return opened
    }
}
