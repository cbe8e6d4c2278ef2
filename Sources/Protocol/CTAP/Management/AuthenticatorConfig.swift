public import CBOR
package import MessageValues

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
    package enum Key: Int, MessageKey {
        case subCommand = 0x01
        case subCommandParams, pinUvAuthProtocol, pinUvAuthParam
    }

    package enum MinPINLengthKey: Int, MessageKey {
        case newMinPINLength = 0x01
        case minPinLengthRPIDs, forceChangePin, pinComplexityPolicy
    }

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
    public init(subCommand: AuthenticatorConfigSubcommand) { self.subCommand = subCommand.rawValue }

    /// Reads the parameters; a device answers with the refusal thrown.
    public init(cbor: CBOR.Value) throws(Refusal) { try self.init(parameters: cbor) }

    /// The parameter map.
    public var cbor: CBOR.Value { .map(map) }

    /// 0x02, as received or made of its members; nil when there is none.
    public private(set) var subCommandParameters: CBOR.Value? {
        get {
            if let receivedParameters { return receivedParameters }
            return vendorCommandID == nil
                ? written { $0.codeMinPINLength(&$1) } : written { $0.codeVendorPrototype(&$1) }
        }
        set { receivedParameters = newValue }
    }

    /// The message `pinUvAuthParam` authenticates: 32 × 0xFF ‖ 0x0D ‖ the subcommand's byte ‖ the CBOR of its parameters.
    public var authenticatedMessage: [UInt8] {
        [UInt8](repeating: 0xFF, count: 32) + [0x0D, UInt8(truncatingIfNeeded: subCommand)]
            + (subCommandParameters.map { CBOR.encode($0) } ?? [])
    }
}

// MARK: The tables of members

extension AuthenticatorConfigRequest: CodedMap {
    package static let blank = AuthenticatorConfigRequest(subCommand: .toggleAlwaysUv)

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.subCommand, &subCommand)
        members.member(.subCommandParams, map: &subCommandParameters)
        members.member(.pinUvAuthProtocol, &pinUvAuthProtocol)
        members.member(.pinUvAuthParam, &pinUvAuthParam)
        switch AuthenticatorConfigSubcommand(rawValue: subCommand) {
        case .setMinPINLength: members.members(in: receivedParameters) { codeMinPINLength(&$0) }
        case .vendorPrototype: members.members(in: receivedParameters) { codeVendorPrototype(&$0) }
        case .enableEnterpriseAttestation, .toggleAlwaysUv, .enableLongTouchForReset, nil: break
        }
    }

    package static var minPINLengthMembers: [MessageMember] { described { $0.codeMinPINLength(&$1) } }
    package static var vendorPrototypeMembers: [MessageMember] { described { $0.codeVendorPrototype(&$1) } }

    private mutating func codeMinPINLength(_ members: inout MessageCoder<MinPINLengthKey>) {
        members.member(.newMinPINLength, &newMinPINLength)
        members.member(.minPinLengthRPIDs, &minPinLengthRPIDs)
        members.member(.forceChangePin, &forceChangePin)
        members.member(.pinComplexityPolicy, &pinComplexityPolicy)
    }

    private mutating func codeVendorPrototype(_ members: inout MessageCoder<VendorPrototypeKey>) {
        members.member(.vendorCommandId, &vendorCommandID)
    }
}
