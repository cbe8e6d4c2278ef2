internal import COSE
internal import CTAP
internal import Conformance
internal import Documents

extension MetadataCases {
    /// Algorithms of credentials and the form of their keys.
    @CaseTable static var algorithms: [Case] {
        member("authenticationAlgorithms", "The algorithms are registered.") { bench, value in
            _ = try names(value, of: registeredAlgorithms, bench)
        }
        member(
            "authenticationAlgorithms", part: "getInfo", "The algorithms are those of getInfo.",
            needs: [.member(.algorithms)]
        ) { bench, value in
            bench.expect(
                try texts(value, bench), toEqual: bench.algorithms.compactMap(\.registeredName), "the algorithms")
        }
        member(
            "authenticationAlgorithms", part: "credential", "The algorithms contain that of a new credential.",
            needs: [.ctap2, .credentials], person: [.touch]
        ) { bench, value in
            let made = try await bench.newCredential(CredentialRequest()).publicKey.algorithm
            guard let name = made.registeredName else { throw CaseStop.notApplicable("\(made) has no registered name") }
            bench.expect(try texts(value, bench).contains(name), name, seen: words(value))
        }
        member("publicKeyAlgAndEncodings", "The encodings of public keys are registered.") { bench, value in
            let known: Set = ["ecc_x962_raw", "ecc_x962_der", "rsa_2048_raw", "rsa_2048_der", "cose"]
            _ = try names(value, of: known, bench)
        }
        member("publicKeyAlgAndEncodings", part: "cose", "The keys of CTAP2 are COSE keys.", needs: [.ctap2]) {
            bench, value in bench.expect(value == ["cose"], "cose", seen: words(value))
        }
    }

    /// The names of FIDO Registry of Predefined Values 2.2 §3.6.1.
    private static let registeredAlgorithms: Set = [
        "secp256r1_ecdsa_sha256_raw", "secp256r1_ecdsa_sha256_der", "rsassa_pss_sha256_raw", "rsassa_pss_sha256_der",
        "secp256k1_ecdsa_sha256_raw", "secp256k1_ecdsa_sha256_der", "sm2_sm3_raw", "rsa_emsa_pkcs1_sha256_raw",
        "rsa_emsa_pkcs1_sha256_der", "rsassa_pss_sha384_raw", "rsassa_pss_sha512_raw", "rsassa_pkcsv15_sha256_raw",
        "rsassa_pkcsv15_sha384_raw", "rsassa_pkcsv15_sha512_raw", "rsassa_pkcsv15_sha1_raw",
        "secp384r1_ecdsa_sha384_raw", "secp521r1_ecdsa_sha512_raw", "ed25519_eddsa_sha512_raw",
        "ed448_eddsa_sha512_raw",
    ]
}
