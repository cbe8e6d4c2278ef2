import CBOR
import COSE
import CTAP
import Crypto
import Foundation
import WebAuthn

/// Valid messages to start from.
enum Seeds {
    static let hash = [UInt8](repeating: 0x5A, count: 32)

    /// SHA-256 of known.example.
    static let knownRelyingPartyIDHash = Array(SHA256.hash(data: Array("known.example".utf8)))

    static var registration: MakeCredentialRequest {
        MakeCredentialRequest(
            clientDataHash: hash, rp: PublicKeyCredentialRPEntity(id: "example.com", name: "Example"),
            user: PublicKeyCredentialUserEntity(id: [1, 2, 3], name: "ada", displayName: "Ada"),
            pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .edDSA)], options: ["rk": true])
    }

    static var all: [[UInt8]] {
        var full = registration
        full.excludeList = [PublicKeyCredentialDescriptor(id: [1], transports: [.usb, .nfc])]
        full.extensions = ["credProtect": 2]
        full.pinUvAuthParam = hash
        full.pinUvAuthProtocol = 2
        full.attestationFormatsPreference = ["packed"]
        let look = GetAssertionRequest(relyingPartyID: "example.com", clientDataHash: hash)
        var silent = look
        silent.options = ["up": false]
        silent.allowList = [PublicKeyCredentialDescriptor(id: hash)]
        var pin = ClientPINRequest(subCommand: .changePIN, pinUvAuthProtocol: 2)
        pin.keyAgreement = KeyAgreementKey(randomBytes: { [UInt8](repeating: 7, count: $0) })?.publicKey
        pin.newPinEnc = hash + hash
        pin.pinHashEnc = hash
        pin.pinUvAuthParam = hash
        var token = pin
        token.subCommand = 9
        token.permissions = 3
        token.relyingPartyID = "example.com"
        let agreement = ClientPINRequest(subCommand: .getKeyAgreement, pinUvAuthProtocol: 1)
        return [
            [1] + CBOR.encode(registration.cbor), [1] + CBOR.encode(full.cbor), [2] + CBOR.encode(look.cbor),
            [2] + CBOR.encode(silent.cbor), [6] + CBOR.encode(pin.cbor), [6] + CBOR.encode(token.cbor),
            [6] + CBOR.encode(agreement.cbor), [4], [8], [0x0B],
        ]
    }
}
