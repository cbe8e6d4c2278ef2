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

/// What a sensor says of one sample taken while enrolling: lastEnrollSampleStatus (CTAP 2.3 §6.7).
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
    /// Nobody touched the sensor in time.
    case noUserActivity = 0x0D
    /// The finger was not lifted since the sample before.
    case noUserPresenceTransition = 0x0E
}

/// How a fingerprint sensor is used (CTAP 2.3 §6.7.2, fingerprintKind).
public enum FingerprintKind: Int, Hashable, Sendable, CaseIterable {
    case touch = 1
    case swipe = 2
}

/// The parameters of authenticatorBioEnrollment, command 0x09, and of its preview, 0x40 (CTAP 2.3 §6.7).
public struct BioEnrollmentRequest: Hashable, Sendable {
    /// The one modality there is: fingerprint.
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
    /// 0x03 as received, which is what the authenticator authenticates.
    private var receivedParameters: CBOR.Value?

    public init(subCommand: BioEnrollmentSubcommand? = nil) {
        self.subCommand = subCommand?.rawValue
        modality = subCommand == nil ? nil : Self.fingerprint
    }

    /// Reads the parameters; throws the refusal the wire calls for.
    public init(cbor: CBOR.Value) throws(Refusal) {
        let parameters = try RequestParameters(cbor)
        modality = try parameters.unsigned(0x01, "modality")
        subCommand = try parameters.unsigned(0x02, "subCommand")
        receivedParameters = try parameters.optional(0x03) { value throws(CBOR.AccessError) in
            _ = try value.asMap("subCommandParams")
            return value
        }
        pinUvAuthProtocol = try parameters.unsigned(0x04, "pinUvAuthProtocol")
        pinUvAuthParam = try parameters.bytes(0x05, "pinUvAuthParam")
        getModality = try parameters.optional(0x06) { value throws(CBOR.AccessError) in
            try value.asBool("getModality")
        }
        guard let receivedParameters else { return }
        let inner = try RequestParameters(receivedParameters)
        templateID = try inner.bytes(0x01, "templateId")
        friendlyName = try inner.optional(0x02) { value throws(CBOR.AccessError) in
            try value.asText("templateFriendlyName")
        }
        timeoutMilliseconds = try inner.unsigned(0x03, "timeoutMilliseconds")
    }

    /// 0x03, as received or as its members say; nil when there is none.
    public var subCommandParameters: CBOR.Value? {
        if let receivedParameters { return receivedParameters }
        var map = CBOR.Map()
        map[0x01] = templateID.map { .bytes($0) }
        map[0x02] = friendlyName.map { .text($0) }
        map[0x03] = timeoutMilliseconds.map { .integer($0) }
        return map.isEmpty ? nil : .map(map)
    }

    /// What `pinUvAuthParam` is computed over: the bytes of modality and subcommand and the CBOR of its parameters.
    public var authenticatedMessage: [UInt8] {
        [UInt8(truncatingIfNeeded: modality ?? 0), UInt8(truncatingIfNeeded: subCommand ?? 0)]
            + (subCommandParameters.map { CBOR.encode($0) } ?? [])
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var map = CBOR.Map()
        map[0x01] = modality.map { .integer($0) }
        map[0x02] = subCommand.map { .integer($0) }
        map[0x03] = subCommandParameters
        map[0x04] = pinUvAuthProtocol.map { .integer($0) }
        map[0x05] = pinUvAuthParam.map { .bytes($0) }
        map[0x06] = getModality.map { .bool($0) }
        return .map(map)
    }
}

/// The answer to authenticatorBioEnrollment (CTAP 2.3 §6.7).
public struct BioEnrollmentResponse: Hashable, Sendable {
    /// An enrolled finger, `{1: templateId, 2: templateFriendlyName}`.
    public struct TemplateInfo: Hashable, Sendable {
        public var id: [UInt8]
        public var friendlyName: String?

        public init(id: [UInt8], friendlyName: String? = nil) {
            self.id = id
            self.friendlyName = friendlyName
        }

        init(cbor: CBOR.Value) throws(CBOR.AccessError) {
            let map = try cbor.asMap("templateInfo")
            id = try map.required(0x01, "templateId").asBytes("templateId")
            friendlyName = try map[0x02]?.asText("templateFriendlyName")
        }

        var cbor: CBOR.Value {
            var map: CBOR.Map = [0x01: .bytes(id)]
            map[0x02] = friendlyName.map { .text($0) }
            return .map(map)
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

    public init() {}

    /// Reads an answer.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let map = try cbor.asMap("the response")
        modality = try map[0x01]?.asUnsigned("modality")
        fingerprintKind = try map[0x02]?.asUnsigned("fingerprintKind")
        maxCaptureSamplesRequiredForEnroll = try map[0x03]?.asUnsigned("maxCaptureSamplesRequiredForEnroll")
        templateID = try map[0x04]?.asBytes("templateId")
        lastEnrollSampleStatus = try map[0x05]?.asUnsigned("lastEnrollSampleStatus")
        remainingSamples = try map[0x06]?.asUnsigned("remainingSamples")
        if let items = try map[0x07]?.asArray("templateInfos") {
            var infos: [TemplateInfo] = []
            for item in items { infos.append(try TemplateInfo(cbor: item)) }
            templateInfos = infos
        }
        maxTemplateFriendlyName = try map[0x08]?.asUnsigned("maxTemplateFriendlyName")
    }

    /// The response map; nil when there is nothing to say.
    public var cbor: CBOR.Value? {
        var map = CBOR.Map()
        map[0x01] = modality.map { .integer($0) }
        map[0x02] = fingerprintKind.map { .integer($0) }
        map[0x03] = maxCaptureSamplesRequiredForEnroll.map { .integer($0) }
        map[0x04] = templateID.map { .bytes($0) }
        map[0x05] = lastEnrollSampleStatus.map { .integer($0) }
        map[0x06] = remainingSamples.map { .integer($0) }
        map[0x07] = templateInfos.map { .array($0.map(\.cbor)) }
        map[0x08] = maxTemplateFriendlyName.map { .integer($0) }
        return map.isEmpty ? nil : .map(map)
    }
}
