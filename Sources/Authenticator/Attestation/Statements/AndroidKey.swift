internal import CBOR
internal import COSE
internal import SwiftASN1

extension AttestationMaker {
    /// `{"alg", "sig", "x5c"}`: signed with the credential's key, whose certificate describes it (WebAuthn L3 §8.4).
    func androidKey(_ subject: AttestationSubject) throws -> CBOR.Value {
        let key = try describedKey(subject)
        var description = AndroidKeyExtension(
            challenge: binding(subject.clientDataHash), isHardwareEnforced: authority.vendor.describesAndroidKeys)
        if case .keyDescription(let edit)? = effect { edit(&description) }
        var form = form("Android key \(subject.credentialID)", for: key.publicKey)
        form.add(AndroidKeyExtension.oid, description.encoded)
        return [
            "alg": .integer(key.algorithm.rawValue),
            "sig": .bytes(
                try key.sign(signedMessage(subject.signedBytes), mode: signing.possible(for: key.algorithm))),
            "x5c": try path(form, isWhole: authority.vendor.sendsAndroidPath),
        ]
    }
}

/// KeyDescription of Android keystore attestation: versions, security levels, challenge, unique ID, authorizations.
struct AndroidKeyExtension {
    static let oid: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]

    /// KM_PURPOSE.
    enum Purpose: UInt8 {
        case sign = 2
        case verify = 3
    }

    /// KM_ORIGIN.
    enum Origin: UInt8 {
        case generated = 0
        case imported = 2
    }

    var challenge: [UInt8]
    /// Whether a trusted environment keeps the key; otherwise software does, and purpose and origin are omitted.
    var isHardwareEnforced: Bool
    var purpose = Purpose.sign
    var origin = Origin.generated
    var isForAllApplications = false

    var encoded: [UInt8] {
        let version: [UInt8] = [0x01, 0x2C]
        // TrustedEnvironment or Software.
        let level: UInt8 = isHardwareEnforced ? 0x01 : 0x00
        return DER.Serializer.bytes {
            $0.sequence {
                // attestationVersion 300, keyMintVersion.
                $0.integer(version)
                $0.securityLevel(level)
                $0.integer(isHardwareEnforced ? version : [])
                $0.securityLevel(level)
                $0.octetString(challenge)
                $0.octetString([])
                $0.sequence { _ in }
                $0.sequence { if isHardwareEnforced { authorizations(&$0) } }
            }
        }
    }

    /// purpose [1] SET OF INTEGER, allApplications [600], origin [702].
    private func authorizations(_ serializer: inout DER.Serializer) {
        serializer.tagged(1) {
            $0.appendConstructedNode(identifier: .set) { $0.integer([purpose.rawValue]) }
        }
        if isForAllApplications { serializer.tagged(600) { $0.null() } }
        serializer.tagged(702) { $0.integer(origin == .generated ? [] : [origin.rawValue]) }
    }
}

extension DER.Serializer {
    fileprivate mutating func securityLevel(_ level: UInt8) {
        appendPrimitiveNode(identifier: .enumerated) { $0.append(level) }
    }
}
