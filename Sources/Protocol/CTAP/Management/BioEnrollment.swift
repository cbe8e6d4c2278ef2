public import CBOR
package import MessageValues

/// A subcommand of authenticatorBioEnrollment (CTAP 2.3 §6.7).
public enum BioEnrollmentSubcommand: Int, Sendable, CaseIterable {
    case enrollBegin = 0x01
    case enrollCaptureNextSample = 0x02
    case cancelCurrentEnrollment = 0x03
    case enumerateEnrollments = 0x04
    case setFriendlyName = 0x05
    case removeEnrollment = 0x06
    case getFingerprintSensorInfo = 0x07
}

/// A sensor's verdict on one enrolment sample: lastEnrollSampleStatus (CTAP 2.3 §6.7).
public enum EnrollSampleStatus: Int, Hashable, Sendable, CaseIterable, Codable {
    case good = 0x00
    case tooHigh = 0x01
    case tooLow = 0x02
    case tooLeft = 0x03
    case tooRight = 0x04
    case tooFast = 0x05
    case tooSlow = 0x06
    case poorQuality = 0x07
    case tooSkewed = 0x08
    case tooShort = 0x09
    case mergeFailure = 0x0A
    case exists = 0x0B
    /// The sensor was not touched in time.
    case noUserActivity = 0x0D
    /// The finger was not lifted since the sample before.
    case noUserPresenceTransition = 0x0E
}

/// The kind of a fingerprint sensor (CTAP 2.3 §6.7.2, fingerprintKind).
public enum FingerprintKind: Int, Hashable, Sendable, CaseIterable {
    case touch = 1
    case swipe = 2
}

/// The parameters of authenticatorBioEnrollment, command 0x09, and of its preview, 0x40 (CTAP 2.3 §6.7).
public struct BioEnrollmentRequest: Hashable, Sendable {
    package enum Key: Int, MessageKey {
        case modality = 0x01
        case subCommand, subCommandParams, pinUvAuthProtocol, pinUvAuthParam, getModality
    }

    package enum ParameterKey: Int, MessageKey {
        case templateId = 0x01
        case templateFriendlyName, timeoutMilliseconds
    }

    /// The only modality: fingerprint.
    public static let fingerprint = 0x01

    /// 0x01.
    public var modality: Int?
    /// 0x02, as on the wire: ``BioEnrollmentSubcommand`` names the known ones.
    public var subCommand: Int?
    /// 0x03.0x01.
    public var templateID: [UInt8]?
    /// 0x03.0x02.
    public var friendlyName: String?
    /// 0x03.0x03, milliseconds.
    public var timeoutMilliseconds: Int?
    /// 0x04.
    public var pinUvAuthProtocol: Int?
    /// 0x05, over modality, subcommand and the CBOR of its parameters.
    public var pinUvAuthParam: [UInt8]?
    /// 0x06.
    public var getModality: Bool?
    /// 0x03 as received: the authenticator authenticates these bytes.
    private var receivedParameters: CBOR.Value?

    /// A request for a subcommand with the fingerprint modality, or, for nil, an empty one for getModality.
    public init(subCommand: BioEnrollmentSubcommand? = nil) {
        self.subCommand = subCommand?.rawValue
        modality = subCommand == nil ? nil : Self.fingerprint
    }

    /// Reads the parameters; a device answers with the refusal thrown.
    public init(cbor: CBOR.Value) throws(Refusal) { try self.init(parameters: cbor) }

    /// The parameter map.
    public var cbor: CBOR.Value { .map(map) }

    /// 0x03, as received or made of its members; nil when there is none.
    public private(set) var subCommandParameters: CBOR.Value? {
        get { receivedParameters ?? written { $0.codeParameters(&$1) } }
        set { receivedParameters = newValue }
    }

    /// The message `pinUvAuthParam` authenticates: the bytes of modality and subcommand and the CBOR of its parameters.
    public var authenticatedMessage: [UInt8] {
        [UInt8(truncatingIfNeeded: modality ?? 0), UInt8(truncatingIfNeeded: subCommand ?? 0)]
            + (subCommandParameters.map { CBOR.encode($0) } ?? [])
    }
}

/// The answer to authenticatorBioEnrollment (CTAP 2.3 §6.7).
public struct BioEnrollmentResponse: Hashable, Sendable {
    package enum Key: Int, MessageKey {
        case modality = 0x01
        case fingerprintKind, maxCaptureSamplesRequiredForEnroll, templateId, lastEnrollSampleStatus, remainingSamples,
            templateInfos, maxTemplateFriendlyName
    }

    /// An enrolled finger, `{1: templateId, 2: templateFriendlyName}`.
    public struct TemplateInfo: Hashable, Sendable {
        package enum Key: Int, MessageKey {
            case templateId = 0x01
            case templateFriendlyName
        }

        /// The template ID.
        public var id: [UInt8]
        /// The name of the finger, if it has one.
        public var friendlyName: String?

        /// A template of an ID and a name.
        public init(id: [UInt8], friendlyName: String? = nil) {
            self.id = id
            self.friendlyName = friendlyName
        }
    }

    /// 0x01.
    public var modality: Int?
    /// 0x02: 1 touch, 2 swipe.
    public var fingerprintKind: Int?
    /// 0x03.
    public var maxCaptureSamplesRequiredForEnroll: Int?
    /// 0x04.
    public var templateID: [UInt8]?
    /// 0x05: ``EnrollSampleStatus`` names the known ones.
    public var lastEnrollSampleStatus: Int?
    /// 0x06.
    public var remainingSamples: Int?
    /// 0x07.
    public var templateInfos: [TemplateInfo]?
    /// 0x08, bytes.
    public var maxTemplateFriendlyName: Int?

    /// An empty response.
    public init() {}

    /// Reads a response.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) { try self.init(item: cbor, named: "the response") }

    /// The response map; nil when it is empty.
    public var cbor: CBOR.Value? { itemUnlessEmpty }
}

// MARK: The tables of members

extension BioEnrollmentRequest: CodedMap {
    package static let blank = BioEnrollmentRequest()

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.modality, &modality)
        members.member(.subCommand, &subCommand)
        members.member(.subCommandParams, map: &subCommandParameters)
        members.member(.pinUvAuthProtocol, &pinUvAuthProtocol)
        members.member(.pinUvAuthParam, &pinUvAuthParam)
        members.member(.getModality, &getModality)
        members.members(in: receivedParameters) { codeParameters(&$0) }
    }

    package static var parameterMembers: [MessageMember] { described { $0.codeParameters(&$1) } }

    private mutating func codeParameters(_ members: inout MessageCoder<ParameterKey>) {
        members.member(.templateId, &templateID)
        members.member(.templateFriendlyName, &friendlyName)
        members.member(.timeoutMilliseconds, &timeoutMilliseconds)
    }
}

extension BioEnrollmentResponse: CodedMap {
    package static let blank = BioEnrollmentResponse()

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.modality, &modality)
        members.member(.fingerprintKind, &fingerprintKind)
        members.member(.maxCaptureSamplesRequiredForEnroll, &maxCaptureSamplesRequiredForEnroll)
        members.member(.templateId, &templateID)
        members.member(.lastEnrollSampleStatus, &lastEnrollSampleStatus)
        members.member(.remainingSamples, &remainingSamples)
        members.member(.templateInfos, &templateInfos)
        members.member(.maxTemplateFriendlyName, &maxTemplateFriendlyName)
    }
}

extension BioEnrollmentResponse.TemplateInfo: CodedMap, MemberValue {
    package static let blank = BioEnrollmentResponse.TemplateInfo(id: [])

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.templateId, &id)
        members.member(.templateFriendlyName, &friendlyName)
    }
}
