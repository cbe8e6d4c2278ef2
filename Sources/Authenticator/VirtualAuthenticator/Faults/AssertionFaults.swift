internal import CTAP
internal import WebAuthn

extension AuthenticatorFault {
    static let assertionFaults: [AuthenticatorFault] = [
        AuthenticatorFault(
            "credential-id", "the assertion names a credential outside the allow list", noticedBy: [.allowedCredential],
            edit: .assertion { $0.credential = PublicKeyCredentialDescriptor(id: [UInt8](repeating: 0xBA, count: 32)) }),
        AuthenticatorFault(
            "user-handle", "the user handle is another account's", noticedBy: [.knownUser, .userHandle],
            edit: .assertion { $0.user = PublicKeyCredentialUserEntity(id: Array("another user".utf8)) }),
        AuthenticatorFault(
            "user-handle-missing", "a discoverable credential has no user handle", noticedBy: [.userHandle],
            edit: .assertion { $0.user = nil }),
        signature("signature", "the signature is of other data") { signature in
            guard let last = signature.last else { return [0] }
            return signature.dropLast() + [last ^ 0x01]
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
        AuthenticatorFault(
            name, meaning, noticedBy: [.signature], edit: .assertion { $0.signature = change($0.signature) })
    }

    /// Faults of the signature counter, as in a cloned or defective key.
    static let counterFaults: [AuthenticatorFault] = [
        counter("counter-zero", "the counter is zero after a positive value") { _ in 0 },
        counter("counter-stuck", "the counter does not increase") { $0 },
        counter("counter-backwards", "the counter decreases") { $0 - 1 },
    ]

    /// - Parameter next: the value after a positive one of the same credential; after zero no relying party looks at it.
    private static func counter(
        _ name: String, _ meaning: String, _ next: @escaping @Sendable (_ former: UInt32) -> UInt32
    ) -> AuthenticatorFault {
        AuthenticatorFault(
            name, meaning, noticedBy: [.signatureCounter],
            edit: .authenticatorData { data, memory in
                switch memory.formerSignCount {
                case nil: data.signCount = 0
                case 0: break
                case let former?: data.signCount = next(former)
                }
            })
    }
}
