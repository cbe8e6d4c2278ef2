internal import CBOR

/// The `none` format (WebAuthn L3 §8.7): an empty map, which says nothing.
public struct NoneAttestation: AttestationFormat {
    public let identifier = "none"

    public init() {}

    public func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        guard case .map(let map) = input.statement, map.isEmpty else {
            throw .failed([Reason(.attestationNoneNotEmpty, "a statement of format “none” must be an empty map")])
        }
        return .none
    }
}

extension ReasonLabel {
    public static let attestationNoneNotEmpty: ReasonLabel = "attestation.none.notEmpty"
}
