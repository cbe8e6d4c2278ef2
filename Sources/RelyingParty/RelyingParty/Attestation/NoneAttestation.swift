internal import CBOR

/// The `none` format (WebAuthn L3 §8.7): an empty map.
package struct NoneAttestation: AttestationFormat {
    package let identifier = "none"

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        guard input.statement == .map([:]) else {
            throw .failed([Reason(.attestationNoneNotEmpty, "a statement of format “none” must be an empty map")])
        }
        return .none
    }
}

extension ReasonLabel {
    package static let attestationNoneNotEmpty: ReasonLabel = "attestation.none.notEmpty"
}
