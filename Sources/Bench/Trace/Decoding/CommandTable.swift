internal import CTAP

/// The request and response parameters of one command.
struct CommandDescription: Sendable {
    var request: [Member] = []
    var response: [Member] = []
    /// The key of the subcommand, and the names of the known ones.
    var subcommand: (key: Int, names: [Int: String])?

    /// Every command of CTAP 2.3 §6, and the preview versions of two.
    static let all: [UInt8: CommandDescription] = [
        0x01: makeCredential, 0x02: getAssertion, 0x04: CommandDescription(response: getInfo), 0x06: clientPIN,
        0x07: CommandDescription(), 0x08: CommandDescription(response: assertion), 0x09: bioEnrollment,
        0x0A: credentialManagement, 0x0B: CommandDescription(), 0x0C: largeBlobs, 0x0D: configuration,
        0x40: bioEnrollment, 0x41: credentialManagement,
    ]

    /// The members of a map by its keys, each with its shape.
    private static func members<Key: MessageKey>(_: Key.Type, _ shape: (Key) -> Shape) -> [Member] {
        Key.allCases.map { Member($0.rawValue, $0.name, shape($0)) }
    }

    /// The names of numbers, such as those of subcommands.
    private static func names<Subcommand: CaseIterable & RawRepresentable<Int>>(_: Subcommand.Type) -> [Int: String] {
        Dictionary(uniqueKeysWithValues: Subcommand.allCases.map { ($0.rawValue, "\($0)") })
    }

    // MARK: 0x01 and 0x02 (CTAP 2.3 §6.1, §6.2)

    private static let makeCredential = CommandDescription(
        request: members(MakeCredentialRequest.Key.self) {
            switch $0 {
            case .clientDataHash: .bytes
            case .rp: .relyingParty
            case .user: .user
            case .pubKeyCredParams: .list(.parameters)
            case .excludeList: .list(.descriptor)
            case .extensions: .members(ExtensionDescription.creationInputs)
            case .options: .dictionary(.bool)
            case .pinUvAuthParam: .secret
            case .pinUvAuthProtocol: .integer()
            case .enterpriseAttestation: .integer([1: "vendor-facilitated", 2: "platform-managed"])
            case .attestationFormatsPreference: .list(.text)
            }
        },
        response: members(MakeCredentialResponse.Key.self) {
            switch $0 {
            case .fmt: .text
            case .authData: .authenticatorData(outputs: ExtensionDescription.creationOutputs)
            case .attStmt: .anything
            case .epAtt: .bool
            case .largeBlobKey: .secret
            case .unsignedExtensionOutputs: .members(ExtensionDescription.creationOutputs)
            }
        })

    private static let getAssertion = CommandDescription(
        request: members(GetAssertionRequest.Key.self) {
            switch $0 {
            case .rpId: .text
            case .clientDataHash: .bytes
            case .allowList: .list(.descriptor)
            case .extensions: .members(ExtensionDescription.assertionInputs)
            case .options: .dictionary(.bool)
            case .pinUvAuthParam: .secret
            case .pinUvAuthProtocol: .integer()
            }
        },
        response: assertion)

    private static let assertion = members(GetAssertionResponse.Key.self) {
        switch $0 {
        case .credential: .descriptor
        case .authData: .authenticatorData(outputs: ExtensionDescription.assertionOutputs)
        case .signature: .bytes
        case .user: .user
        case .numberOfCredentials: .integer()
        case .userSelected: .bool
        case .largeBlobKey: .secret
        case .unsignedExtensionOutputs: .members(ExtensionDescription.assertionOutputs)
        }
    }

    // MARK: 0x04 (CTAP 2.3 §6.4)

    private static let getInfo = members(InfoMember.self, shape)

    private static func shape(of member: InfoMember) -> Shape {
        switch member.type {
        case .unsigned: member == .uvModality ? .bits(userVerification) : .integer()
        case .unsigneds: .list(.integer(member == .authenticatorConfigCommands ? configurationSubcommands : [:]))
        case .bool: .bool
        case .bytes: .bytes
        case .texts: .list(.text)
        case .aaguid: .aaguid
        case .textInBytes: .textInBytes
        case .options: .dictionary(.bool)
        case .algorithms: .list(.parameters)
        case .levels: .dictionary(.integer())
        }
    }

    /// FIDO Registry of Predefined Values §3.1.
    private static let userVerification = [
        "presence", "fingerprint", "passcode", "voice", "face", "location", "eye", "pattern", "hand", "none", "all",
        "passcode outside", "pattern outside",
    ]

    // MARK: 0x06 (CTAP 2.3 §6.5)

    private static let clientPINSubcommands = names(ClientPINSubcommand.self)

    private static let clientPIN = CommandDescription(
        request: members(ClientPINRequest.Key.self) {
            switch $0 {
            case .pinUvAuthProtocol: .integer()
            case .subCommand: .integer(clientPINSubcommands)
            case .keyAgreement: .coseKey
            case .pinUvAuthParam, .newPinEnc, .pinHashEnc: .secret
            case .permissions: .bits(["mc", "ga", "cm", "be", "lbw", "acfg", "pcmr"])
            case .rpId: .text
            }
        },
        response: members(ClientPINResponse.Key.self) {
            switch $0 {
            case .keyAgreement: .coseKey
            case .pinUvAuthToken: .secret
            case .pinRetries, .uvRetries: .integer()
            case .powerCycleState: .bool
            }
        },
        subcommand: (ClientPINRequest.Key.subCommand.rawValue, clientPINSubcommands))

    // MARK: 0x09 (CTAP 2.3 §6.7)

    private static let bioEnrollmentSubcommands = names(BioEnrollmentSubcommand.self)

    private static let templateInfo = Shape.members(
        members(BioEnrollmentResponse.TemplateInfo.Key.self) {
            switch $0 {
            case .templateId: .bytes
            case .templateFriendlyName: .text
            }
        })

    private static let bioEnrollment = CommandDescription(
        request: members(BioEnrollmentRequest.Key.self) {
            switch $0 {
            case .modality: .integer([1: "fingerprint"])
            case .subCommand: .integer(bioEnrollmentSubcommands)
            case .subCommandParams:
                .members(
                    members(BioEnrollmentRequest.ParameterKey.self) {
                        switch $0 {
                        case .templateId: .bytes
                        case .templateFriendlyName: .text
                        case .timeoutMilliseconds: .integer()
                        }
                    })
            case .pinUvAuthProtocol: .integer()
            case .pinUvAuthParam: .secret
            case .getModality: .bool
            }
        },
        response: members(BioEnrollmentResponse.Key.self) {
            switch $0 {
            case .modality: .integer([1: "fingerprint"])
            case .fingerprintKind: .integer(names(FingerprintKind.self))
            case .maxCaptureSamplesRequiredForEnroll, .remainingSamples, .maxTemplateFriendlyName: .integer()
            case .templateId: .bytes
            case .lastEnrollSampleStatus: .integer(sampleStatuses)
            case .templateInfos: .list(templateInfo)
            }
        },
        subcommand: (BioEnrollmentRequest.Key.subCommand.rawValue, bioEnrollmentSubcommands))

    private static let sampleStatuses = [
        0x00: "good", 0x01: "too high", 0x02: "too low", 0x03: "too left", 0x04: "too right", 0x05: "too fast",
        0x06: "too slow", 0x07: "poor quality", 0x08: "too skewed", 0x09: "too short", 0x0A: "merge failure",
        0x0B: "exists already", 0x0D: "no user activity", 0x0E: "no user presence transition",
    ]

    // MARK: 0x0A (CTAP 2.3 §6.8)

    private static let credentialManagementSubcommands = names(CredentialManagementSubcommand.self)

    private static let credentialManagement = CommandDescription(
        request: members(CredentialManagementRequest.Key.self) {
            switch $0 {
            case .subCommand: .integer(credentialManagementSubcommands)
            case .subCommandParams:
                .members(
                    members(CredentialManagementRequest.ParameterKey.self) {
                        switch $0 {
                        case .rpIDHash: .bytes
                        case .credentialID: .descriptor
                        case .user: .user
                        }
                    })
            case .pinUvAuthProtocol: .integer()
            case .pinUvAuthParam: .secret
            }
        },
        response: members(CredentialManagementResponse.Key.self) {
            switch $0 {
            case .existingResidentCredentialsCount, .maxPossibleRemainingResidentCredentialsCount, .totalRPs,
                .totalCredentials, .credProtect:
                .integer()
            case .rp: .relyingParty
            case .rpIDHash: .bytes
            case .user: .user
            case .credentialID: .descriptor
            case .publicKey: .coseKey
            case .largeBlobKey: .secret
            case .thirdPartyPayment: .bool
            }
        },
        subcommand: (CredentialManagementRequest.Key.subCommand.rawValue, credentialManagementSubcommands))

    // MARK: 0x0C and 0x0D (CTAP 2.3 §6.10, §6.11)

    /// The array is ciphertext, and not secret; the largeBlobKey that decrypts it is.
    private static let largeBlobs = CommandDescription(
        request: members(LargeBlobsRequest.Key.self) {
            switch $0 {
            case .get, .offset, .length, .pinUvAuthProtocol: .integer()
            case .set: .bytes
            case .pinUvAuthParam: .secret
            }
        },
        response: members(LargeBlobsResponse.Key.self) {
            switch $0 {
            case .config: .bytes
            }
        })

    private static let configurationSubcommands = names(AuthenticatorConfigSubcommand.self)

    private static let configuration = CommandDescription(
        request: members(AuthenticatorConfigRequest.Key.self) {
            switch $0 {
            case .subCommand: .integer(configurationSubcommands)
            case .subCommandParams:
                .selected(
                    by: .sibling(AuthenticatorConfigRequest.Key.subCommand.rawValue),
                    [
                        AuthenticatorConfigSubcommand.setMinPINLength.rawValue: minPINLength,
                        AuthenticatorConfigSubcommand.vendorPrototype.rawValue: vendorPrototype,
                    ])
            case .pinUvAuthProtocol: .integer()
            case .pinUvAuthParam: .secret
            }
        },
        subcommand: (AuthenticatorConfigRequest.Key.subCommand.rawValue, configurationSubcommands))

    private static let minPINLength = Shape.members(
        members(AuthenticatorConfigRequest.MinPINLengthKey.self) {
            switch $0 {
            case .newMinPINLength: .integer()
            case .minPinLengthRPIDs: .list(.text)
            case .forceChangePin, .pinComplexityPolicy: .bool
            }
        })

    private static let vendorPrototype = Shape.members(
        members(AuthenticatorConfigRequest.VendorPrototypeKey.self) {
            switch $0 {
            case .vendorCommandId: .integer()
            }
        })
}
