internal import CTAP

/// The structures that several commands use.
extension Shape {
    /// PublicKeyCredentialUserEntity.
    static let user = members(
        Member.list(PublicKeyCredentialUserEntity.members, [PublicKeyCredentialUserEntity.Key.id: .bytes]))

    /// PublicKeyCredentialDescriptor.
    static let descriptor = members(
        Member.list(PublicKeyCredentialDescriptor.members, [PublicKeyCredentialDescriptor.Key.id: .bytes]))

    /// A COSE key (RFC 9052 §7, RFC 9053 §7, RFC 8230 §4); its private parts are secret.
    static let coseKey = selected(
        by: .member(1),
        [
            1: key([Member(-1, "crv", curve), Member(-2, "x", .bytes), Member(-4, "d", .secret)]),
            2: key([
                Member(-1, "crv", curve), Member(-2, "x", .bytes), Member(-3, "y", .bytes), Member(-4, "d", .secret),
            ]),
            3: key(
                [Member(-1, "n", .bytes), Member(-2, "e", .bytes)]
                    + zip(-12...(-3), ["t_i", "d_i", "r_i", "other", "qInv", "dQ", "dP", "q", "p", "d"])
                    .map { Member($0, $1, .secret) }),
            4: key([Member(-1, "k", .secret)]),
            7: key([Member(-1, "pub", .bytes), Member(-2, "priv", .secret)]),
        ])

    private static func key(_ parameters: [Member]) -> Shape {
        members(
            [
                Member(1, "kty", .integer([1: "OKP", 2: "EC2", 3: "RSA", 4: "Symmetric", 7: "AKP"])),
                Member(3, "alg", .algorithm),
            ] + parameters)
    }

    private static let curve = integer([
        1: "P-256", 2: "P-384", 3: "P-521", 4: "X25519", 5: "X448", 6: "Ed25519", 7: "Ed448", 8: "secp256k1",
    ])
}
