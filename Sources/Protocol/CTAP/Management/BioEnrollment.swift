public import CBOR

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
    /// The keys of the parameter map.
    package enum Key: Int, MessageKey {
        case modality = 0x01
        case subCommand, subCommandParams, pinUvAuthProtocol, pinUvAuthParam, getModality
    }

    /// The keys of `subCommandParams`.
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
        modality = try members.unsigned(.modality)
        subCommand = try members.unsigned(.subCommand)
        receivedParameters = try members.mapItem(.subCommandParams)
        pinUvAuthProtocol = try members.unsigned(.pinUvAuthProtocol)
        pinUvAuthParam = try members.bytes(.pinUvAuthParam)
        getModality = try members.bool(.getModality)
        guard let receivedParameters else { return }
        let inner = try MessageMap<ParameterKey>(receivedParameters)
        templateID = try inner.bytes(.templateId)
        friendlyName = try inner.text(.templateFriendlyName)
        timeoutMilliseconds = try inner.unsigned(.timeoutMilliseconds)
    }

    /// 0x03, as received or made of its members; nil when there is none.
    public var subCommandParameters: CBOR.Value? {
        if let receivedParameters { return receivedParameters }
        var inner = MessageMap<ParameterKey>()
        inner.set(.templateId, templateID)
        inner.set(.templateFriendlyName, friendlyName)
        inner.set(.timeoutMilliseconds, timeoutMilliseconds)
        return inner.cborUnlessEmpty
    }

    /// The message `pinUvAuthParam` authenticates: the bytes of modality and subcommand and the CBOR of its parameters.
    public var authenticatedMessage: [UInt8] {
        [UInt8(truncatingIfNeeded: modality ?? 0), UInt8(truncatingIfNeeded: subCommand ?? 0)]
            + (subCommandParameters.map { CBOR.encode($0) } ?? [])
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var members = MessageMap<Key>()
        members.set(.modality, modality)
        members.set(.subCommand, subCommand)
        members.set(.subCommandParams, subCommandParameters)
        members.set(.pinUvAuthProtocol, pinUvAuthProtocol)
        members.set(.pinUvAuthParam, pinUvAuthParam)
        members.set(.getModality, getModality)
        return .map(members.map)
    }
}

/// The answer to authenticatorBioEnrollment (CTAP 2.3 §6.7).
public struct BioEnrollmentResponse: Hashable, Sendable {
    /// The keys of the response map.
    package enum Key: Int, MessageKey {
        case modality = 0x01
        case fingerprintKind, maxCaptureSamplesRequiredForEnroll, templateId, lastEnrollSampleStatus, remainingSamples,
            templateInfos, maxTemplateFriendlyName
    }

    /// An enrolled finger, `{1: templateId, 2: templateFriendlyName}`.
    public struct TemplateInfo: Hashable, Sendable {
        /// The keys of the map.
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

        init(cbor: CBOR.Value) throws(CBOR.AccessError) {
            let members = try MessageMap<Key>(cbor, "templateInfo")
            id = try members.required(.templateId, members.bytes)
            friendlyName = try members.text(.templateFriendlyName)
        }

        var cbor: CBOR.Value {
            var members = MessageMap<Key>()
            members.set(.templateId, id)
            members.set(.templateFriendlyName, friendlyName)
            return .map(members.map)
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
    ///
    /// - Throws: `CBOR.AccessError` for a response that is not a map, a missing member and one of a wrong type.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let members = try MessageMap<Key>(cbor)
        modality = try members.unsigned(.modality)
        fingerprintKind = try members.unsigned(.fingerprintKind)
        maxCaptureSamplesRequiredForEnroll = try members.unsigned(.maxCaptureSamplesRequiredForEnroll)
        templateID = try members.bytes(.templateId)
        lastEnrollSampleStatus = try members.unsigned(.lastEnrollSampleStatus)
        remainingSamples = try members.unsigned(.remainingSamples)
        templateInfos = try members.read(.templateInfos) { value throws(CBOR.AccessError) in
            var infos: [TemplateInfo] = []
            for item in try value.asArray(Key.templateInfos.name) { infos.append(try TemplateInfo(cbor: item)) }
            return infos
        }
        maxTemplateFriendlyName = try members.unsigned(.maxTemplateFriendlyName)
    }

    /// The response map; nil when it is empty.
    public var cbor: CBOR.Value? {
        var members = MessageMap<Key>()
        members.set(.modality, modality)
        members.set(.fingerprintKind, fingerprintKind)
        members.set(.maxCaptureSamplesRequiredForEnroll, maxCaptureSamplesRequiredForEnroll)
        members.set(.templateId, templateID)
        members.set(.lastEnrollSampleStatus, lastEnrollSampleStatus)
        members.set(.remainingSamples, remainingSamples)
        members.set(.templateInfos, templateInfos.map { .array($0.map(\.cbor)) })
        members.set(.maxTemplateFriendlyName, maxTemplateFriendlyName)
        return members.cborUnlessEmpty
    }
}
