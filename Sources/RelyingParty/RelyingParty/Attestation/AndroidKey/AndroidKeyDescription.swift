internal import SwiftASN1

/// The key attestation extension of Android's certificates (WebAuthn L3 §8.4.1; Android's "KeyDescription").
///
/// ```
/// KeyDescription ::= SEQUENCE {
///     attestationVersion INTEGER, attestationSecurityLevel ENUMERATED,
///     keymasterVersion INTEGER, keymasterSecurityLevel ENUMERATED,
///     attestationChallenge OCTET STRING, uniqueId OCTET STRING,
///     softwareEnforced AuthorizationList, teeEnforced AuthorizationList }
/// ```
struct AndroidKeyDescription {
    static let oid: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]
    /// KM_ORIGIN_GENERATED.
    static let generated = 0
    /// KM_PURPOSE_SIGN.
    static let sign = 2

    let challenge: [UInt8]
    let softwareEnforced: AuthorizationList
    let trustedEnvironmentEnforced: AuthorizationList

    /// The uses of the key allowed by one enforcer.
    ///
    /// ```
    /// AuthorizationList ::= SEQUENCE {
    ///     purpose [1] EXPLICIT SET OF INTEGER OPTIONAL, …,
    ///     allApplications [600] EXPLICIT NULL OPTIONAL, …,
    ///     origin [702] EXPLICIT INTEGER OPTIONAL, … }
    /// ```
    struct AuthorizationList {
        private(set) var purposes: [Int]?
        private(set) var allApplications = false
        private(set) var origin: Int?

        init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
            guard let node = nodes.next() else {
                throw ASN1Error.invalidASN1Object(reason: "an authorization list is missing")
            }
            self = try DER.sequence(node, identifier: .sequence) { nodes in
                var list = AuthorizationList()
                while let node = nodes.next() { try list.take(node) }
                return list
            }
        }

        private init() {}

        private mutating func take(_ node: ASN1Node) throws {
            guard node.identifier.tagClass == .contextSpecific else {
                throw ASN1Error.invalidASN1Object(reason: "an authorization has no tag of its own")
            }
            switch node.identifier.tagNumber {
            case 1:
                purposes = try DER.explicitlyTagged(node, tagNumber: 1, tagClass: .contextSpecific) {
                    try DER.set(of: Int.self, identifier: .set, rootNode: $0)
                }
            case 600: allApplications = true
            case 702:
                origin = try DER.explicitlyTagged(node, tagNumber: 702, tagClass: .contextSpecific) {
                    try Int(derEncoded: $0)
                }
            default: break
            }
        }
    }
}

extension AndroidKeyDescription {
    init(der: [UInt8]) throws {
        self = try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
            _ = try Int(derEncoded: &nodes)
            try Self.skipEnumerated(&nodes)
            _ = try Int(derEncoded: &nodes)
            try Self.skipEnumerated(&nodes)
            let challenge = try ASN1OctetString(derEncoded: &nodes)
            _ = try ASN1OctetString(derEncoded: &nodes)
            return AndroidKeyDescription(
                challenge: Array(challenge.bytes), softwareEnforced: try AuthorizationList(&nodes),
                trustedEnvironmentEnforced: try AuthorizationList(&nodes))
        }
    }

    private static func skipEnumerated(_ nodes: inout ASN1NodeCollection.Iterator) throws {
        guard let node = nodes.next(), node.identifier == .enumerated else {
            throw ASN1Error.invalidASN1Object(reason: "a security level is missing")
        }
    }
}
