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
    /// The keys of the parameter map.
    package enum Key: Int, MessageKey {
        case subCommand = 0x01
        case subCommandParams, pinUvAuthProtocol, pinUvAuthParam
    }

    /// The keys of `subCommandParams` of setMinPINLength.
    package enum MinPINLengthKey: Int, MessageKey {
        case newMinPINLength = 0x01
        case minPinLengthRPIDs, forceChangePin, pinComplexityPolicy
    }

    /// The keys of `subCommandParams` of vendorPrototype.
    package enum VendorPrototypeKey: Int, MessageKey {
        case vendorCommandId = 0x01
    }

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
    /// 0x02 as received: the authenticator authenticates these bytes.
    private var receivedParameters: CBOR.Value?

    /// A request for a subcommand, without parameters.
    public init(subCommand: AuthenticatorConfigSubcommand) {
        self.subCommand = subCommand.rawValue
    }

    /// Reads the parameters.
    ///
    /// - Throws: the refusal a device answers with: 0x11 for a member of a wrong type, 0x14 for a missing one, 0x02 for
    ///   a number out of range.
    public init(cbor: CBOR.Value) throws(Refusal) {
        do {
            try self.init(MessageMap(cbor, "the parameters"))
        } catch {
            throw Refusal(error)
        }
    }

    private init(_ members: MessageMap<Key>) throws(CBOR.AccessError) {
        subCommand = try members.required(.subCommand, members.unsigned)
        receivedParameters = try members.mapItem(.subCommandParams)
        pinUvAuthProtocol = try members.unsigned(.pinUvAuthProtocol)
        pinUvAuthParam = try members.bytes(.pinUvAuthParam)
        guard let receivedParameters else { return }
        switch AuthenticatorConfigSubcommand(rawValue: subCommand) {
        case .setMinPINLength:
            let inner = try MessageMap<MinPINLengthKey>(receivedParameters)
            newMinPINLength = try inner.unsigned(.newMinPINLength)
            minPinLengthRPIDs = try inner.texts(.minPinLengthRPIDs)
            forceChangePin = try inner.bool(.forceChangePin)
            pinComplexityPolicy = try inner.bool(.pinComplexityPolicy)
        case .vendorPrototype:
            let inner = try MessageMap<VendorPrototypeKey>(receivedParameters)
            vendorCommandID = try inner.unsigned(.vendorCommandId)
        default: break
        }
    }

    /// 0x02, as received or made of its members; nil when there is none.
    public var subCommandParameters: CBOR.Value? {
        if let receivedParameters { return receivedParameters }
        if let vendorCommandID {
            var inner = MessageMap<VendorPrototypeKey>()
            inner.set(.vendorCommandId, vendorCommandID)
            return .map(inner.map)
        }
        var inner = MessageMap<MinPINLengthKey>()
        inner.set(.newMinPINLength, newMinPINLength)
        inner.set(.minPinLengthRPIDs, minPinLengthRPIDs)
        inner.set(.forceChangePin, forceChangePin)
        inner.set(.pinComplexityPolicy, pinComplexityPolicy)
        return inner.cborUnlessEmpty
    }

    /// The message `pinUvAuthParam` authenticates: 32 × 0xFF ‖ 0x0D ‖ the subcommand's byte ‖ the CBOR of its parameters.
    public var authenticatedMessage: [UInt8] {
        [UInt8](repeating: 0xFF, count: 32) + [0x0D, UInt8(truncatingIfNeeded: subCommand)]
            + (subCommandParameters.map { CBOR.encode($0) } ?? [])
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var members = MessageMap<Key>()
        members.set(.subCommand, subCommand)
        members.set(.subCommandParams, subCommandParameters)
        members.set(.pinUvAuthProtocol, pinUvAuthProtocol)
        members.set(.pinUvAuthParam, pinUvAuthParam)
        return .map(members.map)
    }
}
