import CBOR
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("authenticatorConfig")
struct AuthenticatorConfigTests {
    static func config(
        _ bench: Bench, _ subCommand: AuthenticatorConfigSubcommand,
        _ change: (inout AuthenticatorConfigRequest) -> Void = { _ in }
    ) async throws -> Told {
        let request = AuthenticatorConfigRequest.of(subCommand, change)
        guard await bench.device.snapshot().isPINSet else { return await bench.manage(request).told }
        return try await bench.manage(request, with: .authenticatorConfiguration).told
    }

    // MARK: Enterprise attestation

    @Test func enterpriseAttestationStaysEnabledUntilAReset() async throws {
        let bench = try await Bench.complete(pin: true)
        #expect(await bench.option("ep") == false)
        for _ in 0..<2 {
            #expect(try await Self.config(bench, .enableEnterpriseAttestation) == .ok)
            await bench.device.powerCycle()
            #expect(await bench.option("ep") == true)
        }
        #expect(await bench.send(.reset).told == .ok)
        #expect(await bench.option("ep") == false)
        // Every reset disables it, whatever its initial state (CTAP 2.3 §6.6).
        let enabled = try await Bench.complete { $0.management.enterpriseAttestation?.isEnabledInitially = true }
        #expect(await enabled.option("ep") == true)
        for _ in 0..<2 {
            await enabled.device.powerCycle()
            #expect(await enabled.send(.reset).told == .ok)
            #expect(await enabled.option("ep") == false)
        }
        let without = try await Bench.complete { $0.management.enterpriseAttestation = nil }
        #expect(await without.option("ep") == nil)
        #expect(
            try await Self.config(without, .enableEnterpriseAttestation)
                == Told(.invalidSubcommand, "config.unknownSubcommand"))
    }

    // MARK: Always require verification

    @Test func alwaysUvIsToggledAndSurvivesAPowerCycle() async throws {
        let bench = try await Bench.complete(pin: true)
        for expected in [true, false, true] {
            #expect(try await Self.config(bench, .toggleAlwaysUv) == .ok)
            await bench.device.powerCycle()
            #expect(await bench.option("alwaysUv") == expected)
            #expect(await bench.option("makeCredUvNotRqd") == !expected)
            #expect(await bench.make().told.status == (expected ? .puatRequired : .ok))
        }
        #expect(await bench.send(.reset).told == .ok)
        #expect(await bench.option("alwaysUv") == false)
    }

    @Test func alwaysUvCannotBeDisabledOnSomeKeys() async throws {
        let bench = try await Bench.complete(pin: true) { $0.management.keepsAlwaysUV = true }
        #expect(try await Self.config(bench, .toggleAlwaysUv) == .ok)
        #expect(
            try await Self.config(bench, .toggleAlwaysUv)
                == Told(.operationDenied, "config.alwaysUvCannotBeDisabled"))
        #expect(await bench.option("alwaysUv") == true)
    }

    @Test func alwaysUvDisablesU2F() async throws {
        let bench = try await Bench.complete {
            $0.versions.append("U2F_V2")
            $0.supportsU2F = true
        }
        #expect(await bench.info().versions.contains("U2F_V2"))
        #expect(try await Self.config(bench, .toggleAlwaysUv) == .ok)
        #expect(await !bench.info().versions.contains("U2F_V2"))
        #expect(try await Self.config(bench, .toggleAlwaysUv) == .ok)
        #expect(await bench.info().versions.contains("U2F_V2"))
    }

    // MARK: PIN policy

    @Test func theMinimumPINLengthOnlyRises() async throws {
        let bench = try await Bench.complete(pin: true)
        for (length, status) in [
            (4, CTAPStatus.ok), (6, .ok), (5, .pinPolicyViolation), (6, .ok), (64, .pinPolicyViolation),
        ] {
            #expect(try await Self.config(bench, .setMinPINLength) { $0.newMinPINLength = length }.status == status)
        }
        await bench.device.powerCycle()
        #expect(await bench.info().minPINLength == 6)
        #expect(await bench.info().forcePINChange == nil)
        #expect(
            try await bench.told { try await bench.pins().changePIN(from: Bench.pin, to: "12345") }.status
                == .pinPolicyViolation)
        #expect(await bench.send(.reset).told == .ok)
        #expect(await bench.info().minPINLength == 4)
    }

    @Test func aMinimumAboveThePINsLengthForcesAChangeAndEndsTokens() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await bench.token(for: [.authenticatorConfiguration, .credentialManagement])
        let request = AuthenticatorConfigRequest.of(.setMinPINLength) { $0.newMinPINLength = 7 }
        #expect(await bench.manage(request, token).told == .ok)
        #expect(await bench.info().forcePINChange == true)
        #expect(
            await bench.manage(CredentialManagementRequest.of(.getCredsMetadata), token).told
                == Told(.pinAuthInvalid, "credentialManagement.pinUvAuthParamInvalid"))
        await bench.device.powerCycle()
        #expect(await bench.info().forcePINChange == true)
        #expect(
            try await bench.told { _ = try await bench.token(for: .credentialManagement) }
                == Told(.pinPolicyViolation, "clientPIN.pinMustChange"))
        #expect(
            try await bench.told { try await bench.pins().changePIN(from: Bench.pin, to: "123456") }
                == Told(.pinPolicyViolation, "clientPIN.pinPolicyViolation"))
        #expect(try await bench.told { try await bench.pins().changePIN(from: Bench.pin, to: "1234567") } == .ok)
        #expect(await bench.info().forcePINChange == nil)
    }

    @Test func thePINsLengthIsCountedInCodePoints() async throws {
        let bench = try await Bench.complete()
        // Six code points of two bytes each.
        try await bench.pins().setPIN("äöüäöü")
        let token = try await bench.pins().token(pin: "äöüäöü", permissions: .authenticatorConfiguration)
        for (length, isForced) in [(6, false), (7, true)] {
            let request = AuthenticatorConfigRequest.of(.setMinPINLength) { $0.newMinPINLength = length }
            #expect(await bench.manage(request, token).told == .ok)
            #expect((await bench.info().forcePINChange == true) == isForced)
        }
    }

    @Test func aRefusedRequestChangesNothing() async throws {
        let bench = try await Bench.complete()
        let told = try await Self.config(bench, .setMinPINLength) {
            $0.newMinPINLength = 8
            $0.minPinLengthRPIDs = (0..<9).map { "\($0).example" }
            $0.pinComplexityPolicy = true
        }
        #expect(told == Told(.keyStoreFull, "config.tooManyRelyingParties"))
        #expect(await bench.info().minPINLength == 4)
        #expect(await bench.info().pinComplexityPolicy == false)
    }

    @Test func minPinLengthRPIDsNeedTheExtension() async throws {
        let bench = try await Bench.complete { $0.extensions.removeAll { $0 == .minPinLength } }
        #expect(await bench.info().maxRPIDsForSetMinPINLength == nil)
        #expect(
            try await Self.config(bench, .setMinPINLength) { $0.minPinLengthRPIDs = [Bench.rpID] }
                == Told(.pinPolicyViolation, "config.minPinLengthUnsupported"))
        #expect(try await Self.config(bench, .setMinPINLength) { $0.newMinPINLength = 6 } == .ok)
    }

    @Test func simplePINsAreRefusedOnceComplexityIsEnforced() async throws {
        let bench = try await Bench.complete()
        #expect(await bench.info().pinComplexityPolicy == false)
        #expect(await bench.info().pinComplexityPolicyURL != nil)
        #expect(try await Self.config(bench, .setMinPINLength) { $0.pinComplexityPolicy = true } == .ok)
        // It cannot be taken back.
        #expect(try await Self.config(bench, .setMinPINLength) { $0.pinComplexityPolicy = false } == .ok)
        await bench.device.powerCycle()
        #expect(await bench.info().pinComplexityPolicy == true)
        let simple = Told(.pinPolicyViolation, "clientPIN.pinTooSimple")
        for pin in ["1111", "1234", "4321", "abcd", "1212", "123123", "password", "QWERTY"] {
            #expect(try await bench.told { try await bench.pins().setPIN(pin) } == simple)
        }
        try await bench.pins().setPIN("2718")
        #expect(try await bench.told { try await bench.pins().changePIN(from: "2718", to: "9999") } == simple)
        let without = try await Bench.complete { $0.pinComplexityPolicy = nil }
        #expect(await without.info().pinComplexityPolicy == nil)
        #expect(
            try await Self.config(without, .setMinPINLength) { $0.pinComplexityPolicy = true }
                == Told(.invalidParameter, "config.pinComplexityPolicyUnsupported"))
    }

    // MARK: Reset

    @Test func aLongTouchIsRequiredOnceEnabledUntilAReset() async throws {
        let bench = try await Bench.complete()
        #expect(await bench.info().longTouchForReset == false)
        #expect(try await Self.config(bench, .enableLongTouchForReset) == .ok)
        await bench.device.powerCycle()
        #expect(await bench.info().longTouchForReset == true)
        _ = try await bench.discoverable(1)
        bench.person.willAnswer([.tooShort])
        #expect(await bench.send(.reset).told == Told(.operationDenied, "reset.touchTooShort"))
        #expect(await bench.device.snapshot().credentials.count == 1)
        #expect(await bench.send(.reset).told == .ok)
        #expect(await bench.device.snapshot().credentials.isEmpty)
        #expect(await bench.info().longTouchForReset == false)
        let asked = bench.log.all.compactMap { event -> Bool? in
            if case .presenceAsked(let prompt) = event.kind, prompt.command == .reset {
                prompt.isLongTouch
            } else {
                nil
            }
        }
        #expect(asked == [true, true])
    }

    @Test func aTapIsNotALongTouch() async throws {
        let bench = try await Bench.complete { $0.transportsForReset = nil }
        #expect(try await Self.config(bench, .enableLongTouchForReset) == .ok)
        await bench.device.powerCycle()
        let start = bench.log.all.count
        let bytes = await bench.device.transceive([CTAPCommand.reset.rawValue], over: .nfc) { _ in }
        #expect(bytes == [CTAPStatus.operationDenied.rawValue])
        #expect(bench.log.lastReason(from: start) == "reset.touchTooShort")
    }

    @Test func aResetIsAcceptedOnItsTransportsOnly() async throws {
        let bench = try await Bench.complete()
        #expect(await bench.info().transportsForReset == [.usb])
        func reset(over transport: AuthenticatorTransport?) async -> Told {
            let start = bench.log.all.count
            let bytes = await bench.device.transceive([CTAPCommand.reset.rawValue], over: transport) { _ in }
            return Told(CTAPStatus(rawValue: bytes.first ?? 0xFF), bench.log.lastReason(from: start))
        }
        for transport in [AuthenticatorTransport.nfc, .ble, .internal] {
            #expect(await reset(over: transport) == Told(.operationDenied, "reset.transportNotAccepted"))
        }
        #expect(bench.person.presencePrompts == 0)
        #expect(await reset(over: .usb) == .ok)
    }

    // MARK: Vendors

    @Test func onlyTheListedVendorCommandsRun() async throws {
        let bench = try await Bench.complete()
        #expect(await bench.info().vendorPrototypeConfigCommands == [1, 2])
        for id in [1, 2] { #expect(try await Self.config(bench, .vendorPrototype) { $0.vendorCommandID = id } == .ok) }
        #expect(
            try await Self.config(bench, .vendorPrototype) { $0.vendorCommandID = 3 }
                == Told(.invalidParameter, "config.vendorCommandUnknown"))
        #expect(
            try await Self.config(bench, .vendorPrototype)
                == Told(.missingParameter, "config.parameterMissing"))
        let told = bench.log.all.compactMap { event -> Int? in
            if case .vendorPrototype(let id) = event.kind { id } else { nil }
        }
        #expect(told == [1, 2])
    }
}
