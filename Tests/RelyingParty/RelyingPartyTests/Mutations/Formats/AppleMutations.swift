import CBOR
import Crypto
import RelyingParty
import WebAuthn
import X509

extension RegistrationMutation {
    private static func apple(
        _ name: String, _ label: ReasonLabel?, _ edit: @escaping @Sendable (inout AppleForm?) -> Void
    ) -> RegistrationMutation {
        var caughtBy: [VerificationStep: ReasonLabel] = [:]
        if let label { caughtBy[.attestationStatement] = label }
        return RegistrationMutation("apple: \(name)", caughtBy: caughtBy, kinds: [.apple]) { edit(&$0.apple) }
    }

    static let appleRules: [RegistrationMutation] = [
        apple("valid", nil) { _ in },
        apple("another nonce", .appleNonceMismatch) { $0?.nonce = [UInt8](repeating: 1, count: 32) },
        apple("an empty nonce", .appleNonceMismatch) { $0?.nonce = [] },
        apple("no nonce", .appleNonceMissing) { $0 = nil },
        apple("a nonce without its tag", .appleNonceMalformed) { $0?.edit = { [0x30, 0x22] + $0.dropFirst(4) } },
        apple("a bare nonce", .appleNonceMalformed) { $0?.edit = { Array($0.dropFirst(4)) } },
        apple("a nonce under another tag", .appleNonceMalformed) {
            $0?.edit = { $0.prefix(2) + [0xA2] + $0.dropFirst(3) }
        },
        apple("a byte after the nonce", .appleNonceMalformed) { $0?.edit = { $0 + [0] } },
        RegistrationMutation(
            "apple: another key in the leaf", caughtBy: [.attestationStatement: .appleKeyMismatch], kinds: [.apple]
        ) {
            try $0.certify { $0.publicKey = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey) }
        },
        RegistrationMutation(
            "apple: a key on another curve in the leaf", caughtBy: [.attestationStatement: .appleKeyMismatch],
            kinds: [.apple]
        ) { try $0.certify { $0.publicKey = Certificate.PublicKey(P384.Signing.PrivateKey().publicKey) } },
        RegistrationMutation(
            "apple: over other client data", caughtBy: [.attestationStatement: .appleNonceMismatch], kinds: [.apple]
        ) {
            try $0.keepStatement()
            $0.rawClientData = $0.clientData.encoded + [0x20]
        },
        RegistrationMutation(
            "apple: over other authenticator data", caughtBy: [.attestationStatement: .appleNonceMismatch],
            kinds: [.apple]
        ) {
            try $0.keepStatement()
            $0.authenticatorData.signCount &+= 1
        },
        // As devices of 2020 and 2021 send it.
        RegistrationMutation("apple: an algorithm", kinds: [.apple]) { $0.editStatement = { $0["alg"] = -7 } },
        RegistrationMutation(
            "apple: no x5c", caughtBy: [.attestationStatement: .attestationStatementMalformed], kinds: [.apple]
        ) {
            $0.editStatement = { $0["x5c"] = nil }
        },
    ]
}
