import CBOR
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("pinUvAuthTokens")
struct TokenTests {
    static let invalid = "pinUvAuthParamInvalid"

    static func bench(_ change: (inout AuthenticatorConfiguration) -> Void = { _ in }) async throws -> Bench {
        let bench = Bench(change)
        await bench.make { $0.options["rk"] = true }
        try await bench.setPIN()
        return bench
    }

    static func refused(_ reason: String, by command: String = "makeCredential") -> Told {
        Told(.pinAuthInvalid, "\(command).\(reason)")
    }

    // MARK: Asking

    @Test(arguments: [
        (0, Told(.invalidParameter, "clientPIN.permissionsZero")),
        (0x04, Told(.unauthorizedPermission, "clientPIN.permissionUnsupported")),
        (0x08, Told(.unauthorizedPermission, "clientPIN.permissionUnsupported")),
        (0x10, Told(.unauthorizedPermission, "clientPIN.permissionUnsupported")),
        (0x20, Told(.unauthorizedPermission, "clientPIN.permissionUnsupported")),
        (0x40, Told(.unauthorizedPermission, "clientPIN.permissionUnsupported")),
        (0x07, Told(.unauthorizedPermission, "clientPIN.permissionUnsupported")),
        (0x03, Told.ok),
        // Undefined permissions are ignored (CTAP 2.3 §6.5.5.7.2 step 4).
        (0x80, Told.ok), (0x83, Told.ok), (0x100, Told.ok), (0x7FFF_FF83, Told.ok),
    ])
    func permissionsAreCheckedBeforeThePIN(permissions: Int, told: Told) async throws {
        let bench = Bench(gate: try Gates.key())
        try await bench.setPIN()
        let hash = [UInt8](repeating: 0, count: 16)
        let byPIN = try await bench.clientPIN(.getPinUvAuthTokenUsingPinWithPermissions) { request, secret in
            request.permissions = permissions
            request.relyingPartyID = Bench.rpID
            request.pinHashEnc = PINUVAuthProtocol.two.encrypt(hash, with: secret, initializationVector: hash)
        }
        #expect(byPIN.told == (told == .ok ? PINRetryTests.mismatch : told))
        let byUV = try await bench.clientPIN(.getPinUvAuthTokenUsingUvWithPermissions) { request, _ in
            request.permissions = permissions
            request.relyingPartyID = Bench.rpID
        }
        #expect(byUV.told == told)
    }

    @Test(arguments: [1, 2, 3])
    func mcAndGaNeedARelyingPartyID(permissions: Int) async throws {
        let bench = Bench(gate: try Gates.key())
        try await bench.setPIN()
        let missing = Told(.missingParameter, "clientPIN.parameterMissing")
        for subcommand: ClientPINSubcommand in [
            .getPinUvAuthTokenUsingPinWithPermissions, .getPinUvAuthTokenUsingUvWithPermissions,
        ] {
            let answer = try await bench.clientPIN(subcommand) { request, _ in
                request.permissions = permissions
                request.pinHashEnc = [1]
            }
            #expect(answer.told == missing)
        }
    }

    @Test func getPinTokenRefusesPermissionsAndAnRPID() async throws {
        let bench = try await Self.bench()
        for number in 0..<2 {
            let answer = try await bench.clientPIN(.getPinToken) { request, _ in
                request.pinHashEnc = [1]
                if number == 0 { request.permissions = 3 } else { request.relyingPartyID = Bench.rpID }
            }
            #expect(answer.told == Told(.invalidParameter, "clientPIN.permissionsNotAllowed"))
        }
    }

    @Test func noMcGaPermissionsWithClientPinRefusesThePINForCredentials() async throws {
        let bench = try await Self.bench { $0.refusesPINForCredentials = true }
        #expect(await bench.option("noMcGaPermissionsWithClientPin") == true)
        for permission: PINUVAuthTokenPermissions in [.makeCredential, .getAssertion] {
            #expect(
                try await bench.told { _ = try await bench.token(permissions: permission) }
                    == Told(.unauthorizedPermission, "clientPIN.permissionUnsupported"))
        }
        // The token of getPinToken has no permissions.
        let token = try await bench.token(permissions: nil)
        #expect(await bench.make { $0.authenticate(token) }.told == Self.refused("permissionMissing"))
    }

    // MARK: Using

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aTouchEndsTheVerificationOfAToken(pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Self.bench()
        let token = try await bench.token(pinProtocol)
        #expect(token.bytes.count == 32)
        let prompts = bench.person.presencePrompts
        let made = try await bench.make { $0.authenticate(token) }.made()
        #expect(try made.flags() == [.userPresent, .userVerified, .attestedCredentialData])
        #expect(bench.person.presencePrompts == prompts + 1)
        // The touch removed every permission (CTAP 2.3 §6.1.2 step 14).
        #expect(await bench.make { $0.authenticate(token) }.told == Self.refused("permissionMissing"))
        #expect(
            await bench.get { $0.authenticate(token) }.told == Self.refused("permissionMissing", by: "getAssertion"))
        let next = try await bench.token(pinProtocol)
        #expect(try await bench.get { $0.authenticate(next) }.got().flags() == [.userPresent, .userVerified])
        #expect(await bench.get { $0.authenticate(next) }.told == Self.refused("permissionMissing", by: "getAssertion"))
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func silentLookUpsKeepAToken(pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Self.bench()
        let token = try await bench.token(pinProtocol)
        for _ in 0..<3 {
            let got = try await bench.get {
                $0.authenticate(token)
                $0.options["up"] = false
            }.got()
            #expect(try got.flags() == [.userVerified])
        }
        #expect(await bench.get { $0.authenticate(token) }.told == .ok)
    }

    @Test func aTouchEndsTokensThatTheRequestDoesNotUse() async throws {
        let bench = try await Self.bench()
        let token = try await bench.token()
        #expect(await bench.get().told == .ok)
        #expect(
            await bench.get { $0.authenticate(token) }.told == Self.refused("permissionMissing", by: "getAssertion"))
    }

    @Test func aDeclinedTouchKeepsTheToken() async throws {
        let bench = try await Self.bench()
        let token = try await bench.token()
        bench.person.willAnswer([.declined])
        #expect(await bench.get { $0.authenticate(token) }.told.status == .operationDenied)
        #expect(await bench.get { $0.authenticate(token) }.told == .ok)
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aTokenIsCheckedForMessagePermissionRelyingPartyAndProtocol(
        pinProtocol: PINUVAuthProtocol
    ) async throws {
        let bench = try await Self.bench()
        let other: PINUVAuthProtocol = pinProtocol == .one ? .two : .one
        let mc = try await bench.token(pinProtocol, permissions: .makeCredential)
        #expect(
            await bench.make {
                $0.authenticate(mc)
                $0.clientDataHash[0] ^= 1
            }.told == Self.refused(Self.invalid))
        #expect(
            await bench.make {
                $0.authenticate(mc)
                $0.pinUvAuthParam?[0] ^= 1
            }.told == Self.refused(Self.invalid))
        #expect(
            await bench.make {
                $0.pinUvAuthParam = other.authenticate($0.clientDataHash, key: mc.bytes)
                $0.pinUvAuthProtocol = other.rawValue
            }.told == Self.refused(Self.invalid))
        #expect(
            await bench.make {
                $0.authenticate(mc)
                $0.rp.id = "other.example"
            }.told == Self.refused("tokenBoundToOtherRelyingParty"))
        #expect(await bench.get { $0.authenticate(mc) }.told == Self.refused("permissionMissing", by: "getAssertion"))
        let ga = try await bench.token(pinProtocol, permissions: .getAssertion)
        #expect(await bench.make { $0.authenticate(ga) }.told == Self.refused("permissionMissing"))
        // The new token replaced the old one.
        #expect(await bench.make { $0.authenticate(mc) }.told == Self.refused(Self.invalid))
        #expect(await bench.get { $0.authenticate(ga) }.told == .ok)
    }

    @Test func aTokenOverridesTheUvOption() async throws {
        let bench = try await Self.bench()
        let token = try await bench.token()
        #expect(
            await bench.make {
                $0.authenticate(token)
                $0.options["uv"] = true
            }.told == .ok)
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aTokenOfGetPinTokenIsBoundByItsFirstUse(pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Self.bench()
        let token = try await bench.token(pinProtocol, permissions: nil)
        #expect(
            await bench.get {
                $0.authenticate(token)
                $0.options["up"] = false
            }.told == .ok)
        let bound = "tokenBoundToOtherRelyingParty"
        #expect(
            await bench.make {
                $0.authenticate(token)
                $0.rp.id = "other.example"
            }.told == Self.refused(bound))
        #expect(
            await bench.get {
                $0.authenticate(token)
                $0.relyingPartyID = "other.example"
            }.told == Self.refused(bound, by: "getAssertion"))
        #expect(await bench.make { $0.authenticate(token) }.told == .ok)
    }

    // MARK: Lifetime

    private static func silently(_ bench: Bench, _ token: PINClient.Token) async -> Told {
        await bench.get {
            $0.authenticate(token)
            $0.options["up"] = false
        }.told
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aTokenExpiresThirtySecondsAfterAnUnusedBeginning(pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Self.bench()
        let prompt = try await bench.token(pinProtocol)
        bench.clock.advance(by: .seconds(30))
        #expect(await Self.silently(bench, prompt) == .ok)
        let late = try await bench.token(pinProtocol)
        bench.clock.advance(by: .milliseconds(30_001))
        #expect(await Self.silently(bench, late) == Self.refused(Self.invalid, by: "getAssertion"))
    }

    @Test func aMessageWithAWrongCodeIsNotAUse() async throws {
        let bench = try await Self.bench()
        let token = try await bench.token()
        bench.clock.advance(by: .seconds(20))
        _ = await bench.get {
            $0.authenticate(token)
            $0.clientDataHash[0] ^= 1
        }
        bench.clock.advance(by: .seconds(11))
        #expect(await Self.silently(bench, token) == Self.refused(Self.invalid, by: "getAssertion"))
    }

    @Test func aTokenInUseLivesForTenMinutes() async throws {
        let bench = try await Self.bench()
        let token = try await bench.token()
        for _ in 0..<20 {
            bench.clock.advance(by: .seconds(30))
            #expect(await Self.silently(bench, token) == .ok)
        }
        bench.clock.advance(by: .milliseconds(1))
        #expect(await Self.silently(bench, token) == Self.refused(Self.invalid, by: "getAssertion"))
    }

    @Test func aPowerCycleEndsATokenAndKeepsThePIN() async throws {
        let bench = try await Self.bench()
        let token = try await bench.token()
        await bench.device.powerCycle()
        #expect(await bench.get { $0.authenticate(token) }.told == Self.refused(Self.invalid, by: "getAssertion"))
        #expect(await bench.option("clientPin") == true)
        #expect(await bench.get().told == .ok)
    }
}
