internal import CBOR
internal import CTAP
internal import WebAuthn

extension AuthenticatorFault {
    static let statementFaults: [AuthenticatorFault] = [
        registration("format-case", "the attestation format is in capital letters") {
            $0.format = $0.format.uppercased()
        },
        registration("format-unknown", "the attestation format is unknown") { $0.format = "touchstone" },
        registration("statement-signature", "the attestation signature is of other data") { response in
            edit(&response, "sig") { value in
                guard case .bytes(var signature) = value, signature.count > 8 else { return .bytes([0]) }
                signature[signature.count - 1] ^= 0x01
                return .bytes(signature)
            }
        },
        registration("statement-signature-missing", "the attestation statement has no signature") {
            edit(&$0, "sig") { _ in nil }
        },
        registration("statement-algorithm", "the attestation statement names another algorithm") {
            edit(&$0, "alg") { $0 == -257 ? -7 : -257 }
        },
        registration("statement-not-empty", "an attestation of format none has a statement") {
            $0.format = "none"
            $0.attestationStatement = ["sig": .bytes([0])]
        },
    ]

    private static func registration(
        _ name: String, _ meaning: String, _ change: @escaping @Sendable (inout MakeCredentialResponse) -> Void
    ) -> AuthenticatorFault {
        AuthenticatorFault(name, meaning, noticedBy: [.attestationStatement], edit: .registration(change))
    }

    private static func edit(
        _ response: inout MakeCredentialResponse, _ member: String, _ change: (CBOR.Value?) -> CBOR.Value?
    ) {
        guard case .map(var statement) = response.attestationStatement else { return }
        statement[member] = change(statement[member])
        response.attestationStatement = .map(statement)
    }
}
