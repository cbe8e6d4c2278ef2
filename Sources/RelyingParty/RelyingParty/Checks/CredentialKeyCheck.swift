internal import CBOR
internal import COSE

/// Checks a new credential's key (WebAuthn L3 §7.1 step 20; key form: §5.8.5, §6.5.1.1).
struct CredentialKeyCheck {
    /// The key; nil when it is malformed or unsupported.
    let key: COSE.PublicKey?
    let outcome: LedgerOutcome

    /// - Parameter format: the attestation statement's format, if one could be read.
    init(_ cbor: CBOR.Value, offered: [COSE.Algorithm], format: String?) {
        var cbor = cbor
        var reasons: [Reason] = []
        var flags: [Reason] = []
        if case .map(var map) = cbor, let number = try? map[3]?.asInteger("alg") {
            let algorithm = COSE.Algorithm(rawValue: number)
            if !offered.contains(algorithm) {
                reasons.append(Reason(.algorithmNotOffered, "\(algorithm) was not offered"))
            }
            // A TPM may certify a key for RS1, whose form is that of RS256.
            if algorithm == .rs1, format == TPMAttestation.identifier {
                map[3] = .integer(COSE.Algorithm.rs256.rawValue)
                cbor = .map(map)
                flags.append(Reason(.algorithmUnsupported, "\(algorithm) is not supported at sign-in"))
            }
        }
        do {
            key = try COSE.PublicKey(cbor: cbor)
        } catch {
            key = nil
            reasons.append(Reason(Self.label(for: error), error.description))
        }
        outcome = .judged(reasons, flags: flags)
    }

    private static func label(for error: COSE.KeyError) -> ReasonLabel {
        switch error {
        case .unsupportedAlgorithm: .algorithmUnsupported
        case .missingParameter: .publicKeyMissingParameter
        case .unexpectedParameter: .publicKeyUnexpectedParameter
        case .keyTypeMismatch: .publicKeyTypeMismatch
        case .curveMismatch: .publicKeyCurveMismatch
        case .wrongLength: .publicKeyWrongLength
        case .compressedPoint: .publicKeyCompressed
        case .notOnCurve: .publicKeyNotOnCurve
        case .modulusSize: .publicKeyModulusSize
        case .leadingZero: .publicKeyLeadingZero
        default: .publicKeyMalformed
        }
    }
}
