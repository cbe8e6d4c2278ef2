import CTAP
import Testing
import VirtualAuthenticator

/// Each subcommand that a token protects, with every accepted and every refused token.
@Suite("Authorization of management commands")
struct ManagementAuthorizationTests {
    static let templateID: [UInt8] = [9, 9]

    /// A key on which every subcommand below succeeds.
    struct Scene: Sendable {
        let bench: Bench
        let credentialID: [UInt8]
        let enrolmentID: [UInt8]

        init() async throws {
            bench = try await .complete(pin: true, fingers: [templateID])
            credentialID = try await bench.discoverable(1).id()
            _ = try await bench.discoverable(2)
            let begun = try await bench.manage(BioEnrollmentRequest.of(.enrollBegin), with: .bioEnrollment)
            enrolmentID = try #require(begun.bio().templateID)
        }

        func told(_ request: any ManagementRequest, _ token: PINClient.Token?) async -> Told {
            await bench.manage(request, token).told
        }
    }

    /// A subcommand that a token protects, and a request that succeeds with a token.
    struct Subcommand: Sendable, CustomTestStringConvertible {
        enum Reach {
            /// Nothing that belongs to relying parties.
            case noRelyingParty
            case everyRelyingParty
            case oneRelyingParty
        }

        let name: String
        let prefix: String
        let permission: PINUVAuthTokenPermissions
        let reach: Reach
        let isReadOnly: Bool
        let request: @Sendable (Scene) -> any ManagementRequest

        var testDescription: String { "\(prefix) \(name)" }

        func refused(_ status: CTAPStatus, _ cause: String) -> Told { Told(status, "\(prefix).\(cause)") }

        static func credentials(
            _ subCommand: CredentialManagementSubcommand, _ reach: Reach, isReadOnly: Bool,
            _ change: @escaping @Sendable (inout CredentialManagementRequest, Scene) -> Void = { _, _ in }
        ) -> Subcommand {
            Subcommand(
                name: "\(subCommand)", prefix: "credentialManagement", permission: .credentialManagement,
                reach: reach, isReadOnly: isReadOnly
            ) { scene in
                CredentialManagementRequest.of(subCommand) { change(&$0, scene) }
            }
        }

        static func bio(
            _ subCommand: BioEnrollmentSubcommand,
            _ change: @escaping @Sendable (inout BioEnrollmentRequest, Scene) -> Void = { _, _ in }
        ) -> Subcommand {
            Subcommand(
                name: "\(subCommand)", prefix: "bioEnrollment", permission: .bioEnrollment, reach: .noRelyingParty,
                isReadOnly: false
            ) { scene in
                BioEnrollmentRequest.of(subCommand) { change(&$0, scene) }
            }
        }

        static func config(
            _ subCommand: AuthenticatorConfigSubcommand,
            _ change: @escaping @Sendable (inout AuthenticatorConfigRequest) -> Void = { _ in }
        ) -> Subcommand {
            Subcommand(
                name: "\(subCommand)", prefix: "config", permission: .authenticatorConfiguration,
                reach: .noRelyingParty, isReadOnly: false
            ) { _ in
                AuthenticatorConfigRequest.of(subCommand, change)
            }
        }
    }

    static let all: [Subcommand] = [
        .credentials(.getCredsMetadata, .everyRelyingParty, isReadOnly: true),
        .credentials(.enumerateRPsBegin, .everyRelyingParty, isReadOnly: true),
        .credentials(.enumerateCredentialsBegin, .oneRelyingParty, isReadOnly: true) { request, _ in
            request.rpIDHash = Bench.rpIDHash
        },
        .credentials(.deleteCredential, .oneRelyingParty, isReadOnly: false) { request, scene in
            request.credentialID = PublicKeyCredentialDescriptor(id: scene.credentialID)
        },
        .credentials(.updateUserInformation, .oneRelyingParty, isReadOnly: false) { request, scene in
            request.credentialID = PublicKeyCredentialDescriptor(id: scene.credentialID)
            request.user = PublicKeyCredentialUserEntity(id: [1], name: "renamed")
        },
        .bio(.enrollBegin),
        .bio(.enrollCaptureNextSample) { $0.templateID = $1.enrolmentID },
        .bio(.enumerateEnrollments),
        .bio(.setFriendlyName) { request, _ in
            request.templateID = templateID
            request.friendlyName = "thumb"
        },
        .bio(.removeEnrollment) { request, _ in request.templateID = templateID },
        .config(.enableEnterpriseAttestation),
        .config(.toggleAlwaysUv),
        .config(.setMinPINLength) { $0.newMinPINLength = 5 },
        .config(.enableLongTouchForReset),
        .config(.vendorPrototype) { $0.vendorCommandID = 1 },
        Subcommand(
            name: "set", prefix: "largeBlobs", permission: .largeBlobWrite, reach: .noRelyingParty, isReadOnly: false
        ) { _ in
            LargeBlobsRequest(set: SerializedLargeBlobArray.initial, offset: 0, length: 17)
        },
    ]

    @Test(arguments: all)
    func aMissingPinUvAuthParamIsPuatRequired(subcommand: Subcommand) async throws {
        let scene = try await Scene()
        let request = subcommand.request(scene)
        #expect(await scene.told(request, nil) == subcommand.refused(.puatRequired, "pinUvAuthParamMissing"))
    }

    @Test(arguments: all)
    func aPinUvAuthParamNeedsASupportedProtocol(subcommand: Subcommand) async throws {
        let scene = try await Scene()
        var request = subcommand.request(scene)
        request.authenticate(try await scene.bench.token(for: subcommand.permission))
        request.pinUvAuthProtocol = nil
        #expect(await scene.told(request, nil) == subcommand.refused(.missingParameter, "pinUvAuthProtocolMissing"))
        request.pinUvAuthProtocol = 3
        #expect(await scene.told(request, nil) == subcommand.refused(.invalidParameter, "pinUvAuthProtocolUnsupported"))
    }

    @Test(arguments: all, PINUVAuthProtocol.allCases)
    func aTokenWithThePermissionIsAcceptedWithBothProtocols(
        subcommand: Subcommand, pinProtocol: PINUVAuthProtocol
    ) async throws {
        let scene = try await Scene()
        let token = try await scene.bench.token(for: subcommand.permission, pinProtocol)
        #expect(await scene.told(subcommand.request(scene), token) == .ok)
    }

    @Test(arguments: all, PINUVAuthProtocol.allCases)
    func aTokenWithEveryOtherPermissionIsRefused(
        subcommand: Subcommand, pinProtocol: PINUVAuthProtocol
    ) async throws {
        let scene = try await Scene()
        var others = PINUVAuthTokenPermissions.all
        others.remove(.persistentCredentialManagementReadOnly)
        others.remove(subcommand.permission)
        let token = try await scene.bench.token(for: others, pinProtocol, rpID: Bench.rpID)
        #expect(
            await scene.told(subcommand.request(scene), token)
                == subcommand.refused(.pinAuthInvalid, "permissionMissing"))
    }

    @Test(arguments: all, PINUVAuthProtocol.allCases)
    func aTokenBoundToARelyingPartyIsRefusedForOthers(
        subcommand: Subcommand, pinProtocol: PINUVAuthProtocol
    ) async throws {
        let scene = try await Scene()
        let request = subcommand.request(scene)
        let bound = subcommand.refused(.pinAuthInvalid, "tokenBoundToOtherRelyingParty")
        let other = try await scene.bench.token(for: subcommand.permission, pinProtocol, rpID: "other.example")
        #expect(await scene.told(request, other) == (subcommand.reach == .noRelyingParty ? .ok : bound))
        // The first request can succeed only once, so the second has a bench of its own.
        let second = try await Scene()
        let own = try await second.bench.token(for: subcommand.permission, pinProtocol, rpID: Bench.rpID)
        #expect(
            await second.told(subcommand.request(second), own)
                == (subcommand.reach == .everyRelyingParty ? bound : .ok))
    }

    @Test(arguments: all, PINUVAuthProtocol.allCases)
    func aCodeOfAnotherMessageOrOfAnEndedTokenIsInvalid(
        subcommand: Subcommand, pinProtocol: PINUVAuthProtocol
    ) async throws {
        let scene = try await Scene()
        let bench = scene.bench
        let request = subcommand.request(scene)
        let invalid = subcommand.refused(.pinAuthInvalid, "pinUvAuthParamInvalid")
        let token = try await bench.token(for: subcommand.permission, pinProtocol)
        var forged = request
        forged.authenticate(token)
        forged.pinUvAuthParam?[0] ^= 1
        #expect(await scene.told(forged, nil) == invalid)
        forged.pinUvAuthParam = token.authenticate([0] + request.authenticatedMessage)
        #expect(await scene.told(forged, nil) == invalid)
        forged.pinUvAuthParam = []
        #expect(await scene.told(forged, nil) == invalid)
        let other: PINUVAuthProtocol = pinProtocol == .one ? .two : .one
        forged.pinUvAuthProtocol = other.rawValue
        forged.pinUvAuthParam = other.authenticate(request.authenticatedMessage, key: token.bytes)
        #expect(await scene.told(forged, nil) == invalid)

        // A later token, thirty seconds without a use and a power cycle end it.
        _ = try await bench.token(for: subcommand.permission, pinProtocol)
        #expect(await scene.told(request, token) == invalid)
        let late = try await bench.token(for: subcommand.permission, pinProtocol)
        bench.clock.advance(by: .milliseconds(30_001))
        #expect(await scene.told(request, late) == invalid)
        let lost = try await bench.token(for: subcommand.permission, pinProtocol)
        await bench.device.powerCycle()
        #expect(await scene.told(request, lost) == invalid)
    }

    @Test(arguments: all, PINUVAuthProtocol.allCases)
    func thePersistentTokenOnlyReadsCredentials(
        subcommand: Subcommand, pinProtocol: PINUVAuthProtocol
    ) async throws {
        let scene = try await Scene()
        let token = try await scene.bench.token(for: .persistentCredentialManagementReadOnly, pinProtocol)
        let invalid = subcommand.refused(.pinAuthInvalid, "pinUvAuthParamInvalid")
        #expect(await scene.told(subcommand.request(scene), token) == (subcommand.isReadOnly ? .ok : invalid))
    }

    @Test(arguments: all)
    func managementCommandsKeepTheTokensPermissions(subcommand: Subcommand) async throws {
        let scene = try await Scene()
        let token = try await scene.bench.token(for: [subcommand.permission, .largeBlobWrite, .credentialManagement])
        #expect(await scene.told(subcommand.request(scene), token) == .ok)
        #expect(await scene.told(CredentialManagementRequest.of(.getCredsMetadata), token) == .ok)
        #expect(await scene.told(LargeBlobsRequest(set: [0], offset: 0, length: 17), token) == .ok)
    }

    /// A key without user verification gives no tokens: it accepts some subcommands without one and refuses the rest.
    @Test(arguments: all)
    func aKeyWithoutUserVerificationOffersOnlyConfigurationAndLargeBlobs(subcommand: Subcommand) async throws {
        let bench = try await Bench.complete()
        let scene = try await Scene()
        let told = await bench.manage(subcommand.request(scene)).told
        switch subcommand.prefix {
        case "config", "largeBlobs": #expect(told == .ok)
        default: #expect(told == subcommand.refused(.puatRequired, "pinUvAuthParamMissing"))
        }
    }
}
