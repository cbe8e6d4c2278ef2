internal import CBOR
internal import COSE
internal import CTAP

extension StoredCredential {
    /// The members of the encoded form; the numbers are constant, because they are on disk and in credential IDs.
    private enum Member {
        static let algorithm = 1, privateKey = 2, isBackupEligible = 3, isBackedUp = 4, protection = 5
        static let allowsThirdPartyPayment = 6
        static let id = 7, relyingPartyID = 8, relyingPartyIDHash = 9, user = 10, isDiscoverable = 11
        static let creationOrder = 12, signCount = 13, credBlob = 14, largeBlobKey = 15, largeBlob = 16,
            largeBlobSize = 17, ownCounter = 18, secretWithUV = 19, secretWithoutUV = 20
        static let count = 20
    }

    /// The content of a sealed ID: everything a later request with this ID does not state.
    var sealedContent: CBOR.Map {
        var map = CBOR.Map(minimumCapacity: Member.count)
        map.append(Member.algorithm, .integer(privateKey.algorithm.rawValue))
        map.append(Member.privateKey, .bytes(privateKey.rawRepresentation))
        map.append(Member.isBackupEligible, .bool(isBackupEligible))
        map.append(Member.isBackedUp, .bool(isBackedUp))
        if protection != .userVerificationOptional { map.append(Member.protection, .integer(protection.rawValue)) }
        if allowsThirdPartyPayment { map.append(Member.allowsThirdPartyPayment, true) }
        return map
    }

    /// The whole credential as a CBOR map, private key included: the form in storage.
    public var encoded: [UInt8] {
        var map = sealedContent
        map.append(Member.id, .bytes(id))
        map.append(Member.relyingPartyID, .text(relyingPartyID))
        map.append(Member.relyingPartyIDHash, .bytes(relyingPartyIDHash))
        map.append(Member.user, user.cbor)
        map.append(Member.isDiscoverable, .bool(isDiscoverable))
        map.append(Member.creationOrder, .unsigned(creationOrder))
        map.append(Member.signCount, .unsigned(UInt64(signCount)))
        if let credBlob { map.append(Member.credBlob, .bytes(credBlob)) }
        if let largeBlobKey { map.append(Member.largeBlobKey, .bytes(largeBlobKey)) }
        if let largeBlob {
            map.append(Member.largeBlob, .bytes(largeBlob.data))
            map.append(Member.largeBlobSize, .integer(largeBlob.originalSize))
        }
        if let ownCounter { map.append(Member.ownCounter, .text(ownCounter.rawValue)) }
        if let hmacSecrets {
            map.append(Member.secretWithUV, .bytes(hmacSecrets.withUV))
            map.append(Member.secretWithoutUV, .bytes(hmacSecrets.withoutUV))
        }
        return CBOR.encode(.map(map))
    }

    /// Reads the form of ``encoded``; nil for anything else.
    public init?(encoded: [UInt8]) {
        guard case .map(let map)? = try? CBOR.decode(encoded), case .bytes(let id)? = map[Member.id],
            case .text(let relyingPartyID)? = map[Member.relyingPartyID],
            case .bytes(let hash)? = map[Member.relyingPartyIDHash], let account = map[Member.user],
            let user = try? PublicKeyCredentialUserEntity(cbor: account),
            case .bool(let isDiscoverable)? = map[Member.isDiscoverable],
            case .unsigned(let order)? = map[Member.creationOrder],
            case .unsigned(let count)? = map[Member.signCount], let signCount = UInt32(exactly: count)
        else { return nil }
        self.init(
            sealedContent: map, id: id, relyingPartyID: relyingPartyID, relyingPartyIDHash: hash, user: user,
            isDiscoverable: isDiscoverable)
        creationOrder = order
        self.signCount = signCount
        if case .bytes(let blob)? = map[Member.credBlob] { credBlob = blob }
        if case .bytes(let key)? = map[Member.largeBlobKey] { largeBlobKey = key }
        if case .bytes(let data)? = map[Member.largeBlob],
            let size = try? map[Member.largeBlobSize]?.asUnsigned("largeBlobSize")
        {
            largeBlob = LargeBlobExtensionValue(data: data, originalSize: size)
        }
        if case .text(let mode)? = map[Member.ownCounter] { ownCounter = .init(rawValue: mode) }
        if case .bytes(let withUV)? = map[Member.secretWithUV],
            case .bytes(let withoutUV)? = map[Member.secretWithoutUV]
        {
            hmacSecrets = HMACSecrets(withUV: withUV, withoutUV: withoutUV)
        }
    }

    /// The ID and the hash of the RP ID in the form of ``encoded``, without reading the key; nil for anything else.
    static func names(encoded: [UInt8]) -> (id: [UInt8], relyingPartyIDHash: [UInt8])? {
        guard case .map(let map)? = try? CBOR.decode(encoded), case .bytes(let id)? = map[Member.id],
            case .bytes(let hash)? = map[Member.relyingPartyIDHash]
        else { return nil }
        return (id, hash)
    }

    init?(
        sealedContent map: CBOR.Map, id: [UInt8], relyingPartyID: String, relyingPartyIDHash: [UInt8],
        user: PublicKeyCredentialUserEntity = PublicKeyCredentialUserEntity(id: []), isDiscoverable: Bool = false
    ) {
        guard let algorithm = try? map[Member.algorithm]?.asInteger("alg"),
            case .bytes(let raw)? = map[Member.privateKey],
            case .bool(let isBackupEligible)? = map[Member.isBackupEligible],
            case .bool(let isBackedUp)? = map[Member.isBackedUp],
            let privateKey = try? COSE.PrivateKey(
                algorithm: COSE.Algorithm(rawValue: algorithm), rawRepresentation: raw)
        else { return nil }
        let level = (try? map[Member.protection]?.asUnsigned("protection")).flatMap(CredentialProtection.init)
        self.init(
            id: id, relyingPartyID: relyingPartyID, relyingPartyIDHash: relyingPartyIDHash, user: user,
            isDiscoverable: isDiscoverable, isBackupEligible: isBackupEligible, isBackedUp: isBackedUp,
            protection: level ?? .userVerificationOptional, privateKey: privateKey)
        allowsThirdPartyPayment = map[Member.allowsThirdPartyPayment] == true
    }
}

extension CBOR.Map {
    fileprivate mutating func append(_ member: Int, _ value: CBOR.Value) { append(.integer(member), value) }
}
