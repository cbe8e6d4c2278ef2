internal import Biometrics
internal import CBOR

extension VirtualAuthenticator {
    /// The uvm output: one entry of method, key and matcher protection (FIDO registry of predefined values §3).
    func userVerificationMethods(_ authorization: CredentialAuthorization) -> CBOR.Value {
        let method: Int =
            if authorization.wasVerifiedAtSensor {
                switch authorization.sensorMethod {
                case .deviceCredential: 0x04
                case .biometric(let modality, _): Self.userVerificationBit(of: modality)
                case nil: Self.userVerificationBit(of: state.gate?.sensor?.modality)
                }
            } else if authorization.userVerified {
                0x800
            } else {
                0x01
            }
        // Key protection and matcher are software (0x01).
        return [[.integer(method), 0x01, 0x01]]
    }

    static func userVerificationBit(of modality: BiometricModality?) -> Int {
        switch modality {
        case .fingerprint: 0x02
        case .voice: 0x08
        case .face: 0x10
        case .iris: 0x40
        case nil: 0
        }
    }
}
