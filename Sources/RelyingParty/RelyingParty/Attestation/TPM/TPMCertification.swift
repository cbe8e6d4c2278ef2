internal import COSE
internal import Crypto

/// A TPM's certification of one of its keys, `TPMS_ATTEST` with `TPMS_CERTIFY_INFO` (TPM 2.0 Library, Part 2 §10.12).
///
/// magic (4) ‖ type (2) ‖ qualified signer ‖ extra data ‖ clock (17) ‖ firmware version (8) ‖ name ‖ qualified name.
struct TPMCertification {
    /// TPM_GENERATED_VALUE, "\u{FF}TCG".
    static let generatedValue: UInt32 = 0xFF54_4347
    /// TPM_ST_ATTEST_CERTIFY.
    static let certifyType: UInt16 = 0x8017

    let magic: UInt32
    let type: UInt16
    let extraData: [UInt8]
    /// The certified key's name: TPM_ALG_ID (2) ‖ hash of its public area; empty unless ``type`` is a certification.
    let name: [UInt8]

    init(parsing bytes: [UInt8]) throws(TPMReader.ParsingError) {
        var reader = TPMReader(bytes)
        magic = try reader.uint32()
        type = try reader.uint16()
        _ = try reader.sizedBytes()
        extraData = try reader.sizedBytes()
        _ = try reader.bytes(17 + 8)
        // Attestations other than certifications continue in another form.
        guard type == Self.certifyType else {
            name = []
            return
        }
        name = try reader.sizedBytes()
        _ = try reader.sizedBytes()
        try reader.end()
    }

    /// Whether ``name`` is the name of the key with this public area (TPM 2.0 Library, Part 1 §16).
    func names(publicArea: [UInt8]) -> Bool {
        guard publicArea.count >= 4, name.starts(with: publicArea[2..<4]) else { return false }
        let hash: [UInt8]
        switch UInt16(publicArea[2]) << 8 | UInt16(publicArea[3]) {
        case 0x0004: hash = Array(Insecure.SHA1.hash(data: publicArea))
        case 0x000B: hash = sha256(publicArea)
        case 0x000C: hash = Array(SHA384.hash(data: publicArea))
        case 0x000D: hash = Array(SHA512.hash(data: publicArea))
        default: return false
        }
        return Array(name.dropFirst(2)) == hash
    }
}
