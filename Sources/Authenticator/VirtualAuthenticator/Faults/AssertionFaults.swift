internal import CTAP

extension AuthenticatorFault {
    /// Lies in assertions.
    static let assertionFaults: [AuthenticatorFault] = [
        AuthenticatorFault(
            "credential-id", "the assertion names a credential that is none of the allowed ones", noticedBy: "a1",
            edit: .assertion { response, _ in
                response.credential = PublicKeyCredentialDescriptor(id: [UInt8](repeating: 0xBA, count: 32))
            }),
        AuthenticatorFault(
            "user-handle", "the user handle is another account's", noticedBy: "a2", "a3",
            edit: .assertion { response, _ in
                response.user = PublicKeyCredentialUserEntity(id: Array("somebody else".utf8))
            }),
        AuthenticatorFault(
            "user-handle-missing", "a discoverable credential comes without its user handle", noticedBy: "a3",
            edit: .assertion { response, _ in response.user = nil }),
        signature("signature", "the signature is of something else") { signature in
            var wrong = signature
            guard let last = wrong.indices.last else { return [0] }
            wrong[last] ^= 0x01
            return wrong
        },
        signature("signature-trailing-bytes", "bytes follow the signature") { $0 + [0x00] },
        signature("signature-empty", "there is no signature") { _ in [] },
        signature("signature-zero", "the signature is of zeros (CVE-2022-21449)") { signature in
            // As DER: a sequence of two integers that are zero.
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
        AuthenticatorFault(name, meaning, noticedBy: "a9", edit: .signature(change))
    }

    /// Counters that do not count: what a clone, a worn-out or a broken key shows.
    static let counterFaults: [AuthenticatorFault] = [
        AuthenticatorFault(
            "counter-zero", "the counter is zero after it was not", noticedBy: "a10",
            edit: .signCount { _ in 0 }),
        AuthenticatorFault(
            "counter-stuck", "the counter stays where it is", noticedBy: "a10",
            edit: .signCount { $0 }),
        AuthenticatorFault(
            "counter-backwards", "the counter goes backwards", noticedBy: "a10",
            edit: .signCount { $0 == 0 ? 0 : $0 - 1 }),
    ]
}
