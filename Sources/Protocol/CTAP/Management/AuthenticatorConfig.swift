public import CBOR

/// A subcommand of authenticatorConfig (CTAP 2.3 §6.11).
public enum AuthenticatorConfigSubcommand: Int, Sendable, CaseIterable {
    case enableEnterpriseAttestation = 0x01
    case toggleAlwaysUv = 0x02
    case setMinPINLength = 0x03
    case enableLongTouchForReset = 0x04
    case vendorPrototype = 0xFF
}

/// The parameters of authenticatorConfig, command 0x0D (CTAP 2.3 §6.11).
public struct AuthenticatorConfigRequest: Hashable, Sendable {
    /// 0x01, as on the wire: ``AuthenticatorConfigSubcommand`` names the known ones.
    public var subCommand: Int
    /// 0x02.0x01 of setMinPINLength, code points.
    public var newMinPINLength: Int?
    /// 0x02.0x02 of setMinPINLength.
    public var minPinLengthRPIDs: [String]?
    /// 0x02.0x03 of setMinPINLength.
    public var forceChangePin: Bool?
    /// 0x02.0x04 of setMinPINLength (CTAP 2.2).
    public var pinComplexityPolicy: Bool?
    /// 0x02.0x01 of vendorPrototype.
    public var vendorCommandID: Int?
    /// 0x03.
    public var pinUvAuthProtocol: Int?
    /// 0x04, over ``authenticatedMessage``.
    public var pinUvAuthParam: [UInt8]?
    /// 0x02 as received, which is what the authenticator authenticates.
    private var receivedParameters: CBOR.Value?

    public init(subCommand: AuthenticatorConfigSubcommand) {
        self.subCommand = subCommand.rawValue
    }

    /// Reads the parameters; throws the refusal the wire calls for.
    public init(cbor: CBOR.Value) throws(Refusal) {
        let parameters = try RequestParameters(cbor)
        subCommand = try parameters.required(0x01, "subCommand") { value throws(CBOR.AccessError) in
            try value.asUnsigned("subCommand")
        }
        receivedParameters = try parameters.optional(0x02) { value throws(CBOR.AccessError) in
            _ = try value.asMap("subCommandParams")
            return value
        }
        pinUvAuthProtocol = try parameters.unsigned(0x03, "pinUvAuthProtocol")
        pinUvAuthParam = try parameters.bytes(0x04, "pinUvAuthParam")
        guard let receivedParameters else { return }
        let inner = try RequestParameters(receivedParameters)
        switch AuthenticatorConfigSubcommand(rawValue: subCommand) {
        case .setMinPINLength:
            newMinPINLength = try inner.unsigned(0x01, "newMinPINLength")
            minPinLengthRPIDs = try inner.optional(0x02) { value throws(CBOR.AccessError) in
                var identifiers: [String] = []
                for item in try value.asArray("minPinLengthRPIDs") {
                    identifiers.append(try item.asText("minPinLengthRPIDs"))
                }
                return identifiers
            }
            forceChangePin = try inner.bool(0x03, "forceChangePin")
            pinComplexityPolicy = try inner.bool(0x04, "pinComplexityPolicy")
        case .vendorPrototype:
            vendorCommandID = try inner.unsigned(0x01, "vendorCommandId")
        default: break
        }
    }

    /// 0x02, as received or as its members say; nil when there is none.
    public var subCommandParameters: CBOR.Value? {
        if let receivedParameters { return receivedParameters }
        var map = CBOR.Map()
        map[0x01] = (newMinPINLength ?? vendorCommandID).map { .integer($0) }
        map[0x02] = minPinLengthRPIDs.map { .array($0.map { .text($0) }) }
        map[0x03] = forceChangePin.map { .bool($0) }
        map[0x04] = pinComplexityPolicy.map { .bool($0) }
        return map.isEmpty ? nil : .map(map)
    }

    /// What `pinUvAuthParam` is computed over: 32 × 0xFF ‖ 0x0D ‖ the subcommand's byte ‖ the CBOR of its parameters.
    public var authenticatedMessage: [UInt8] {
        [UInt8](repeating: 0xFF, count: 32) + [0x0D, UInt8(truncatingIfNeeded: subCommand)]
            + (subCommandParameters.map { CBOR.encode($0) } ?? [])
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = [0x01: .integer(subCommand)]
        map[0x02] = subCommandParameters
        map[0x03] = pinUvAuthProtocol.map { .integer($0) }
        map[0x04] = pinUvAuthParam.map { .bytes($0) }
        return .map(map)
    }
}
