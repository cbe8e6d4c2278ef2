import CBOR
import COSE
import Crypto
import RelyingParty
import SwiftASN1
import WebAuthn
import X509

extension RegistrationMutation {
    private static func tpm(
        _ name: String, _ label: ReasonLabel?, _ edit: @escaping @Sendable (inout TPMForm) throws -> Void
    ) -> RegistrationMutation {
        var caughtBy: [VerificationStep: ReasonLabel] = [:]
        if let label { caughtBy[.attestationStatement] = label }
        return RegistrationMutation("tpm: \(name)", caughtBy: caughtBy, kinds: [.tpm]) { try edit(&$0.tpm) }
    }

    static let tpmRules: [RegistrationMutation] =
        [
            tpm("version 1.2", .tpmVersion) { $0.version = "1.2" },
            tpm("the version as a number", .attestationStatementMalformed) { $0.version = 2 },
            tpm("not made by the TPM", .tpmMagic) { $0.magic = 0 },
            tpm("a quote", .tpmType) { $0.type = 0x8018 },
            tpm("other extra data", .tpmExtraDataMismatch) { $0.extraData = [UInt8](repeating: 1, count: 32) },
            tpm("no extra data", .tpmExtraDataMismatch) { $0.extraData = [] },
            tpm("the name of another key", .tpmNameMismatch) {
                $0.editName = { $0.dropLast() + [0xFF ^ ($0.last ?? 0)] }
            },
            tpm("a name under another hash", .tpmNameMismatch) { $0.editName = { [0x00, 0x04] + $0.dropFirst(2) } },
            tpm("no name", .tpmNameMismatch) { $0.editName = { _ in [] } },
            tpm("an unknown hash", .tpmNameMismatch) { $0.nameAlgorithm = 0x0012 },
            tpm("a name under SHA-1", nil) { $0.nameAlgorithm = 0x0004 },
            tpm("a name under SHA-384", nil) { $0.nameAlgorithm = 0x000C },
            tpm("a name under SHA-512", nil) { $0.nameAlgorithm = 0x000D },
            tpm("another key", .tpmKeyMismatch) {
                $0.key = try COSE.PrivateKey(algorithm: .es256, rawRepresentation: [UInt8](repeating: 9, count: 32))
                    .publicKey
            },
            tpm("a key on another curve", .tpmKeyMismatch) {
                $0.key = try COSE.PrivateKey(algorithm: .es384, rawRepresentation: [UInt8](repeating: 9, count: 48))
                    .publicKey
            },
            tpm("a symmetric key", .tpmPublicAreaMalformed) { $0.editPublicArea = { [0x00, 0x25] + $0.dropFirst(2) } },
            tpm("a public area with a byte too many", .tpmPublicAreaMalformed) { $0.editPublicArea = { $0 + [0] } },
            tpm("a public area that ends early", .tpmPublicAreaMalformed) { $0.editPublicArea = { $0.dropLast() } },
            tpm("no public area", .tpmPublicAreaMalformed) { $0.editPublicArea = { _ in [] } },
            tpm("certInfo with a byte too many", .tpmCertInfoMalformed) { $0.editCertInfo = { $0 + [0] } },
            tpm("certInfo that ends early", .tpmCertInfoMalformed) { $0.editCertInfo = { $0.dropLast() } },
            tpm("no certInfo", .tpmCertInfoMalformed) { $0.editCertInfo = { _ in [] } },
            RegistrationMutation(
                "tpm: certInfo as text", caughtBy: [.attestationStatement: .attestationStatementMalformed],
                kinds: [.tpm]
            ) { $0.editStatement = { $0["certInfo"] = "x" } },
            RegistrationMutation(
                "tpm: no pubArea member", caughtBy: [.attestationStatement: .attestationStatementMalformed],
                kinds: [.tpm]
            ) { $0.editStatement = { $0["pubArea"] = nil } },
            RegistrationMutation(
                "tpm: no x5c", caughtBy: [.attestationStatement: .attestationStatementMalformed], kinds: [.tpm]
            ) {
                $0.editStatement = { $0["x5c"] = nil }
            },
            RegistrationMutation(
                "tpm: over other authenticator data", caughtBy: [.attestationStatement: .tpmExtraDataMismatch],
                kinds: [.tpm]
            ) {
                try $0.keepStatement()
                $0.authenticatorData.signCount &+= 1
            },
            RegistrationMutation(
                "tpm: over other client data", caughtBy: [.attestationStatement: .tpmExtraDataMismatch], kinds: [.tpm]
            ) {
                try $0.keepStatement()
                $0.rawClientData = $0.clientData.encoded + [0x20]
            },
            RegistrationMutation(
                "tpm: an algorithm without a hash", caughtBy: [.attestationStatement: .attestationAlgorithmUnsupported],
                kinds: [.tpm]
            ) { $0.editStatement = { $0["alg"] = -8 } },
        ] + tpmLeaf + tpmRSA + tpmRS1

    private static let tpmLeaf: [RegistrationMutation] = [
        leaf("a subject", .tpmCertificateSubject, kinds: [.tpm]) { $0.isSubjectEmpty = false },
        leaf("no alternative name", .tpmCertificateName, kinds: [.tpm]) { $0.tpmName = nil },
        leaf("an alternative name without manufacturer", .tpmCertificateName, kinds: [.tpm]) { $0.tpmName?[0] = nil },
        leaf("an alternative name without model", .tpmCertificateName, kinds: [.tpm]) { $0.tpmName?[1] = nil },
        leaf("an alternative name without version", .tpmCertificateName, kinds: [.tpm]) { $0.tpmName?[2] = nil },
        leaf("no extended key usage", .tpmCertificateUsage, kinds: [.tpm]) { $0.usages = nil },
        leaf("the usage of a web server", .tpmCertificateUsage, kinds: [.tpm]) {
            $0.usages = [[1, 3, 6, 1, 5, 5, 7, 3, 1]]
        },
        leaf("the usage of an endorsement key", .tpmCertificateUsage, kinds: [.tpm]) {
            $0.usages = [[2, 23, 133, 8, 1]]
        },
        leaf("its usage among others", nil, kinds: [.tpm]) {
            $0.usages = [[1, 3, 6, 1, 5, 5, 7, 3, 2], [2, 23, 133, 8, 3]]
        },
    ]

    /// A credential whose key is RSA.
    private static func rsa(
        _ name: String, _ label: ReasonLabel?, _ edit: @escaping @Sendable (inout TPMForm) -> Void
    ) -> RegistrationMutation {
        var caughtBy: [VerificationStep: ReasonLabel] = [:]
        if let label { caughtBy[.attestationStatement] = label }
        return RegistrationMutation("tpm with RSA: \(name)", caughtBy: caughtBy, kinds: [.tpm]) {
            let key = try Vector.rsaKey().publicKey
            $0.authenticatorData.attestedCredentialData?.credentialPublicKey = key.cbor
            $0.expectation.algorithms.append(.rs256)
            $0.tpm.key = key
            edit(&$0.tpm)
        }
    }

    /// A TPM that signs with RS1, as Windows lets it.
    private static func rs1(
        _ name: String, _ label: ReasonLabel?,
        _ edit: @escaping @Sendable (inout RegistrationSample) throws -> Void = { _ in }
    ) -> RegistrationMutation {
        var caughtBy: [VerificationStep: ReasonLabel] = [:]
        if let label { caughtBy[.attestationStatement] = label }
        return RegistrationMutation("tpm with RS1: \(name)", caughtBy: caughtBy, kinds: [.tpm]) { sample in
            try sample.signWithRS1()
            try edit(&sample)
        }
    }

    private static let tpmRS1: [RegistrationMutation] = [
        rs1("valid", nil),
        rs1("extra data under SHA-256", .tpmExtraDataMismatch) {
            $0.tpm.extraData = sha256($0.authenticatorDataBytes + sha256($0.clientDataJSON))
        },
        rs1("another signature", .attestationSignatureInvalid) { $0.editSignature = { $0.dropLast() + [0] } },
        rs1("a key on P-256 in the leaf", .attestationAlgorithmMismatch) {
            try $0.certify { $0.publicKey = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey) }
        },
        RegistrationMutation(
            "packed with RS1", caughtBy: [.attestationStatement: .attestationAlgorithmUnsupported], kinds: [.certified]
        ) { try $0.signWithRS1() },
        RegistrationMutation(
            "android-key with RS1", caughtBy: [.attestationStatement: .attestationAlgorithmUnsupported],
            kinds: [.androidKey]
        ) { $0.editStatement = { $0["alg"] = -65535 } },
        RegistrationMutation(
            "packed self attestation with RS1", caughtBy: [.attestationStatement: .attestationAlgorithmMismatch],
            kinds: [.selfSigned]
        ) { $0.editStatement = { $0["alg"] = -65535 } },
        RegistrationMutation(
            "a TPM's credential for RS1, though offered", flaggedBy: [.credentialKey: .algorithmUnsupported],
            kinds: [.tpm]
        ) {
            $0.authenticatorData.attestedCredentialData?.credentialPublicKey = try Vector.rsaKey().publicKey.cbor
            $0.tpm.key = try Vector.rsaKey().publicKey
            try $0.editKey { $0[3] = -65535 }
            $0.expectation.algorithms.append(.rs1)
        },
        RegistrationMutation(
            "another credential for RS1, though offered", caughtBy: [.credentialKey: .algorithmUnsupported],
            kinds: [.none]
        ) {
            $0.authenticatorData.attestedCredentialData?.credentialPublicKey = try Vector.rsaKey().publicKey.cbor
            try $0.editKey { $0[3] = -65535 }
            $0.expectation.algorithms.append(.rs1)
        },
    ]

    private static let tpmRSA: [RegistrationMutation] = [
        rsa("the usual exponent as zero", nil) { _ in },
        rsa("the usual exponent in full", nil) { $0.exponent = 65_537 },
        rsa("another exponent", .tpmKeyMismatch) { $0.exponent = 3 },
        rsa("another modulus", .tpmKeyMismatch) { $0.editPublicArea = { $0.dropLast() + [0xFD] } },
        rsa("an elliptic key", .tpmKeyMismatch) {
            $0.key = try? COSE.PrivateKey(algorithm: .es256, rawRepresentation: [UInt8](repeating: 9, count: 32))
                .publicKey
        },
    ]
}

extension RegistrationSample {
    /// Signs the statement with RSASSA-PKCS1-v1_5 and SHA-1, and certifies the RSA key.
    fileprivate mutating func signWithRS1() throws {
        let key = try Vector.rsaKey()
        let signer = try Certificate.PrivateKey(
            pemDocument: PEMDocument(type: "PRIVATE KEY", derBytes: key.pkcs8Representation))
        statementAlgorithm = .rs1
        signMessage = { message in
            Array(try signer.sign(bytes: message, signatureAlgorithm: .sha1WithRSAEncryption).rawRepresentation)
        }
        tpm.extraData = Array(
            Insecure.SHA1.hash(data: authenticatorDataBytes + sha256(clientDataJSON)))
        try certify {
            $0.publicKey = try Certificate.PublicKey(
                pemDocument: PEMDocument(type: "PUBLIC KEY", derBytes: key.publicKey.subjectPublicKeyInfo))
        }
    }
}
