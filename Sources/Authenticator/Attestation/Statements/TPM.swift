internal import CBOR
internal import COSE

extension AttestationMaker {
    /// `{"ver", "alg", "x5c", "sig", "certInfo", "pubArea"}` (WebAuthn L3 §8.3).
    func tpm(_ kind: AttestationKind, _ subject: AttestationSubject, signer: COSE.PrivateKey) throws -> CBOR.Value {
        let publicArea = TPMStructures.publicArea(try describedKey(subject).publicKey)
        var certification = TPMStructures.Certification(
            extraData: binding(signer.algorithm.hash(of: subject.signedBytes) ?? []),
            clock: authority.vendor.tpmClock, publicArea: publicArea)
        if case .certInfo(let edit)? = effect { edit(&certification) }
        let certInfo = certification.encoded
        var form = leafForm(kind, for: signer.publicKey)
        form.becomeTPM(authority.vendor)
        return [
            "ver": "2.0", "alg": .integer(signer.algorithm.rawValue), "x5c": try path(form),
            "sig": .bytes(try sign(certInfo, with: signer)), "certInfo": .bytes(certInfo),
            "pubArea": .bytes(publicArea),
        ]
    }
}

/// The structures of the TPM 2.0 Library that a statement carries.
enum TPMStructures {
    /// TPM_ALG_SHA256, for names.
    static let nameAlgorithm: [UInt8] = [0x00, 0x0B]

    /// TPMT_PUBLIC of a signing key (Part 2 §12.2.4): type (2) ‖ name algorithm (2) ‖ attributes (4) ‖ policy ‖
    /// parameters ‖ unique.
    static func publicArea(_ key: COSE.PublicKey) -> [UInt8] {
        // sign.
        let attributes: [UInt8] = [0x00, 0x04, 0x00, 0x00]
        let noSymmetricNoScheme: [UInt8] = [0x00, 0x10, 0x00, 0x10]
        switch key.material {
        case .ellipticCurve(let curve, let x, let y):
            let number: UInt8 = curve == .p256 ? 3 : curve == .p384 ? 4 : 5
            return [0x00, 0x23] + nameAlgorithm + attributes + [0, 0] + noSymmetricNoScheme + [0, number, 0x00, 0x10]
                + sized(x) + sized(y)
        case .rsa(let modulus, _):
            // Exponent zero stands for 65537.
            return [0x00, 0x01] + nameAlgorithm + attributes + [0, 0] + noSymmetricNoScheme
                + twoBytes(modulus.count * 8) + [0, 0, 0, 0] + sized(modulus)
        case .octetKeyPair, .algorithmKeyPair: return []
        }
    }

    /// TPMS_ATTEST with TPMS_CERTIFY_INFO (Part 2 §10.12).
    struct Certification {
        /// TPM_GENERATED_VALUE.
        var magic: UInt32 = 0xFF54_4347
        var extraData: [UInt8]
        /// 17 bytes.
        var clock: [UInt8]
        var publicArea: [UInt8]

        /// magic (4) ‖ type (2) ‖ qualified signer ‖ extra data ‖ clock (17) ‖ firmware version (8) ‖ name ‖ qualified
        /// name.
        var encoded: [UInt8] {
            let head = (0..<4).map { UInt8(truncatingIfNeeded: magic >> (24 - 8 * $0)) } + [0x80, 0x17] + sized([])
            let name = nameAlgorithm + sha256(publicArea)
            return head + sized(extraData) + clock + [UInt8](repeating: 0, count: 8) + sized(name) + sized([])
        }
    }

    private static func twoBytes(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] { twoBytes(bytes.count) + bytes }
}
