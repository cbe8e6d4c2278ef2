public import CBOR

/// A subcommand of authenticatorClientPIN (CTAP 2.3 §6.5.5).
public enum ClientPINSubcommand: Int, Sendable, CaseIterable {
    case getPINRetries = 0x01
    case getKeyAgreement = 0x02
    case setPIN = 0x03
    case changePIN = 0x04
    case getPinToken = 0x05
    case getPinUvAuthTokenUsingUvWithPermissions = 0x06
    case getUVRetries = 0x07
    case getPinUvAuthTokenUsingPinWithPermissions = 0x09
}

/// What a pinUvAuthToken may be used for (CTAP 2.3 §6.5.5.7).
public struct PINUVAuthTokenPermissions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `mc`: authenticatorMakeCredential; needs an RP ID.
    public static let makeCredential = PINUVAuthTokenPermissions(rawValue: 0x01)
    /// `ga`: authenticatorGetAssertion; needs an RP ID.
    public static let getAssertion = PINUVAuthTokenPermissions(rawValue: 0x02)
    /// `cm`: authenticatorCredentialManagement.
    public static let credentialManagement = PINUVAuthTokenPermissions(rawValue: 0x04)
    /// `be`: authenticatorBioEnrollment.
    public static let bioEnrollment = PINUVAuthTokenPermissions(rawValue: 0x08)
    /// `lbw`: writing large blobs.
    public static let largeBlobWrite = PINUVAuthTokenPermissions(rawValue: 0x10)
    /// `acfg`: authenticatorConfig.
    public static let authenticatorConfiguration = PINUVAuthTokenPermissions(rawValue: 0x20)
    /// `pcmr`: reading credential management with a persistent token (CTAP 2.2); stands alone.
    public static let persistentCredentialManagementReadOnly = PINUVAuthTokenPermissions(rawValue: 0x40)

    /// Every permission CTAP 2.3 defines.
    public static let all = PINUVAuthTokenPermissions(rawValue: 0x7F)
}

/// The parameters of authenticatorClientPIN, command 0x06 (CTAP 2.3 §6.5.5).
public struct ClientPINRequest: Hashable, Sendable {
    /// 0x01.
    public var pinUvAuthProtocol: Int?
    /// 0x02, as on the wire: ``ClientPINSubcommand`` names the known ones.
    public var subCommand: Int
    /// 0x03, a COSE key on P-256.
    public var keyAgreement: CBOR.Value?
    /// 0x04.
    public var pinUvAuthParam: [UInt8]?
    /// 0x05, the padded new PIN, encrypted.
    public var newPinEnc: [UInt8]?
    /// 0x06, LEFT(SHA-256(PIN), 16), encrypted.
    public var pinHashEnc: [UInt8]?
    /// 0x09.
    public var permissions: Int?
    /// 0x0A.
    public var relyingPartyID: String?

    public init(subCommand: ClientPINSubcommand, pinUvAuthProtocol: Int? = nil) {
        self.subCommand = subCommand.rawValue
        self.pinUvAuthProtocol = pinUvAuthProtocol
    }

    /// Reads the parameters; throws the refusal the wire calls for.
    public init(cbor: CBOR.Value) throws(Refusal) {
        let parameters = try RequestParameters(cbor)
        pinUvAuthProtocol = try parameters.optional(0x01) { value throws(CBOR.AccessError) in
            try value.asUnsigned("pinUvAuthProtocol")
        }
        subCommand = try parameters.required(0x02, "subCommand") { value throws(CBOR.AccessError) in
            try value.asUnsigned("subCommand")
        }
        keyAgreement = try parameters.optional(0x03) { value throws(CBOR.AccessError) in
            _ = try value.asMap("keyAgreement")
            return value
        }
        pinUvAuthParam = try parameters.optional(0x04) { value throws(CBOR.AccessError) in
            try value.asBytes("pinUvAuthParam")
        }
        newPinEnc = try parameters.optional(0x05) { value throws(CBOR.AccessError) in
            try value.asBytes("newPinEnc")
        }
        pinHashEnc = try parameters.optional(0x06) { value throws(CBOR.AccessError) in
            try value.asBytes("pinHashEnc")
        }
        permissions = try parameters.optional(0x09) { value throws(CBOR.AccessError) in
            try value.asUnsigned("permissions")
        }
        relyingPartyID = try parameters.optional(0x0A) { value throws(CBOR.AccessError) in
            try value.asText("rpId")
        }
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = [0x02: .integer(subCommand)]
        if let pinUvAuthProtocol { map[0x01] = .integer(pinUvAuthProtocol) }
        if let keyAgreement { map[0x03] = keyAgreement }
        if let pinUvAuthParam { map[0x04] = .bytes(pinUvAuthParam) }
        if let newPinEnc { map[0x05] = .bytes(newPinEnc) }
        if let pinHashEnc { map[0x06] = .bytes(pinHashEnc) }
        if let permissions { map[0x09] = .integer(permissions) }
        if let relyingPartyID { map[0x0A] = .text(relyingPartyID) }
        return .map(map)
    }
}

/// The answer to authenticatorClientPIN (CTAP 2.3 §6.5.5).
public struct ClientPINResponse: Hashable, Sendable {
    /// 0x01, a COSE key on P-256.
    public var keyAgreement: CBOR.Value?
    /// 0x02, encrypted under the shared secret.
    public var pinUvAuthToken: [UInt8]?
    /// 0x03.
    public var pinRetries: Int?
    /// 0x04, true when only a power cycle lifts the block.
    public var powerCycleState: Bool?
    /// 0x05.
    public var uvRetries: Int?

    public init(
        keyAgreement: CBOR.Value? = nil, pinUvAuthToken: [UInt8]? = nil, pinRetries: Int? = nil,
        powerCycleState: Bool? = nil, uvRetries: Int? = nil
    ) {
        self.keyAgreement = keyAgreement
        self.pinUvAuthToken = pinUvAuthToken
        self.pinRetries = pinRetries
        self.powerCycleState = powerCycleState
        self.uvRetries = uvRetries
    }

    /// Reads an answer.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let map = try cbor.asMap("the response")
        keyAgreement = map[0x01]
        pinUvAuthToken = try map[0x02]?.asBytes("pinUvAuthToken")
        pinRetries = try map[0x03]?.asUnsigned("pinRetries")
        powerCycleState = try map[0x04]?.asBool("powerCycleState")
        uvRetries = try map[0x05]?.asUnsigned("uvRetries")
    }

    /// The response map; nil when there is nothing to say.
    public var cbor: CBOR.Value? {
        var map = CBOR.Map()
        if let keyAgreement { map[0x01] = keyAgreement }
        if let pinUvAuthToken { map[0x02] = .bytes(pinUvAuthToken) }
        if let pinRetries { map[0x03] = .integer(pinRetries) }
        if let powerCycleState { map[0x04] = .bool(powerCycleState) }
        if let uvRetries { map[0x05] = .integer(uvRetries) }
        return map.isEmpty ? nil : .map(map)
    }
}
