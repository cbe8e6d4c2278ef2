internal import CTAP

/// What goes in and out of one command.
struct CommandDescription: Sendable {
    var request: [Member] = []
    var response: [Member] = []
    /// Where the subcommand is, and what the known ones are called.
    var subcommand: (key: Int, names: [Int: String])?

    /// Every command of CTAP 2.3 §6, and the previews of two of them.
    static let all: [UInt8: CommandDescription] = [
        0x01: makeCredential, 0x02: getAssertion, 0x04: CommandDescription(response: getInfo), 0x06: clientPIN,
        0x07: CommandDescription(), 0x08: CommandDescription(response: assertion), 0x09: bioEnrollment,
        0x0A: credentialManagement, 0x0B: CommandDescription(), 0x0C: largeBlobs, 0x0D: configuration,
        0x40: bioEnrollment, 0x41: credentialManagement,
    ]

    /// The names of subcommands, by number.
    private static func names<Subcommand: CaseIterable & RawRepresentable<Int>>(_: Subcommand.Type) -> [Int: String] {
        Dictionary(uniqueKeysWithValues: Subcommand.allCases.map { ($0.rawValue, "\($0)") })
    }

    // MARK: 0x01 and 0x02 (CTAP 2.3 §6.1, §6.2)

    private static let makeCredential = CommandDescription(
        request: [
            Member(1, "clientDataHash", .bytes), Member(2, "rp", .relyingParty), Member(3, "user", .user),
            Member(4, "pubKeyCredParams", .list(.parameters)), Member(5, "excludeList", .list(.descriptor)),
            Member(6, "extensions", .members(ExtensionDescription.creationInputs)),
            Member(7, "options", .dictionary(.bool)), Member(8, "pinUvAuthParam", .secret),
            Member(9, "pinUvAuthProtocol", .integer()),
            Member(0x0A, "enterpriseAttestation", .integer([1: "vendor-facilitated", 2: "platform-managed"])),
            Member(0x0B, "attestationFormatsPreference", .list(.text)),
        ],
        response: [
            Member(1, "fmt", .text),
            Member(2, "authData", .authenticatorData(outputs: ExtensionDescription.creationOutputs)),
            Member(3, "attStmt", .anything), Member(4, "epAtt", .bool), Member(5, "largeBlobKey", .secret),
            Member(6, "unsignedExtensionOutputs", .members(ExtensionDescription.creationOutputs)),
        ])

    private static let getAssertion = CommandDescription(
        request: [
            Member(1, "rpId", .text), Member(2, "clientDataHash", .bytes),
            Member(3, "allowList", .list(.descriptor)),
            Member(4, "extensions", .members(ExtensionDescription.assertionInputs)),
            Member(5, "options", .dictionary(.bool)), Member(6, "pinUvAuthParam", .secret),
            Member(7, "pinUvAuthProtocol", .integer()),
        ],
        response: assertion)

    private static let assertion = [
        Member(1, "credential", .descriptor),
        Member(2, "authData", .authenticatorData(outputs: ExtensionDescription.assertionOutputs)),
        Member(3, "signature", .bytes), Member(4, "user", .user), Member(5, "numberOfCredentials", .integer()),
        Member(6, "userSelected", .bool), Member(7, "largeBlobKey", .secret),
        Member(8, "unsignedExtensionOutputs", .members(ExtensionDescription.assertionOutputs)),
    ]

    // MARK: 0x04 (CTAP 2.3 §6.4)

    private static let getInfo = InfoMember.allCases.map { Member($0.rawValue, $0.name, shape(of: $0)) }

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
        request: [
            Member(1, "pinUvAuthProtocol", .integer()), Member(2, "subCommand", .integer(clientPINSubcommands)),
            Member(3, "keyAgreement", .coseKey), Member(4, "pinUvAuthParam", .secret),
            Member(5, "newPinEnc", .secret), Member(6, "pinHashEnc", .secret),
            Member(9, "permissions", .bits(["mc", "ga", "cm", "be", "lbw", "acfg", "pcmr"])),
            Member(0x0A, "rpId", .text),
        ],
        response: [
            Member(1, "keyAgreement", .coseKey), Member(2, "pinUvAuthToken", .secret),
            Member(3, "pinRetries", .integer()), Member(4, "powerCycleState", .bool),
            Member(5, "uvRetries", .integer()),
        ],
        subcommand: (2, clientPINSubcommands))

    // MARK: 0x09 (CTAP 2.3 §6.7)

    private static let bioEnrollmentSubcommands = names(BioEnrollmentSubcommand.self)

    private static let templateInfo = Shape.members([
        Member(1, "templateId", .bytes), Member(2, "templateFriendlyName", .text),
    ])

    private static let bioEnrollment = CommandDescription(
        request: [
            Member(1, "modality", .integer([1: "fingerprint"])),
            Member(2, "subCommand", .integer(bioEnrollmentSubcommands)),
            Member(
                3, "subCommandParams",
                .members([
                    Member(1, "templateId", .bytes), Member(2, "templateFriendlyName", .text),
                    Member(3, "timeoutMilliseconds", .integer()),
                ])),
            Member(4, "pinUvAuthProtocol", .integer()), Member(5, "pinUvAuthParam", .secret),
            Member(6, "getModality", .bool),
        ],
        response: [
            Member(1, "modality", .integer([1: "fingerprint"])),
            Member(2, "fingerprintKind", .integer([1: "touch", 2: "swipe"])),
            Member(3, "maxCaptureSamplesRequiredForEnroll", .integer()), Member(4, "templateId", .bytes),
            Member(5, "lastEnrollSampleStatus", .integer(sampleStatuses)), Member(6, "remainingSamples", .integer()),
            Member(7, "templateInfos", .list(templateInfo)), Member(8, "maxTemplateFriendlyName", .integer()),
        ],
        subcommand: (2, bioEnrollmentSubcommands))

    private static let sampleStatuses = [
        0x00: "good", 0x01: "too high", 0x02: "too low", 0x03: "too left", 0x04: "too right", 0x05: "too fast",
        0x06: "too slow", 0x07: "poor quality", 0x08: "too skewed", 0x09: "too short", 0x0A: "merge failure",
        0x0B: "exists already", 0x0D: "no user activity", 0x0E: "no user presence transition",
    ]

    // MARK: 0x0A (CTAP 2.3 §6.8)

    private static let credentialManagementSubcommands = names(CredentialManagementSubcommand.self)

    private static let credentialManagement = CommandDescription(
        request: [
            Member(1, "subCommand", .integer(credentialManagementSubcommands)),
            Member(
                2, "subCommandParams",
                .members([
                    Member(1, "rpIDHash", .bytes), Member(2, "credentialID", .descriptor), Member(3, "user", .user),
                ])),
            Member(3, "pinUvAuthProtocol", .integer()), Member(4, "pinUvAuthParam", .secret),
        ],
        response: [
            Member(1, "existingResidentCredentialsCount", .integer()),
            Member(2, "maxPossibleRemainingResidentCredentialsCount", .integer()), Member(3, "rp", .relyingParty),
            Member(4, "rpIDHash", .bytes), Member(5, "totalRPs", .integer()), Member(6, "user", .user),
            Member(7, "credentialID", .descriptor), Member(8, "publicKey", .coseKey),
            Member(9, "totalCredentials", .integer()), Member(0x0A, "credProtect", .integer()),
            Member(0x0B, "largeBlobKey", .secret), Member(0x0C, "thirdPartyPayment", .bool),
        ],
        subcommand: (1, credentialManagementSubcommands))

    // MARK: 0x0C and 0x0D (CTAP 2.3 §6.10, §6.11)

    /// The array is ciphertext that anybody may read; what opens it is the largeBlobKey.
    private static let largeBlobs = CommandDescription(
        request: [
            Member(1, "get", .integer()), Member(2, "set", .bytes), Member(3, "offset", .integer()),
            Member(4, "length", .integer()), Member(5, "pinUvAuthParam", .secret),
            Member(6, "pinUvAuthProtocol", .integer()),
        ],
        response: [Member(1, "config", .bytes)])

    private static let configurationSubcommands = names(AuthenticatorConfigSubcommand.self)

    private static let configuration = CommandDescription(
        request: [
            Member(1, "subCommand", .integer(configurationSubcommands)),
            Member(
                2, "subCommandParams",
                .selected(
                    by: .sibling(1),
                    [
                        0x03: .members([
                            Member(1, "newMinPINLength", .integer()), Member(2, "minPinLengthRPIDs", .list(.text)),
                            Member(3, "forceChangePin", .bool), Member(4, "pinComplexityPolicy", .bool),
                        ]),
                        0xFF: .members([Member(1, "vendorCommandId", .integer())]),
                    ])),
            Member(3, "pinUvAuthProtocol", .integer()), Member(4, "pinUvAuthParam", .secret),
        ],
        subcommand: (1, configurationSubcommands))
}
