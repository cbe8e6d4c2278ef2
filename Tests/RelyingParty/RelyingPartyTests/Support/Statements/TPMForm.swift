import CBOR
import COSE
import Crypto

/// The contents of a `tpm` statement beside its signature; default: those of a real TPM.
struct TPMForm {
    var version: CBOR.Value = "2.0"
    var magic: UInt32 = 0xFF54_4347
    var type: UInt16 = 0x8017
    /// TPM_ALG_ID of the hash in the key's name.
    var nameAlgorithm: UInt16 = 0x000B
    /// Replaces the hash of authenticator data and client data hash.
    var extraData: [UInt8]?
    /// Replaces the credential's key.
    var key: COSE.PublicKey?
    var editPublicArea: ([UInt8]) -> [UInt8] = { $0 }
    var editName: ([UInt8]) -> [UInt8] = { $0 }
    var editCertInfo: ([UInt8]) -> [UInt8] = { $0 }
    /// An RSA key's exponent as the TPM writes it.
    var exponent: UInt32 = 0

    /// TPMT_PUBLIC of a signing key.
    func publicArea(for credentialKey: COSE.PublicKey) -> [UInt8] {
        let attributes: [UInt8] = [0x00, 0x04, 0x00, 0x00]
        let noSymmetricNoScheme: [UInt8] = [0x00, 0x10, 0x00, 0x10]
        switch (key ?? credentialKey).material {
        case .ellipticCurve(let curve, let x, let y):
            let curveNumber: UInt16 = curve == .p256 ? 3 : curve == .p384 ? 4 : 5
            return editPublicArea(
                Self.bytes(0x0023) + Self.bytes(nameAlgorithm) + attributes + [0, 0] + noSymmetricNoScheme
                    + Self.bytes(curveNumber) + [0x00, 0x10] + Self.sized(x) + Self.sized(y))
        case .rsa(let modulus, _):
            return editPublicArea(
                Self.bytes(0x0001) + Self.bytes(nameAlgorithm) + attributes + [0, 0] + noSymmetricNoScheme
                    + Self.bytes(UInt16(modulus.count * 8)) + Self.bytes(UInt16(exponent >> 16))
                    + Self.bytes(UInt16(exponent & 0xFFFF)) + Self.sized(modulus))
        case .octetKeyPair, .algorithmKeyPair:
            return []
        }
    }

    /// TPMS_ATTEST that certifies the key of this public area.
    func certInfo(publicArea: [UInt8], signedHash: [UInt8]) -> [UInt8] {
        let head = Self.bytes(UInt16(magic >> 16)) + Self.bytes(UInt16(magic & 0xFFFF)) + Self.bytes(type)
        let clockAndFirmware = [UInt8](repeating: 0x11, count: 17 + 8)
        return editCertInfo(
            head + Self.sized([]) + Self.sized(extraData ?? signedHash) + clockAndFirmware
                + Self.sized(editName(name(of: publicArea))) + Self.sized([]))
    }

    private func name(of publicArea: [UInt8]) -> [UInt8] {
        let hash: [UInt8] =
            switch nameAlgorithm {
            case 0x0004: Array(Insecure.SHA1.hash(data: publicArea))
            case 0x000C: Array(SHA384.hash(data: publicArea))
            case 0x000D: Array(SHA512.hash(data: publicArea))
            default: Array(SHA256.hash(data: publicArea))
            }
        return Self.bytes(nameAlgorithm) + hash
    }

    private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] { Self.bytes(UInt16(bytes.count)) + bytes }
}
