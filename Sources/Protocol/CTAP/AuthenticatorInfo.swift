public import CBOR
public import WebAuthn

/// What an authenticator says about itself: the answer to authenticatorGetInfo, command 0x04 (CTAP 2.3 §6.4).
public struct AuthenticatorInfo: Hashable, Sendable {
    /// 0x01: `U2F_V2`, `FIDO_2_0`, `FIDO_2_1_PRE`, `FIDO_2_1`, `FIDO_2_3`.
    public var versions: [String]
    /// 0x02: extension identifiers.
    public var extensions: [String]?
    /// 0x03.
    public var aaguid: AAGUID
    /// 0x04: option identifiers; absent, false and true mean three different things for some.
    public var options: [String: Bool]?
    /// 0x05, bytes; absent means 1024.
    public var maxMsgSize: Int?
    /// 0x06, most wanted first.
    public var pinUvAuthProtocols: [Int]?
    /// 0x07.
    public var maxCredentialCountInList: Int?
    /// 0x08, bytes.
    public var maxCredentialIdLength: Int?
    /// 0x09.
    public var transports: [String]?
    /// 0x0A, most wanted first.
    public var algorithms: [PublicKeyCredentialParameters]?
    /// 0x0B, bytes.
    public var maxSerializedLargeBlobArray: Int?
    /// 0x0C.
    public var forcePINChange: Bool?
    /// 0x0D, code points; absent means 4.
    public var minPINLength: Int?
    /// 0x0E.
    public var firmwareVersion: Int?
    /// 0x0F, bytes.
    public var maxCredBlobLength: Int?
    /// 0x10.
    public var maxRPIDsForSetMinPINLength: Int?
    /// 0x11.
    public var preferredPlatformUvAttempts: Int?
    /// 0x12, the bits of the FIDO registry's user verification methods.
    public var uvModality: Int?
    /// 0x13.
    public var certifications: [String: Int]?
    /// 0x14.
    public var remainingDiscoverableCredentials: Int?
    /// 0x15.
    public var vendorPrototypeConfigCommands: [Int]?
    /// 0x16 (CTAP 2.2), without `none`.
    public var attestationFormats: [String]?
    /// 0x17 (CTAP 2.2).
    public var uvCountSinceLastPinEntry: Int?
    /// 0x18 (CTAP 2.2).
    public var longTouchForReset: Bool?
    /// 0x19 (CTAP 2.2), 32 bytes.
    public var encIdentifier: [UInt8]?
    /// 0x1A (CTAP 2.2).
    public var transportsForReset: [String]?
    /// 0x1B (CTAP 2.2).
    public var pinComplexityPolicy: Bool?
    /// 0x1C (CTAP 2.2).
    public var pinComplexityPolicyURL: [UInt8]?
    /// 0x1D (CTAP 2.2), bytes of UTF-8; absent means 63.
    public var maxPINLength: Int?
    /// 0x1E (CTAP 2.3), 32 bytes.
    public var encCredStoreState: [UInt8]?
    /// 0x1F (CTAP 2.3).
    public var authenticatorConfigCommands: [Int]?

    public init(versions: [String], aaguid: AAGUID) {
        self.versions = versions
        self.aaguid = aaguid
    }

    /// An option's value; nil when the authenticator does not know it.
    public func option(_ identifier: String) -> Bool? {
        options?[identifier]
    }

    /// Reads an answer; unknown members are skipped.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let map = try cbor.asMap("getInfo")
        versions = try map.required(0x01, "versions").texts("versions")
        extensions = try map[0x02]?.texts("extensions")
        let identifier = try map.required(0x03, "aaguid").asBytes("aaguid")
        guard let aaguid = AAGUID(bytes: identifier) else {
            throw CBOR.AccessError(problem: .outOfRange, path: "aaguid")
        }
        self.aaguid = aaguid
        if let value = map[0x04] { options = try readOptions(value) }
        maxMsgSize = try map[0x05]?.asUnsigned("maxMsgSize")
        pinUvAuthProtocols = try map[0x06]?.unsigneds("pinUvAuthProtocols")
        maxCredentialCountInList = try map[0x07]?.asUnsigned("maxCredentialCountInList")
        maxCredentialIdLength = try map[0x08]?.asUnsigned("maxCredentialIdLength")
        transports = try map[0x09]?.texts("transports")
        if let value = map[0x0A] { algorithms = try PublicKeyCredentialParameters.list(value, path: "algorithms") }
        maxSerializedLargeBlobArray = try map[0x0B]?.asUnsigned("maxSerializedLargeBlobArray")
        forcePINChange = try map[0x0C]?.asBool("forcePINChange")
        minPINLength = try map[0x0D]?.asUnsigned("minPINLength")
        firmwareVersion = try map[0x0E]?.asUnsigned("firmwareVersion")
        maxCredBlobLength = try map[0x0F]?.asUnsigned("maxCredBlobLength")
        maxRPIDsForSetMinPINLength = try map[0x10]?.asUnsigned("maxRPIDsForSetMinPINLength")
        preferredPlatformUvAttempts = try map[0x11]?.asUnsigned("preferredPlatformUvAttempts")
        uvModality = try map[0x12]?.asUnsigned("uvModality")
        if let value = map[0x13] {
            var levels: [String: Int] = [:]
            for (key, level) in try value.asMap("certifications") {
                levels[try key.asText("certifications")] = try level.asUnsigned("certifications")
            }
            certifications = levels
        }
        remainingDiscoverableCredentials = try map[0x14]?.asUnsigned("remainingDiscoverableCredentials")
        vendorPrototypeConfigCommands = try map[0x15]?.unsigneds("vendorPrototypeConfigCommands")
        attestationFormats = try map[0x16]?.texts("attestationFormats")
        uvCountSinceLastPinEntry = try map[0x17]?.asUnsigned("uvCountSinceLastPinEntry")
        longTouchForReset = try map[0x18]?.asBool("longTouchForReset")
        encIdentifier = try map[0x19]?.asBytes("encIdentifier")
        transportsForReset = try map[0x1A]?.texts("transportsForReset")
        pinComplexityPolicy = try map[0x1B]?.asBool("pinComplexityPolicy")
        pinComplexityPolicyURL = try map[0x1C]?.asBytes("pinComplexityPolicyURL")
        maxPINLength = try map[0x1D]?.asUnsigned("maxPINLength")
        encCredStoreState = try map[0x1E]?.asBytes("encCredStoreState")
        authenticatorConfigCommands = try map[0x1F]?.unsigneds("authenticatorConfigCommands")
    }

    /// The response map.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = [0x01: .texts(versions), 0x03: .bytes(aaguid.bytes)]
        map[0x02] = extensions.map { .texts($0) }
        map[0x04] = options.map { .map(CBOR.Map($0.mapValues { .bool($0) })) }
        map[0x05] = maxMsgSize.map { .integer($0) }
        map[0x06] = pinUvAuthProtocols.map { .integers($0) }
        map[0x07] = maxCredentialCountInList.map { .integer($0) }
        map[0x08] = maxCredentialIdLength.map { .integer($0) }
        map[0x09] = transports.map { .texts($0) }
        map[0x0A] = algorithms.map { .array($0.map(\.cbor)) }
        map[0x0B] = maxSerializedLargeBlobArray.map { .integer($0) }
        map[0x0C] = forcePINChange.map { .bool($0) }
        map[0x0D] = minPINLength.map { .integer($0) }
        map[0x0E] = firmwareVersion.map { .integer($0) }
        map[0x0F] = maxCredBlobLength.map { .integer($0) }
        map[0x10] = maxRPIDsForSetMinPINLength.map { .integer($0) }
        map[0x11] = preferredPlatformUvAttempts.map { .integer($0) }
        map[0x12] = uvModality.map { .integer($0) }
        map[0x13] = certifications.map { .map(CBOR.Map($0.mapValues { .integer($0) })) }
        map[0x14] = remainingDiscoverableCredentials.map { .integer($0) }
        map[0x15] = vendorPrototypeConfigCommands.map { .integers($0) }
        map[0x16] = attestationFormats.map { .texts($0) }
        map[0x17] = uvCountSinceLastPinEntry.map { .integer($0) }
        map[0x18] = longTouchForReset.map { .bool($0) }
        map[0x19] = encIdentifier.map { .bytes($0) }
        map[0x1A] = transportsForReset.map { .texts($0) }
        map[0x1B] = pinComplexityPolicy.map { .bool($0) }
        map[0x1C] = pinComplexityPolicyURL.map { .bytes($0) }
        map[0x1D] = maxPINLength.map { .integer($0) }
        map[0x1E] = encCredStoreState.map { .bytes($0) }
        map[0x1F] = authenticatorConfigCommands.map { .integers($0) }
        return .map(map)
    }
}

extension CBOR.Value {
    fileprivate static func texts(_ items: [String]) -> CBOR.Value { .array(items.map { .text($0) }) }
    fileprivate static func integers(_ items: [Int]) -> CBOR.Value { .array(items.map { .integer($0) }) }

    fileprivate func texts(_ path: String) throws(CBOR.AccessError) -> [String] {
        var result: [String] = []
        for item in try asArray(path) { result.append(try item.asText(path)) }
        return result
    }

    fileprivate func unsigneds(_ path: String) throws(CBOR.AccessError) -> [Int] {
        var result: [Int] = []
        for item in try asArray(path) { result.append(try item.asUnsigned(path)) }
        return result
    }
}
