public import CBOR
internal import MessageValues
internal import WebAuthn

extension AuthenticatorInfo {
    /// Reads an answer; unknown members are skipped.
    ///
    /// - Throws: `CBOR.AccessError` for an answer that is not a map, a missing `versions` or `aaguid`, and a member of
    ///   a wrong type.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) { try self.init(item: cbor, named: "getInfo") }

    /// The response map.
    public var cbor: CBOR.Value { .map(map) }
}

extension AuthenticatorInfo: CodedMap {
    package typealias Key = InfoMember
    package static let blank = AuthenticatorInfo(versions: [], aaguid: .zero)

    package mutating func code(_ members: inout MessageCoder<InfoMember>) {
        members.member(.versions, &versions)
        members.member(.extensions, &extensions)
        members.member(.aaguid, &aaguid)
        members.member(.options, &options)
        members.member(.maxMsgSize, &maxMsgSize)
        members.member(.pinUvAuthProtocols, &pinUvAuthProtocols)
        members.member(.maxCredentialCountInList, &maxCredentialCountInList)
        members.member(.maxCredentialIdLength, &maxCredentialIdLength)
        members.member(.transports, &transports)
        members.member(.algorithms, &algorithms)
        members.member(.maxSerializedLargeBlobArray, &maxSerializedLargeBlobArray)
        members.member(.forcePINChange, &forcePINChange)
        members.member(.minPINLength, &minPINLength)
        members.member(.firmwareVersion, &firmwareVersion)
        members.member(.maxCredBlobLength, &maxCredBlobLength)
        members.member(.maxRPIDsForSetMinPINLength, &maxRPIDsForSetMinPINLength)
        members.member(.preferredPlatformUvAttempts, &preferredPlatformUvAttempts)
        members.member(.uvModality, &uvModality)
        members.member(.certifications, &certifications)
        members.member(.remainingDiscoverableCredentials, &remainingDiscoverableCredentials)
        members.member(.vendorPrototypeConfigCommands, &vendorPrototypeConfigCommands)
        members.member(.attestationFormats, &attestationFormats)
        members.member(.uvCountSinceLastPinEntry, &uvCountSinceLastPinEntry)
        members.member(.longTouchForReset, &longTouchForReset)
        members.member(.encIdentifier, &encIdentifier)
        members.member(.transportsForReset, &transportsForReset)
        members.member(.pinComplexityPolicy, &pinComplexityPolicy)
        members.member(.pinComplexityPolicyURL, &pinComplexityPolicyURL)
        members.member(.maxPINLength, &maxPINLength)
        members.member(.encCredStoreState, &encCredStoreState)
        members.member(.authenticatorConfigCommands, &authenticatorConfigCommands)
    }
}
