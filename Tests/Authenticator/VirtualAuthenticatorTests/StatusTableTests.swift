import Biometrics
import CBOR
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

/// The statuses of MakeCredential to GetNextAssertion: one test for each row of the table, in its order.
///
/// ``ManagementStatusTableTests`` has the commands that manage a key.
@Suite("Statuses of credentials and PIN")
struct StatusTableTests {
    @Test("A zero-length pinUvAuthParam is answered after a touch: 0x35 without a PIN, 0x31 with one, 0x27 declined")
    func zeroLengthParameter() async throws {
        let bench = Bench()
        for (isSet, status) in [(false, CTAPStatus.pinNotSet), (true, .pinInvalid)] {
            if isSet { try await bench.setPIN() }
            bench.person.willAnswer([.confirmed, .confirmed, .declined, .declined])
            let prompts = bench.person.presencePrompts
            for (command, told) in [
                ("makeCredential", await bench.make { $0.pinUvAuthParam = [] }.told),
                ("getAssertion", await bench.get { $0.pinUvAuthParam = [] }.told),
            ] {
                #expect(told == Told(status, "\(command).zeroLengthPinUvAuthParam"))
            }
            #expect(
                await bench.make { $0.pinUvAuthParam = [] }.told
                    == Told(.operationDenied, "makeCredential.userDeclined"))
            #expect(
                await bench.get { $0.pinUvAuthParam = [] }.told == Told(.operationDenied, "getAssertion.userDeclined"))
            #expect(bench.person.presencePrompts == prompts + 4)
        }
    }

    @Test("A pinUvAuthParam without a protocol is 0x14, with an unknown one 0x02")
    func protocolMissingOrUnknown() async throws {
        let bench = Bench()
        for (number, status, cause) in [
            (nil, CTAPStatus.missingParameter, "pinUvAuthProtocolMissing"),
            (3, .invalidParameter, "pinUvAuthProtocolUnsupported"),
        ] {
            #expect(
                await bench.make {
                    $0.pinUvAuthParam = [1]
                    $0.pinUvAuthProtocol = number
                }.told == Told(status, "makeCredential.\(cause)"))
            #expect(
                await bench.get {
                    $0.pinUvAuthParam = [1]
                    $0.pinUvAuthProtocol = number
                }.told == Told(status, "getAssertion.\(cause)"))
        }
    }

    @Test("A token is 0x33 for a wrong code, permission or RP ID, and after a touch")
    func failingToken() async throws {
        let bench = try await TokenTests.bench()
        let forged = try await bench.token()
        #expect(
            await bench.make {
                $0.authenticate(forged)
                $0.pinUvAuthParam?[0] ^= 1
            }.told == Told(.pinAuthInvalid, "makeCredential.pinUvAuthParamInvalid"))
        #expect(
            await bench.get {
                $0.authenticate(forged)
                $0.pinUvAuthParam?[0] ^= 1
            }.told == Told(.pinAuthInvalid, "getAssertion.pinUvAuthParamInvalid"))
        let mc = try await bench.token(permissions: .makeCredential)
        #expect(
            await bench.get { $0.authenticate(mc) }.told == Told(.pinAuthInvalid, "getAssertion.permissionMissing"))
        let ga = try await bench.token(permissions: .getAssertion)
        #expect(
            await bench.make { $0.authenticate(ga) }.told == Told(.pinAuthInvalid, "makeCredential.permissionMissing"))
        let other = try await bench.token(rpID: "other.example")
        #expect(
            await bench.make { $0.authenticate(other) }.told
                == Told(.pinAuthInvalid, "makeCredential.tokenBoundToOtherRelyingParty"))
        #expect(
            await bench.get { $0.authenticate(other) }.told
                == Told(.pinAuthInvalid, "getAssertion.tokenBoundToOtherRelyingParty"))
        let spent = try await bench.token()
        #expect(await bench.get { $0.authenticate(spent) }.told == .ok)
        #expect(
            await bench.get { $0.authenticate(spent) }.told == Told(.pinAuthInvalid, "getAssertion.permissionMissing"))
    }

    @Test("options.uv without configured verification is 0x2C, the same state in clientPIN 0x06 is 0x30")
    func uvNotConfigured() async throws {
        for bench in [Bench(gate: try Gates.key(enrolled: false)), try await Bench.complete(pin: true)] {
            let option = Told(.invalidOption, "makeCredential.uvNotConfigured")
            #expect(await bench.make { $0.options["uv"] = true }.told == option)
            #expect(
                await bench.get { $0.options["uv"] = true }.told
                    == Told(.invalidOption, "getAssertion.uvNotConfigured"))
            #expect(try await BuiltInUVTests.byToken(bench) == Told(.notAllowed, "clientPIN.uvNotConfigured"))
        }
    }

    @Test("options.up false in MakeCredential is 0x2C, rk in GetAssertion and rk on a device without it are 0x2B")
    func optionsThatDoNotBelong() async {
        let bench = Bench { $0.discoverability = .never }
        #expect(await bench.make { $0.options["up"] = false }.told == Told(.invalidOption, "makeCredential.upFalse"))
        for rk in [true, false] {
            #expect(
                await bench.get { $0.options["rk"] = rk }.told == Told(.unsupportedOption, "getAssertion.rkPresent"))
        }
        #expect(
            await bench.make { $0.options["rk"] = true }.told
                == Told(.unsupportedOption, "makeCredential.rkUnsupported"))
    }

    @Test("alwaysUv without a parameter or verification is 0x36; a silent look-up passes; a sensor verifies")
    func alwaysUV() async throws {
        let bench = try await Bench.complete(pin: true) { $0.alwaysUV = true }
        let unverified = "alwaysUvWithoutVerification"
        #expect(await bench.make().told == Told(.puatRequired, "makeCredential.\(unverified)"))
        #expect(await bench.get().told == Told(.puatRequired, "getAssertion.\(unverified)"))
        #expect(await bench.get { $0.options["up"] = false }.told == Told(.noCredentials, "getAssertion.noCredentials"))
        let finger = try await Bench.complete(fingers: [[1]]) { $0.alwaysUV = true }
        #expect(try await finger.make { $0.options["rk"] = true }.made().flags().contains(.userVerified))
        #expect(try await finger.get().got().flags() == [.userPresent, .userVerified])
    }

    @Test("rk with makeCredUvNotRqd, verification set up and none given is 0x36")
    func discoverableWithoutVerification() async throws {
        let bench = try await Bench.complete(pin: true)
        #expect(await bench.option("makeCredUvNotRqd") == true)
        #expect(
            await bench.make { $0.options["rk"] = true }.told
                == Told(.puatRequired, "makeCredential.userVerificationRequired"))
        #expect(await bench.make().told == .ok)
    }

    @Test(
        "Built-in verification that fails in MakeCredential and GetAssertion: 0x2F timeout, 0x36 with a PIN, 0x32 last")
    func builtInVerificationFails() async throws {
        for pin in [true, false] {
            let bench = try await BuiltInUVTests.bench(pin: pin)
            bench.person.willDo([.noAnswer])
            #expect(
                await bench.make { $0.options["uv"] = true }.told
                    == Told(.userActionTimeout, "makeCredential.builtInUV.timedOut"))
            bench.person.willDo([.nonMatch])
            let failed = await BuiltInUVTests.byOption(bench)
            #expect(failed.status == (pin ? .puatRequired : .operationDenied))
            bench.person.willDo([.nonMatch])
            #expect(await BuiltInUVTests.byOption(bench).status == (pin ? .puatRequired : .pinBlocked))
            #expect(await BuiltInUVTests.byOption(bench).status == (pin ? .puatRequired : .pinBlocked))
            // noMcGaPermissionsWithClientPin: the PIN does not help.
            let finger = Bench(gate: try Gates.key()) { $0.refusesPINForCredentials = true }
            if pin { try await finger.setPIN() }
            finger.person.willDo([.nonMatch])
            #expect(await BuiltInUVTests.byOption(finger).status == .operationDenied)
        }
    }

    @Test("clientPIN 0x06 that fails: 0x3C without retries before or after, 0x2F on a timeout, else 0x3F")
    func tokenByFingerFails() async throws {
        let bench = try await BuiltInUVTests.bench(pin: false)
        bench.person.willDo([.noAnswer])
        #expect(
            try await BuiltInUVTests.byToken(bench) == Told(.userActionTimeout, "clientPIN.builtInUV.timedOut"))
        bench.person.willDo([.nonMatch])
        #expect(try await BuiltInUVTests.byToken(bench).status == .uvInvalid)
        bench.person.willDo([.nonMatch])
        #expect(try await BuiltInUVTests.byToken(bench).status == .uvBlocked)
        #expect(try await BuiltInUVTests.byToken(bench).status == .uvBlocked)
        #expect(bench.person.remainingActs.isEmpty)
    }

    @Test("A permanently blocked PIN blocks built-in verification: 0x3C, or 0x36 in MakeCredential")
    func blockedPINBlocksTheSensor() async throws {
        let bench = try await BuiltInUVTests.bench(pin: true)
        for attempt in 1...8 {
            _ = try await bench.wrongPIN()
            if attempt.isMultiple(of: 3) { await bench.device.powerCycle() }
        }
        let prompts = bench.person.verificationPrompts
        #expect(try await BuiltInUVTests.byToken(bench).status == .uvBlocked)
        #expect(await bench.make { $0.options["uv"] = true }.told.status == .puatRequired)
        #expect(bench.person.verificationPrompts == prompts)
        #expect(try await bench.pins().uvRetries() == 0)
    }

    @Test("Permissions 0 are 0x02, mc or ga without an RP ID 0x14, a permission without its command 0x40")
    func permissions() async throws {
        let bench = Bench(gate: try Gates.key())
        try await bench.setPIN()
        for byPIN in [true, false] {
            for (bits, told) in [
                (0, Told(.invalidParameter, "clientPIN.permissionsZero")),
                (1, Told(.missingParameter, "clientPIN.parameterMissing")),
                (2, Told(.missingParameter, "clientPIN.parameterMissing")),
                (4, TokenPermissionTests.unsupported), (8, TokenPermissionTests.unsupported),
                (0x10, TokenPermissionTests.unsupported), (0x20, TokenPermissionTests.unsupported),
                (0x40, TokenPermissionTests.unsupported),
            ] {
                let answer = try await bench.clientPIN(
                    byPIN ? .getPinUvAuthTokenUsingPinWithPermissions : .getPinUvAuthTokenUsingUvWithPermissions
                ) { request, _ in
                    request.permissions = bits
                    request.pinHashEnc = byPIN ? [1] : nil
                }
                #expect(answer.told == told)
            }
        }
    }

    @Test("clientPIN 0x05 with permissions or an RP ID is 0x02")
    func oldTokenWithPermissions() async throws {
        let bench = Bench()
        try await bench.setPIN()
        for number in 0..<2 {
            let answer = try await bench.clientPIN(.getPinToken) { request, _ in
                request.pinHashEnc = [1]
                if number == 0 { request.permissions = 3 } else { request.relyingPartyID = Bench.rpID }
            }
            #expect(answer.told == Told(.invalidParameter, "clientPIN.permissionsNotAllowed"))
        }
    }

    @Test("setPIN is 0x33 with a PIN already set, 0x37 for a PIN that breaks the policy, 0x02 for bad padding")
    func settingThePIN() async throws {
        let bench = Bench()
        #expect(
            try await bench.told { try await bench.pins().setPIN("123") }
                == Told(.pinPolicyViolation, "clientPIN.pinPolicyViolation"))
        for pinProtocol in PINUVAuthProtocol.allCases {
            let short = [UInt8](repeating: 0x31, count: 16)
            #expect(
                try await ClientPINTests.set(short, on: bench, pinProtocol)
                    == Told(.invalidParameter, "clientPIN.newPINPadding"))
        }
        try await bench.setPIN()
        #expect(
            try await bench.told { try await bench.setPIN() } == Told(.pinAuthInvalid, "clientPIN.pinAlreadySet"))
    }

    @Test(
        "Three wrong PINs in a row are 0x34 until a power cycle, eight in all 0x32 until a reset, and 0x32 goes first")
    func wrongPINs() async throws {
        let bench = try await PINRetryTests.bench()
        let softBlocked = PINRetryTests.softBlocked
        for expected in [PINRetryTests.mismatch, PINRetryTests.mismatch, softBlocked, softBlocked] {
            #expect(try await bench.wrongPIN() == expected)
        }
        await bench.device.powerCycle()
        for _ in 0..<3 { _ = try await bench.wrongPIN() }
        await bench.device.powerCycle()
        #expect(try await bench.wrongPIN() == PINRetryTests.mismatch)
        // The eighth wrong PIN is also the second in a row; a ninth after it would have been the third.
        #expect(try await bench.wrongPIN() == PINRetryTests.blocked)
        for _ in 0..<2 { #expect(try await bench.wrongPIN() == PINRetryTests.blocked) }
        await bench.device.powerCycle()
        #expect(try await bench.told { _ = try await bench.token() } == PINRetryTests.blocked)
        #expect(await bench.send(.reset).told == .ok)
        #expect(try await bench.told { try await bench.setPIN() } == .ok)
    }

    @Test("With forcePINChange set clientPIN 0x05 is 0x31, 0x09 is 0x37, and changing to the same PIN is 0x37")
    func forcedChange() async throws {
        let bench = try await Bench.complete(pin: true)
        let force = AuthenticatorConfigRequest.of(.setMinPINLength) { $0.forceChangePin = true }
        #expect(try await bench.manage(force, with: .authenticatorConfiguration).told == .ok)
        #expect(await bench.info().forcePINChange == true)
        #expect(
            try await bench.told { _ = try await bench.token(permissions: nil) }
                == Told(.pinInvalid, "clientPIN.pinMustChange"))
        #expect(
            try await bench.told { _ = try await bench.token() }
                == Told(.pinPolicyViolation, "clientPIN.pinMustChange"))
        #expect(
            try await bench.told { try await bench.pins().changePIN(from: Bench.pin, to: Bench.pin) }
                == Told(.pinPolicyViolation, "clientPIN.pinUnchanged"))
        #expect(try await bench.told { try await bench.pins().changePIN(from: Bench.pin, to: "314159") } == .ok)
        #expect(await bench.info().forcePINChange == nil)
    }

    @Test(
        "enterpriseAttestation is 0x02 where it is unknown or off, whatever its value, and 0x2C for another than 1 or 2"
    )
    func enterpriseAttestation() async throws {
        let off = try await Bench.complete()
        for bench in [Bench(), off] {
            for value in [0, 1, 2, 3] {
                #expect(
                    await bench.make { $0.enterpriseAttestation = value }.told
                        == Told(.invalidParameter, "makeCredential.enterpriseAttestationUnsupported"))
            }
        }
        let enabled = await off.manage(AuthenticatorConfigRequest.of(.enableEnterpriseAttestation))
        #expect(enabled.told == .ok)
        for value in [0, 3] {
            #expect(
                await off.make { $0.enterpriseAttestation = value }.told
                    == Told(.invalidOption, "makeCredential.enterpriseAttestationValue"))
        }
        for value in [1, 2] { #expect(await off.make { $0.enterpriseAttestation = value }.told == .ok) }
    }

    @Test("A list of credentials that is too long is 0x15")
    func longLists() async {
        let bench = Bench()
        let list = [PublicKeyCredentialDescriptor](repeating: PublicKeyCredentialDescriptor(id: [1]), count: 9)
        #expect(
            await bench.make { $0.excludeList = list }.told == Told(.limitExceeded, "makeCredential.excludeListTooLong")
        )
        #expect(await bench.get { $0.allowList = list }.told == Told(.limitExceeded, "getAssertion.allowListTooLong"))
    }

    @Test("GetNextAssertion is 0x30 with none pending, exhausted, after thirty seconds, or another command in between")
    func nextAssertion() async throws {
        let bench = Bench()
        let nothing = Told(.notAllowed, "getNextAssertion.nothingPending")
        #expect(await bench.next().told == nothing)
        for user: UInt8 in [1, 2, 3] { _ = try await bench.discoverable(user) }
        _ = await bench.get()
        for expected in [Told.ok, .ok, nothing] { #expect(await bench.next().told == expected) }
        _ = await bench.get()
        bench.clock.advance(by: .milliseconds(30_001))
        #expect(await bench.next().told == Told(.notAllowed, "getNextAssertion.expired"))
        #expect(await bench.next().told == nothing)
        _ = await bench.get()
        _ = await bench.send(.getInfo)
        #expect(await bench.next().told == nothing)
    }
}
