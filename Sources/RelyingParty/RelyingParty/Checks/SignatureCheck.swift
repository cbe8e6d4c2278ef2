internal import COSE
internal import SwiftASN1

/// Checks a signature; a signature that does not verify is either invalid or malformed.
enum SignatureCheck {
    case valid
    case invalid
    case malformed(String)

    init(_ signature: [UInt8], over message: [UInt8], key: COSE.PublicKey) {
        if key.verify(signature, over: message) {
            self = .valid
        } else if case .ellipticCurve = key.material, let problem = Self.problem(inECDSA: signature) {
            self = .malformed(problem)
        } else {
            self = .invalid
        }
    }

    /// The problem with bytes other than `SEQUENCE { r INTEGER, s INTEGER }` of positive numbers (WebAuthn L3 §6.5.5).
    private static func problem(inECDSA signature: [UInt8]) -> String? {
        do {
            let numbers = try DER.sequence(try DER.parse(signature), identifier: .sequence) { nodes in
                [try ArraySlice<UInt8>(derEncoded: &nodes), try ArraySlice<UInt8>(derEncoded: &nodes)]
            }
            return numbers.allSatisfy { $0.contains { $0 != 0 } } ? nil : "r or s is zero"
        } catch {
            return "not an ECDSA signature in DER"
        }
    }
}
