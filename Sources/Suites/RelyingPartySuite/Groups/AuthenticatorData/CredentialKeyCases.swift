internal import CBOR
internal import COSE
internal import Conformance
internal import WebAuthn

/// The cases of the credential's public key (WebAuthn L3 §5.8.5, §6.5.1.1, §7.1 step 20).
///
/// The verification compares the algorithm only. A key of a wrong form fails at the first sign-in at the latest, so that
/// its refusal at the registration is a recommendation.
enum CredentialKeyCases {
    static let all: [Case] = members + ellipticCurve + rsa + encodings

    private static let clause = Clause.webauthn("6.5.1.1")

    /// A case that changes the key's map; the statement is made anew for the changed bytes.
    private static func key(
        _ name: String, _ what: String, level: Level = .should, clause: Clause = clause,
        algorithm: COSE.Algorithm = .es256, _ change: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> Case {
        .registration(
            "credentialKey.\(name)", with: what, is: .refused, clause, level: level, needs: [.algorithm(algorithm)],
            form: RegistrationForm(algorithm: algorithm)
        ) { $0.authenticatorData.changeKey(change) }
    }

    private static func bytes(
        _ name: String, _ what: String, level: Level = .should,
        _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Case {
        .registration("credentialKey.\(name)", with: what, is: .refused, clause, level: level) {
            let key = change($0.authenticatorData.attested?.key ?? [])
            $0.authenticatorData.attested?.key = key
        }
    }

    private static let members: [Case] =
        [(1, "key type"), (3, "algorithm"), (-1, "curve"), (-2, "x coordinate"), (-3, "y coordinate")].map {
            label, name in
            key("missing.\(word(label))", "a public key without its \(name)") { $0[label] = nil }
        }
        + [(1, "key type"), (3, "algorithm"), (-1, "curve"), (-2, "x coordinate"), (-3, "y coordinate")].map {
            label, name in
            key("null.\(word(label))", "a public key whose \(name) is null") { $0[label] = .null }
        }
        + [
            key("type.okp", "a public key for ES256 with the key type OKP") { $0[1] = 1 },
            key("type.rsa", "a public key for ES256 with the key type RSA") { $0[1] = 3 },
            key("type.unknown", "a public key of an unknown type") { $0[1] = 99 },
            key(
                "algorithm.unknown", "a public key for an unknown algorithm", level: .must,
                clause: .webauthn("7.1", step: "20")
            ) { $0[3] = -65000 },
            key(
                "algorithm.keyAgreement", "a public key for key agreement", level: .must,
                clause: .webauthn("7.1", step: "20")
            ) { $0[3] = -25 },
            key(
                "algorithm.zero", "a public key for the reserved algorithm 0", level: .must,
                clause: .webauthn("7.1", step: "20")
            ) {
                $0[3] = 0
            },
            key("algorithm.text", "a public key whose algorithm is a text") { $0[3] = "ES256" },
            key("unknownMember", "a public key with a member that its algorithm does not have") {
                $0[-70000] = 1
            },
            key("privatePart", "a public key with a private part") {
                $0[-4] = .bytes([UInt8](repeating: 1, count: 32))
            },
        ]

    private static func word(_ label: Int) -> String {
        switch label {
        case 1: "kty"
        case 3: "alg"
        case -1: "crv"
        case -2: "x"
        default: "y"
        }
    }

    private static let ellipticCurve: [Case] = [
        key("curve.p384", "a public key for ES256 on P-384", clause: .webauthn("5.8.5")) { $0[-1] = 2 },
        key("curve.secp256k1", "a public key for ES256 on secp256k1", clause: .webauthn("5.8.5")) { $0[-1] = 8 },
        key("curve.ed25519", "a public key for ES256 on Ed25519", clause: .webauthn("5.8.5")) { $0[-1] = 6 },
        key("curve.unknown", "a public key on an unknown curve") { $0[-1] = 99 },
        key("point.offCurve", "a point that is not on the curve") { map in
            if case .bytes(var y)? = map[-3] {
                y[y.count - 1] ^= 1
                map[-3] = .bytes(y)
            }
        },
        key("point.zero", "the point (0, 0)") {
            $0[-2] = .bytes([UInt8](repeating: 0, count: 32))
            $0[-3] = .bytes([UInt8](repeating: 0, count: 32))
        },
        key("point.beyondField", "coordinates beyond the field") {
            $0[-2] = .bytes([UInt8](repeating: 0xFF, count: 32))
        },
        key("point.short", "an x coordinate of 31 bytes") { map in
            if case .bytes(let x)? = map[-2] { map[-2] = .bytes(Array(x.dropLast())) }
        },
        key("point.long", "an x coordinate of 33 bytes") { map in
            if case .bytes(let x)? = map[-2] { map[-2] = .bytes([0] + x) }
        },
        key("point.empty", "empty coordinates") {
            $0[-2] = .bytes([])
            $0[-3] = .bytes([])
        },
        key("point.compressed", "a compressed point", clause: .webauthn("5.8.5")) { $0[-3] = true },
        key("okp.short", "an Ed25519 key of 31 bytes", algorithm: .edDSA) { map in
            if case .bytes(let x)? = map[-2] { map[-2] = .bytes(Array(x.dropLast())) }
        },
        key("okp.curve", "a public key for EdDSA on X25519", clause: .webauthn("5.8.5"), algorithm: .edDSA) {
            $0[-1] = 4
        },
    ]

    private static let rsa: [Case] = [
        key("rsa.noModulus", "an RSA key without a modulus", algorithm: .rs256) { $0[-1] = nil },
        key("rsa.noExponent", "an RSA key without an exponent", algorithm: .rs256) { $0[-2] = nil },
        key("rsa.emptyModulus", "an RSA key with an empty modulus", algorithm: .rs256) { $0[-1] = .bytes([]) },
        key("rsa.shortModulus", "an RSA key of 512 bits", algorithm: .rs256) { map in
            // The first bit is set, so that no number with leading zeros arises.
            if case .bytes(let modulus)? = map[-1] { map[-1] = .bytes([0x80] + modulus.suffix(63)) }
        },
        key("rsa.exponentOne", "an RSA key with the exponent 1", algorithm: .rs256) {
            $0[-2] = .bytes([1])
        },
        key("rsa.leadingZero", "an RSA modulus with a leading zero", level: .may, algorithm: .rs256) { map in
            if case .bytes(let modulus)? = map[-1] { map[-1] = .bytes([0] + modulus) }
        },
    ]

    private static let encodings: [Case] = [
        bytes("empty", "an empty map in place of the public key") { _ in [0xA0] },
        bytes("array", "an array in place of the public key") { _ in [0x80] },
        bytes("null", "null in place of the public key") { _ in [0xF6] },
        bytes("bytes", "a byte string in place of the public key") { CBOR.encode(.bytes($0)) },
        bytes("notCBOR", "no CBOR in place of the public key") { _ in [0xFF, 0xFF] },
        bytes("subjectPublicKeyInfo", "a public key as in X.509") { _ in [0x30, 0x59, 0x30, 0x13, 0x06, 0x07] },
        bytes("duplicate", "a public key that states its type twice") { key in
            [(key.first ?? 0xA0) + 1, 0x01, 0x02] + key.dropFirst()
        },
        bytes("order", "a public key whose members are not in canonical order") { key in
            guard key.count > 3 else { return key }
            // The key type, the first member, becomes the last.
            return [key[0]] + key.dropFirst(3) + key[1...2]
        },
        bytes("longIntegers", "a public key whose type is not written in the shortest form") { key in
            guard key.count > 3 else { return key }
            return [key[0], key[1], 0x18, key[2]] + key.dropFirst(3)
        },
        bytes("indefinite", "a public key in a map of indefinite length") { key in
            [0xBF] + key.dropFirst() + [0xFF]
        },
    ]
}
