internal import CTAP

/// The structures that several commands use.
extension Shape {
    static let user = members(
        MapMember.list(PublicKeyCredentialUserEntity.members, [PublicKeyCredentialUserEntity.Key.id: .bytes]))

    static let descriptor = members(
        MapMember.list(PublicKeyCredentialDescriptor.members, [PublicKeyCredentialDescriptor.Key.id: .bytes]))

    /// A COSE key (RFC 9052 §7, RFC 9053 §7, RFC 8230 §4); its private parts are secret.
    static let coseKey = selected(
        by: .member(1),
        [
            1: key([MapMember(-1, "crv", curve), MapMember(-2, "x", .bytes), MapMember(-4, "d", .secret)]),
            2: key([
                MapMember(-1, "crv", curve), MapMember(-2, "x", .bytes), MapMember(-3, "y", .bytes),
                MapMember(-4, "d", .secret),
            ]),
            3: key(
                [MapMember(-1, "n", .bytes), MapMember(-2, "e", .bytes)]
                    + zip(-12...(-3), ["t_i", "d_i", "r_i", "other", "qInv", "dQ", "dP", "q", "p", "d"])
                    .map { MapMember($0, $1, .secret) }),
            4: key([MapMember(-1, "k", .secret)]),
            7: key([MapMember(-1, "pub", .bytes), MapMember(-2, "priv", .secret)]),
        ])

    private static func key(_ parameters: [MapMember]) -> Shape {
        members(
            [
                MapMember(1, "kty", .integer([1: "OKP", 2: "EC2", 3: "RSA", 4: "Symmetric", 7: "AKP"])),
                MapMember(3, "alg", .algorithm),
            ] + parameters)
    }

    private static let curve = integer([
        1: "P-256", 2: "P-384", 3: "P-521", 4: "X25519", 5: "X448", 6: "Ed25519", 7: "Ed448", 8: "secp256k1",
    ])
}
