import CBOR
import COSE
import CTAP
import WebAuthn

/// One message of each kind with every member it can have, and the shape of each member.
enum Samples {
    static let hash = [UInt8](repeating: 0xA5, count: 32)

    static var makeCredential: MakeCredentialRequest {
        var request = MakeCredentialRequest(
            clientDataHash: hash, rp: PublicKeyCredentialRPEntity(id: "example.com", name: "Example"),
            user: PublicKeyCredentialUserEntity(id: [1, 2], name: "ada", displayName: "Ada"),
            pubKeyCredParams: [
                PublicKeyCredentialParameters(algorithm: .es256), PublicKeyCredentialParameters(algorithm: .edDSA),
            ],
            excludeList: [PublicKeyCredentialDescriptor(id: [9], transports: [.usb])],
            extensions: ["credProtect": 2], options: ["rk": true, "uv": false], pinUvAuthParam: [1, 2, 3],
            pinUvAuthProtocol: 2)
        request.enterpriseAttestation = 1
        request.attestationFormatsPreference = ["packed", "none"]
        return request
    }

    static let makeCredentialShapes: [Shape] = [
        Shape("clientDataHash", [.key(1)], [.byteString], required: true),
        Shape("rp", [.key(2)], [.map], required: true),
        Shape("rp.id", [.key(2), .key("id")], [.textString], required: true),
        Shape("rp.name", [.key(2), .key("name")], [.textString]),
        Shape("rp.icon", [.key(2), .key("icon")], [.textString]),
        Shape("user", [.key(3)], [.map], required: true),
        Shape("user.id", [.key(3), .key("id")], [.byteString], required: true),
        Shape("user.name", [.key(3), .key("name")], [.textString]),
        Shape("user.displayName", [.key(3), .key("displayName")], [.textString]),
        Shape("user.icon", [.key(3), .key("icon")], [.textString]),
        Shape("pubKeyCredParams", [.key(4)], [.array], required: true),
        Shape("pubKeyCredParams[1]", [.key(4), .index(1)], [.map]),
        Shape("pubKeyCredParams[1].type", [.key(4), .index(1), .key("type")], [.textString], required: true),
        Shape(
            "pubKeyCredParams[1].alg", [.key(4), .index(1), .key("alg")], [.unsignedInteger, .negativeInteger],
            required: true),
        Shape("excludeList", [.key(5)], [.array]),
        Shape("excludeList[0]", [.key(5), .index(0)], [.map]),
        Shape("excludeList[0].id", [.key(5), .index(0), .key("id")], [.byteString], required: true),
        Shape("excludeList[0].type", [.key(5), .index(0), .key("type")], [.textString], required: true),
        Shape("excludeList[0].transports", [.key(5), .index(0), .key("transports")], [.array]),
        Shape(
            "excludeList[0].transports[0]", [.key(5), .index(0), .key("transports"), .index(0)], [.textString]),
        Shape("extensions", [.key(6)], [.map]),
        Shape("options", [.key(7)], [.map]),
        Shape("options.rk", [.key(7), .key("rk")], [.boolean]),
        Shape("pinUvAuthParam", [.key(8)], [.byteString]),
        Shape("pinUvAuthProtocol", [.key(9)], [.unsignedInteger]),
        Shape("enterpriseAttestation", [.key(0x0A)], [.unsignedInteger]),
        Shape("attestationFormatsPreference", [.key(0x0B)], [.array]),
        Shape("attestationFormatsPreference[0]", [.key(0x0B), .index(0)], [.textString]),
    ]

    static var getAssertion: GetAssertionRequest {
        GetAssertionRequest(
            relyingPartyID: "example.com", clientDataHash: hash,
            allowList: [PublicKeyCredentialDescriptor(id: [9], transports: [.nfc, .usb])],
            extensions: ["hmac-secret": ["a": 1]], options: ["up": false, "uv": true], pinUvAuthParam: [],
            pinUvAuthProtocol: 1)
    }

    static let getAssertionShapes: [Shape] = [
        Shape("rpId", [.key(1)], [.textString], required: true),
        Shape("clientDataHash", [.key(2)], [.byteString], required: true),
        Shape("allowList", [.key(3)], [.array]),
        Shape("allowList[0]", [.key(3), .index(0)], [.map]),
        Shape("allowList[0].id", [.key(3), .index(0), .key("id")], [.byteString], required: true),
        Shape("allowList[0].type", [.key(3), .index(0), .key("type")], [.textString], required: true),
        Shape("allowList[0].transports", [.key(3), .index(0), .key("transports")], [.array]),
        Shape("allowList[0].transports[1]", [.key(3), .index(0), .key("transports"), .index(1)], [.textString]),
        Shape("extensions", [.key(4)], [.map]),
        Shape("options", [.key(5)], [.map]),
        Shape("options.up", [.key(5), .key("up")], [.boolean]),
        Shape("pinUvAuthParam", [.key(6)], [.byteString]),
        Shape("pinUvAuthProtocol", [.key(7)], [.unsignedInteger]),
    ]

    static var clientPIN: ClientPINRequest {
        var request = ClientPINRequest(subCommand: .changePIN, pinUvAuthProtocol: 2)
        request.keyAgreement = [1: 2]
        request.pinUvAuthParam = [4]
        request.newPinEnc = [5]
        request.pinHashEnc = [6]
        request.permissions = 3
        request.relyingPartyID = "example.com"
        return request
    }

    static let clientPINShapes: [Shape] = [
        Shape("pinUvAuthProtocol", [.key(1)], [.unsignedInteger]),
        Shape("subCommand", [.key(2)], [.unsignedInteger], required: true),
        Shape("keyAgreement", [.key(3)], [.map]),
        Shape("pinUvAuthParam", [.key(4)], [.byteString]),
        Shape("newPinEnc", [.key(5)], [.byteString]),
        Shape("pinHashEnc", [.key(6)], [.byteString]),
        Shape("permissions", [.key(9)], [.unsignedInteger]),
        Shape("rpId", [.key(0x0A)], [.textString]),
    ]
}
