internal import CTAP
internal import WebAuthn

extension AuthenticatorFault {
    /// Faults of assertions.
    static let assertionFaults: [AuthenticatorFault] = [
        AuthenticatorFault(
            "credential-id", "the assertion names a credential outside the allow list", in: [.authentication],
            noticedBy: .allowedCredential,
            edit: .assertion { response, _ in
                response.credential = PublicKeyCredentialDescriptor(id: [UInt8](repeating: 0xBA, count: 32))
            }),
        AuthenticatorFault(
            "user-handle", "the user handle is another account's", in: [.authentication],
            noticedBy: .knownUser, .userHandle,
            edit: .assertion { response, _ in
                response.user = PublicKeyCredentialUserEntity(id: Array("another user".utf8))
            }),
        AuthenticatorFault(
            "user-handle-missing", "a discoverable credential has no user handle", in: [.authentication],
            noticedBy: .userHandle,
            edit: .assertion { response, _ in response.user = nil }),
        signature("signature", "the signature is of other data") { signature in
            var wrong = signature
            guard let last = wrong.indices.last else { return [0] }
            wrong[last] ^= 0x01
            return wrong
        },
        signature("signature-trailing-bytes", "bytes follow the signature") { $0 + [0x00] },
        signature("signature-empty", "the signature is empty") { _ in [] },
        signature("signature-zero", "the signature is all zeros (CVE-2022-21449)") { signature in
            // In DER: a sequence of two zero integers.
            signature.first == 0x30
                ? [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00] : [UInt8](repeating: 0, count: signature.count)
        },
        signature("signature-ber", "the signature's length is not in DER's shortest form") { signature in
            guard signature.first == 0x30, signature.count > 2, signature[1] < 0x80 else { return signature + [0] }
            return [0x30, 0x81] + signature.dropFirst()
        },
    ]

    private static func signature(
        _ name: String, _ meaning: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> AuthenticatorFault {
        AuthenticatorFault(name, meaning, in: [.authentication], noticedBy: .signature, edit: .signature(change))
    }

    /// Faults of the signature counter, as of a cloned, worn-out or broken key.
    static let counterFaults: [AuthenticatorFault] = [
        AuthenticatorFault(
            "counter-zero", "the counter is zero after a positive value", in: [.authentication],
            noticedBy: .signatureCounter,
            edit: .signCount { _ in 0 }),
        AuthenticatorFault(
            "counter-stuck", "the counter does not increase", in: [.authentication],
            noticedBy: .signatureCounter,
            edit: .signCount { $0 }),
        AuthenticatorFault(
            "counter-backwards", "the counter decreases", in: [.authentication],
            noticedBy: .signatureCounter,
            edit: .signCount { $0 == 0 ? 0 : $0 - 1 }),
    ]
}
