import CTAP
import Testing
import VirtualAuthenticator

/// The three subcommands of clientPIN that give tokens, and their permissions on different keys.
@Suite("Permissions of tokens")
struct TokenPermissionTests {
    static let unsupported = Told(.unauthorizedPermission, "clientPIN.permissionUnsupported")

    /// Asks for a token by PIN or by finger.
    static func ask(
        _ bench: Bench, byPIN: Bool, _ pinProtocol: PINUVAuthProtocol, _ permissions: PINUVAuthTokenPermissions
    ) async throws -> Told {
        let rpID = permissions.isDisjoint(with: [.makeCredential, .getAssertion]) ? nil : Bench.rpID
        return try await bench.told {
            let pins = bench.pins(pinProtocol)
            _ =
                byPIN
                ? try await pins.token(pin: Bench.pin, permissions: permissions, relyingPartyID: rpID)
                : try await pins.tokenUsingUV(permissions: permissions, relyingPartyID: rpID)
        }
    }

    static let each: [PINUVAuthTokenPermissions] = [
        .makeCredential, .getAssertion, .credentialManagement, .bioEnrollment, .largeBlobWrite,
        .authenticatorConfiguration, .persistentCredentialManagementReadOnly,
    ]

    @Test(arguments: [true, false], PINUVAuthProtocol.allCases)
    func aKeyWithEveryFeatureGivesEveryPermission(byPIN: Bool, pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1]])
        for permission in Self.each {
            #expect(try await Self.ask(bench, byPIN: byPIN, pinProtocol, permission) == .ok)
        }
        var together = PINUVAuthTokenPermissions.all
        together.remove(.persistentCredentialManagementReadOnly)
        #expect(try await Self.ask(bench, byPIN: byPIN, pinProtocol, together) == .ok)
    }

    /// A key that lacks one feature, and the permissions that it then refuses.
    struct Lack: Sendable, CustomTestStringConvertible {
        let permission: PINUVAuthTokenPermissions
        var byPIN = true
        var byUV = true
        let remove: @Sendable (inout AuthenticatorConfiguration) -> Void

        var testDescription: String { "0x\(String(permission.rawValue, radix: 16))" }
    }

    @Test(
        arguments: [
            Lack(permission: [.makeCredential, .getAssertion], byUV: false) { $0.refusesPINForCredentials = true },
            Lack(permission: .credentialManagement) { $0.management.supportsCredentialManagement = false },
            Lack(permission: .bioEnrollment) { $0.management.bioEnrollment = nil },
            Lack(permission: .bioEnrollment, byPIN: false) { $0.management.bioEnrollment?.allowsEnrollingByUV = false },
            Lack(permission: .largeBlobWrite) { $0.largeBlobCapacity = nil },
            Lack(permission: .authenticatorConfiguration) { $0.management.configSubcommands = [] },
            Lack(permission: .authenticatorConfiguration, byPIN: false) { $0.management.allowsConfigByUV = false },
            Lack(permission: .persistentCredentialManagementReadOnly) {
                $0.management.supportsPersistentTokens = false
            },
        ], PINUVAuthProtocol.allCases)
    func aPermissionForAMissingFeatureIsRefused(lack: Lack, pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1]], lack.remove)
        for permission in Self.each {
            let isMissing = lack.permission.contains(permission)
            #expect(
                try await Self.ask(bench, byPIN: true, pinProtocol, permission)
                    == (isMissing && lack.byPIN ? Self.unsupported : .ok))
            #expect(
                try await Self.ask(bench, byPIN: false, pinProtocol, permission)
                    == (isMissing && lack.byUV ? Self.unsupported : .ok))
        }
    }

    @Test(arguments: [true, false], PINUVAuthProtocol.allCases)
    func thePersistentPermissionIsRefusedWithAnyOther(byPIN: Bool, pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1]])
        for other in Self.each.dropLast() {
            #expect(
                try await Self.ask(
                    bench, byPIN: byPIN, pinProtocol, [.persistentCredentialManagementReadOnly, other])
                    == Told(.unauthorizedPermission, "clientPIN.persistentPermissionNotAlone"))
        }
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aTokenOfGetPinTokenManagesCredentialsOnlyThroughThePreview(
        pinProtocol: PINUVAuthProtocol
    ) async throws {
        // The default permissions are mc and ga (CTAP 2.3 §6.5.5.7.1 step 14).
        let refused = Told(.pinAuthInvalid, "credentialManagement.permissionMissing")
        var request = CredentialManagementRequest.of(.getCredsMetadata)
        for hasPreview in [true, false] {
            let bench = try await Bench.complete(pin: true) {
                $0.management.supportsCredentialManagementPreview = hasPreview
            }
            let token = try await bench.token(pinProtocol, permissions: nil)
            #expect(await bench.manage(request, token).told == refused)
            guard hasPreview else { continue }
            request.authenticate(token)
            #expect(await bench.send(.credentialManagementPreview, request.cbor).told == .ok)
            // A touch takes the preview away with every other permission.
            #expect(await bench.make { $0.authenticate(token) }.told == .ok)
            #expect(await bench.send(.credentialManagementPreview, request.cbor).told == refused)
        }
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func thePreviewCommandsBehaveLikeTheFinalOnes(pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1]])
        let token = try await bench.token(for: [.credentialManagement, .bioEnrollment], pinProtocol)
        var metadata = CredentialManagementRequest.of(.getCredsMetadata)
        metadata.authenticate(token)
        #expect(await bench.send(.credentialManagementPreview, metadata.cbor).told == .ok)
        var list = BioEnrollmentRequest.of(.enumerateEnrollments)
        list.authenticate(token)
        #expect(try await bench.send(.bioEnrollmentPreview, list.cbor).bio().templateInfos?.count == 1)
        #expect(await bench.option("credentialMgmtPreview") == true)
        #expect(await bench.option("userVerificationMgmtPreview") == true)
    }

    @Test(arguments: [true, false], PINUVAuthProtocol.allCases)
    func aPersistentTokenDoesNotReplaceTheTokenInUse(
        byPIN: Bool, pinProtocol: PINUVAuthProtocol
    ) async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1]])
        let token = try await bench.token(for: .credentialManagement, pinProtocol)
        #expect(
            try await Self.ask(bench, byPIN: byPIN, pinProtocol, .persistentCredentialManagementReadOnly) == .ok)
        #expect(await bench.manage(CredentialManagementRequest.of(.getCredsMetadata), token).told == .ok)
    }
}
