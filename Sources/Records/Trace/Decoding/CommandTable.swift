internal import CBOR
internal import CTAP
internal import MessageValues

/// The request and response parameters of one command.
///
/// Names and types come from CTAP's tables of members. The tables here add facts that a type does not state: which bytes are
/// public, which numbers have names, and which values are secret. Bytes without an entry count as possibly secret.
struct CommandDescription: Sendable {
    var request: [MapMember] = []
    var response: [MapMember] = []
    /// The key of the subcommand, and the names of the known ones.
    var subcommand: (key: Int, names: [Int: String])?

    /// Every command of CTAP 2.3 §6, and the preview versions of two.
    static let all: [CTAPCommand: CommandDescription] = [
        .makeCredential: makeCredential, .getAssertion: getAssertion, .getInfo: CommandDescription(response: getInfo),
        .clientPIN: clientPIN, .reset: CommandDescription(),
        .getNextAssertion: CommandDescription(response: assertion), .bioEnrollment: bioEnrollment,
        .credentialManagement: credentialManagement, .selection: CommandDescription(), .largeBlobs: largeBlobs,
        .config: configuration, .bioEnrollmentPreview: bioEnrollment,
        .credentialManagementPreview: credentialManagement,
    ]

    private static func members<Message: CodedMap>(_: Message.Type, _ shapes: [Message.Key: Shape] = [:]) -> [MapMember]
    {
        MapMember.list(Message.members, shapes)
    }

    /// The names of numbers, such as those of subcommands.
    private static func names<Subcommand: CaseIterable & RawRepresentable<Int>>(_: Subcommand.Type) -> [Int: String] {
        Dictionary(uniqueKeysWithValues: Subcommand.allCases.map { ($0.rawValue, "\($0)") })
    }

    // MARK: 0x01 and 0x02 (CTAP 2.3 §6.1, §6.2)

    private static let makeCredential = CommandDescription(
        request: members(
            MakeCredentialRequest.self,
            [
                .clientDataHash: .bytes, .user: .user, .excludeList: .list(.descriptor),
                .extensions: .members(ExtensionDescription.creationInputs), .pinUvAuthParam: .secret,
                .enterpriseAttestation: .integer([1: "vendor-facilitated", 2: "platform-managed"]),
            ]),
        response: members(
            MakeCredentialResponse.self,
            [
                .authData: .authenticatorData(outputs: ExtensionDescription.creationOutputs), .attStmt: .anything,
                .largeBlobKey: .secret, .unsignedExtensionOutputs: .members(ExtensionDescription.creationOutputs),
            ]))

    private static let getAssertion = CommandDescription(
        request: members(
            GetAssertionRequest.self,
            [
                .clientDataHash: .bytes, .allowList: .list(.descriptor),
                .extensions: .members(ExtensionDescription.assertionInputs), .pinUvAuthParam: .secret,
            ]),
        response: assertion)

    private static let assertion = members(
        GetAssertionResponse.self,
        [
            .credential: .descriptor, .authData: .authenticatorData(outputs: ExtensionDescription.assertionOutputs),
            .signature: .bytes, .user: .user, .largeBlobKey: .secret,
            .unsignedExtensionOutputs: .members(ExtensionDescription.assertionOutputs),
        ])

    // MARK: 0x04 (CTAP 2.3 §6.4)

    private static let getInfo = members(
        AuthenticatorInfo.self,
        [
            .uvModality: .bits(InfoMember.userVerificationMethods), .encIdentifier: .bytes,
            .pinComplexityPolicyURL: .textInBytes, .encCredStoreState: .bytes,
            .authenticatorConfigCommands: .list(.integer(configurationSubcommands)),
        ])

    // MARK: 0x06 (CTAP 2.3 §6.5)

    private static let clientPINSubcommands = names(ClientPINSubcommand.self)

    private static let clientPIN = CommandDescription(
        request: members(
            ClientPINRequest.self,
            [
                .subCommand: .integer(clientPINSubcommands), .keyAgreement: .coseKey, .pinUvAuthParam: .secret,
                .newPinEnc: .secret, .pinHashEnc: .secret,
                .permissions: .bits(["mc", "ga", "cm", "be", "lbw", "acfg", "pcmr"]),
            ]),
        response: members(ClientPINResponse.self, [.keyAgreement: .coseKey, .pinUvAuthToken: .secret]),
        subcommand: (ClientPINRequest.Key.subCommand.rawValue, clientPINSubcommands))

    // MARK: 0x09 (CTAP 2.3 §6.7)

    private static let bioEnrollmentSubcommands = names(BioEnrollmentSubcommand.self)

    private static let bioEnrollmentParameters = MapMember.list(
        BioEnrollmentRequest.parameterMembers, [BioEnrollmentRequest.ParameterKey.templateId: .bytes])

    private static let bioEnrollment = CommandDescription(
        request: members(
            BioEnrollmentRequest.self,
            [
                .modality: .integer([1: "fingerprint"]), .subCommand: .integer(bioEnrollmentSubcommands),
                .subCommandParams: .members(bioEnrollmentParameters), .pinUvAuthParam: .secret,
            ]),
        response: members(
            BioEnrollmentResponse.self,
            [
                .modality: .integer([1: "fingerprint"]), .fingerprintKind: .integer(names(FingerprintKind.self)),
                .templateId: .bytes, .lastEnrollSampleStatus: .integer(sampleStatuses),
                .templateInfos: .list(
                    .members(members(BioEnrollmentResponse.TemplateInfo.self, [.templateId: .bytes]))),
            ]),
        subcommand: (BioEnrollmentRequest.Key.subCommand.rawValue, bioEnrollmentSubcommands))

    private static let sampleStatuses = [
        0x00: "good", 0x01: "too high", 0x02: "too low", 0x03: "too left", 0x04: "too right", 0x05: "too fast",
        0x06: "too slow", 0x07: "poor quality", 0x08: "too skewed", 0x09: "too short", 0x0A: "merge failure",
        0x0B: "exists already", 0x0D: "no user activity", 0x0E: "no user presence transition",
    ]

    // MARK: 0x0A (CTAP 2.3 §6.8)

    private static let credentialManagementSubcommands = names(CredentialManagementSubcommand.self)

    private static let credentialManagementParameters = MapMember.list(
        CredentialManagementRequest.parameterMembers,
        [CredentialManagementRequest.ParameterKey.rpIDHash: .bytes, .credentialID: .descriptor, .user: .user])

    private static let credentialManagement = CommandDescription(
        request: members(
            CredentialManagementRequest.self,
            [
                .subCommand: .integer(credentialManagementSubcommands),
                .subCommandParams: .members(credentialManagementParameters), .pinUvAuthParam: .secret,
            ]),
        response: members(
            CredentialManagementResponse.self,
            [
                .rpIDHash: .bytes, .user: .user, .credentialID: .descriptor, .publicKey: .coseKey,
                .largeBlobKey: .secret,
            ]),
        subcommand: (CredentialManagementRequest.Key.subCommand.rawValue, credentialManagementSubcommands))

    // MARK: 0x0C and 0x0D (CTAP 2.3 §6.10, §6.11)

    /// The array is ciphertext, and not secret; the largeBlobKey that decrypts it is.
    private static let largeBlobs = CommandDescription(
        request: members(LargeBlobsRequest.self, [.set: .bytes, .pinUvAuthParam: .secret]),
        response: members(LargeBlobsResponse.self, [.config: .bytes]))

    private static let configurationSubcommands = names(AuthenticatorConfigSubcommand.self)

    private static let configuration = CommandDescription(
        request: members(
            AuthenticatorConfigRequest.self,
            [
                .subCommand: .integer(configurationSubcommands), .pinUvAuthParam: .secret,
                .subCommandParams: .selected(
                    by: .sibling(AuthenticatorConfigRequest.Key.subCommand.rawValue),
                    [
                        AuthenticatorConfigSubcommand.setMinPINLength.rawValue:
                            Shape(.members(AuthenticatorConfigRequest.minPINLengthMembers)),
                        AuthenticatorConfigSubcommand.vendorPrototype.rawValue:
                            Shape(.members(AuthenticatorConfigRequest.vendorPrototypeMembers)),
                    ]),
            ]),
        subcommand: (AuthenticatorConfigRequest.Key.subCommand.rawValue, configurationSubcommands))
}
