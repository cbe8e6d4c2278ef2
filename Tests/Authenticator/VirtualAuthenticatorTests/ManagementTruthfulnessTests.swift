import Biometrics
import CBOR
import CTAP
import SimulatedDevice
import Testing
import VirtualAuthenticator
import WebAuthn

/// getInfo's statements on management commands, extensions and limits, for every profile.
@Suite("getInfo is truthful about management")
struct ManagementTruthfulnessTests {
    static let names = TruthfulnessTests.names

    /// A device and its source of tokens: the PIN, or else the sensor.
    struct Device: Sendable {
        let bench: Bench
        let info: AuthenticatorInfo
        let byPIN: Bool

        init(_ name: String, pin: Bool = true) async throws {
            bench = try TruthfulnessTests.bench(name)
            info = await bench.info()
            byPIN = pin && info.option("clientPin") != nil
            if byPIN { try await bench.setPIN() }
        }

        func token(
            _ permissions: PINUVAuthTokenPermissions, byPIN: Bool? = nil, rpID: String? = nil
        ) async throws -> PINClient.Token {
            byPIN ?? self.byPIN
                ? try await bench.token(permissions: permissions, rpID: rpID)
                : try await bench.pins().tokenUsingUV(permissions: permissions, relyingPartyID: rpID)
        }

        func permission(_ permissions: PINUVAuthTokenPermissions, byPIN: Bool) async throws -> Told {
            try await bench.told { _ = try await token(permissions, byPIN: byPIN) }
        }

        /// A new discoverable credential, made by a verified user.
        func make(_ extensions: [String: CBOR.Value], user: UInt8 = 1) async throws -> Made {
            let token = try await token(.makeCredential, rpID: Bench.rpID)
            return try await bench.make {
                $0.user.id = [user]
                $0.options["rk"] = true
                $0.extensions = extensions
                $0.authenticate(token)
            }.made()
        }
    }

    static let unsupported = Told(.unauthorizedPermission, "clientPIN.permissionUnsupported")

    @Test(arguments: names)
    func permissionsMatchTheAdvertisedFeatures(name: String) async throws {
        let device = try await Device(name)
        let info = device.info
        func has(_ option: String) -> Bool { info.option(option) != nil }
        let rows: [(PINUVAuthTokenPermissions, byPIN: Bool, byUV: Bool)] = [
            (.credentialManagement, has("credMgmt"), has("credMgmt")),
            (.persistentCredentialManagementReadOnly, has("perCredMgmtRO"), has("perCredMgmtRO")),
            (.bioEnrollment, has("bioEnroll"), has("uvBioEnroll")),
            (.largeBlobWrite, has("largeBlobs"), has("largeBlobs")),
            (.authenticatorConfiguration, has("authnrCfg"), has("uvAcfg")),
        ]
        for (permission, byPIN, byUV) in rows where has("pinUvAuthToken") {
            if has("clientPin") {
                #expect(try await device.permission(permission, byPIN: true) == (byPIN ? .ok : Self.unsupported))
            }
            if has("uv") {
                #expect(try await device.permission(permission, byPIN: false) == (byUV ? .ok : Self.unsupported))
            }
        }
    }

    @Test(arguments: names)
    func credentialManagementMatchesTheOptions(name: String) async throws {
        let device = try await Device(name)
        let bench = device.bench
        var commands: [CTAPCommand] = []
        if device.info.option("credMgmt") == true { commands.append(.credentialManagement) }
        if device.info.option("credentialMgmtPreview") == true { commands.append(.credentialManagementPreview) }
        guard !commands.isEmpty else { return }
        let made = try await device.make([:])
        let token = try await device.token(.credentialManagement)
        for command in commands {
            for var request in [
                CredentialManagementRequest.of(.getCredsMetadata), .of(.enumerateRPsBegin),
                CredentialManagementTests.list(),
            ] {
                request.authenticate(token)
                #expect(await bench.send(command, request.cbor).told == .ok)
            }
        }
        guard commands.contains(.credentialManagement) else { return }
        let metadata = try await bench.manage(CredentialManagementRequest.of(.getCredsMetadata), token).credentials()
        #expect(
            metadata.maxPossibleRemainingResidentCredentialsCount
                == device.info.remainingDiscoverableCredentials.map { $0 - 1 })
        let delete = CredentialManagementRequest.of(.deleteCredential) { $0.credentialID = try? made.descriptor() }
        #expect(await bench.manage(delete, token).told == .ok)
        #expect(await bench.info().remainingDiscoverableCredentials == device.info.remainingDiscoverableCredentials)
        if device.info.option("perCredMgmtRO") == true {
            let persistent = try await device.token(.persistentCredentialManagementReadOnly)
            #expect(await bench.manage(CredentialManagementRequest.of(.getCredsMetadata), persistent).told == .ok)
            #expect(try await PersistentTokenTests.identifier(bench, persistent).count == 16)
            #expect(try await PersistentTokenTests.storeState(bench, persistent).count == 16)
        } else {
            #expect(device.info.encIdentifier == nil)
            #expect(device.info.encCredStoreState == nil)
        }
    }

    @Test(arguments: names)
    func enrolmentMatchesTheOptions(name: String) async throws {
        let device = try await Device(name)
        guard let isEnrolled = device.info.option("bioEnroll") else { return }
        #expect(isEnrolled)
        #expect(device.info.option("userVerificationMgmtPreview") ?? true)
        let before = await BioEnrollmentTests.fingers(device.bench).count
        _ = try await BioEnrollmentTests.enrol(device.bench)
        #expect(await BioEnrollmentTests.fingers(device.bench).count == before + 1)
    }

    /// Keys that list only the preview have no permissions: the token of getPinToken covers enrolment.
    @Test(arguments: names)
    func previewOnlyKeysEnrolThroughThePreviewCommand(name: String) async throws {
        let device = try await Device(name)
        guard device.info.option("bioEnroll") == nil, device.info.option("userVerificationMgmtPreview") != nil else {
            return
        }
        let bench = device.bench
        let token = try await bench.token(for: .bioEnrollment)
        func send(_ request: BioEnrollmentRequest) async throws -> BioEnrollmentResponse {
            var request = request
            request.authenticate(token)
            return try await bench.send(.bioEnrollmentPreview, request.cbor).bio()
        }
        let before = await BioEnrollmentTests.fingers(bench).count
        var response = try await send(BioEnrollmentTests.begin)
        let id = try #require(response.templateID)
        while response.remainingSamples != 0 { response = try await send(BioEnrollmentTests.next(id)) }
        #expect(await BioEnrollmentTests.fingers(bench).count == before + 1)
    }

    @Test(arguments: names)
    func theConfigSubcommandsAreThoseListed(name: String) async throws {
        let listed = try await Device(name).info.authenticatorConfigCommands ?? []
        let option = try await Device(name).info.option("authnrCfg")
        #expect((option == true) == !listed.isEmpty)
        guard option == true else { return }
        for number in Array(0...8) + [0xFE, 0xFF] {
            // Each has a device of its own, because some subcommands remove features.
            let device = try await Device(name)
            var request = AuthenticatorConfigRequest.of(.enableEnterpriseAttestation) { $0.subCommand = number }
            request.vendorCommandID = number == 0xFF ? device.info.vendorPrototypeConfigCommands?.first : nil
            let told = await device.bench.manage(request, try await device.token(.authenticatorConfiguration)).told
            #expect(told == (listed.contains(number) ? .ok : Told(.invalidSubcommand, "config.unknownSubcommand")))
        }
        let device = try await Device(name)
        #expect(listed.contains(1) == (device.info.option("ep") != nil))
        #expect(listed.contains(2) == (device.info.option("alwaysUv") != nil))
        #expect(listed.contains(3) == (device.info.option("setMinPINLength") == true))
        #expect(listed.contains(4) == (device.info.longTouchForReset != nil))
        #expect(listed.contains(0xFF) == (device.info.vendorPrototypeConfigCommands != nil))
        for id in device.info.vendorPrototypeConfigCommands ?? [] {
            let request = AuthenticatorConfigRequest.of(.vendorPrototype) { $0.vendorCommandID = id }
            #expect(await device.bench.manage(request, try await device.token(.authenticatorConfiguration)).told == .ok)
        }
    }

    @Test(arguments: names)
    func configurationShowsInGetInfo(name: String) async throws {
        let device = try await Device(name)
        let bench = device.bench
        guard device.info.option("authnrCfg") == true else { return }
        func run(
            _ subCommand: AuthenticatorConfigSubcommand, _ change: (inout AuthenticatorConfigRequest) -> Void = { _ in }
        ) async throws -> Told {
            let token = try await device.token(.authenticatorConfiguration)
            return await bench.manage(AuthenticatorConfigRequest.of(subCommand, change), token).told
        }
        if device.info.option("ep") == false {
            #expect(try await run(.enableEnterpriseAttestation) == .ok)
            #expect(await bench.option("ep") == true)
        }
        if let isOn = device.info.option("alwaysUv") {
            #expect(try await run(.toggleAlwaysUv) == .ok)
            #expect(await bench.option("alwaysUv") == !isOn)
            #expect(try await run(.toggleAlwaysUv) == .ok)
        }
        if device.info.longTouchForReset == false {
            #expect(try await run(.enableLongTouchForReset) == .ok)
            #expect(await bench.info().longTouchForReset == true)
        }
        guard device.info.option("setMinPINLength") == true, let shortest = device.info.minPINLength else { return }
        if let most = device.info.maxRPIDsForSetMinPINLength {
            #expect(
                try await run(.setMinPINLength) { $0.minPinLengthRPIDs = (0..<most).map { "\($0).example" } } == .ok)
            #expect(
                try await run(.setMinPINLength) { $0.minPinLengthRPIDs = (0...most).map { "\($0).example" } }.status
                    == .keyStoreFull)
        }
        if device.info.pinComplexityPolicy == false {
            #expect(try await run(.setMinPINLength) { $0.pinComplexityPolicy = true } == .ok)
            #expect(await bench.info().pinComplexityPolicy == true)
            #expect(try #require(device.info.pinComplexityPolicyURL).starts(with: Array("https://".utf8)))
        }
        let longest = device.info.maxPINLength ?? 63
        #expect(try await run(.setMinPINLength) { $0.newMinPINLength = longest + 1 }.status == .pinPolicyViolation)
        #expect(try await run(.setMinPINLength) { $0.newMinPINLength = shortest + 1 } == .ok)
        #expect(await bench.info().minPINLength == shortest + 1)
        // A PIN that is now too short must be changed.
        if Bench.pin.count > shortest {
            #expect(try await run(.setMinPINLength) { $0.forceChangePin = true } == .ok)
        }
        #expect(await bench.info().forcePINChange == true)
        let long = String("zyxvutsrqponmlkjihgfedcba".prefix(1)) + String(repeating: "ab", count: longest / 2)
        #expect(
            try await bench.told { try await bench.pins().changePIN(from: Bench.pin, to: String(long.prefix(longest))) }
                == .ok)
    }

    @Test(arguments: names)
    func largeBlobsMatchTheOptions(name: String) async throws {
        let device = try await Device(name)
        let capacity = device.info.maxSerializedLargeBlobArray
        #expect((device.info.option("largeBlobs") == true) == (capacity != nil))
        guard let capacity else { return }
        #expect(capacity >= 1024)
        let token = try await device.token(.largeBlobWrite)
        #expect(await LargeBlobTests.write(LargeBlobTests.array(capacity), fragment: 1000, device.bench, token) == .ok)
        #expect(
            await LargeBlobTests.write(LargeBlobTests.array(capacity + 1), fragment: 1000, device.bench, token)
                == Told(.largeBlobStorageFull, "largeBlobs.storageFull"))
    }

    @Test(arguments: names, AuthenticatorExtension.allCases)
    func anExtensionAnswersOnlyIfItIsAdvertised(
        name: String, requested: AuthenticatorExtension
    ) async throws {
        let device = try await Device(name)
        let bench = device.bench
        let isAdvertised = device.info.extensions?.contains(requested.rawValue) ?? false
        if isAdvertised, requested == .minPinLength || requested == .pinComplexityPolicy {
            let request = AuthenticatorConfigRequest.of(.setMinPINLength) { $0.minPinLengthRPIDs = [Bench.rpID] }
            #expect(await bench.manage(request, try await device.token(.authenticatorConfiguration)).told == .ok)
        }
        let limit = device.info.maxCredBlobLength ?? 32
        let salts = device.info.pinUvAuthProtocols == nil ? nil : try await Salts(bench, [HMACSecretTests.one])
        let input: [AuthenticatorExtension: CBOR.Value] = [
            .credProtect: 2, .credBlob: .bytes([UInt8](repeating: 1, count: limit)),
            .hmacSecretAtCreation: salts?.input ?? [:], .largeBlob: ["support": "preferred"],
            .previewSign: [3: [-7]],
        ]
        var extensions = [requested.rawValue: input[requested] ?? true]
        if requested == .hmacSecretAtCreation { extensions[AuthenticatorExtension.hmacSecret.rawValue] = true }
        let made = try await device.make(extensions)
        let output = try made.data().extensions?[.text(requested.rawValue)]
        if requested == .largeBlobKey {
            #expect((made.response.largeBlobKey != nil) == isAdvertised)
            #expect(output == nil)
        } else if requested == .largeBlob {
            #expect((made.response.unsignedExtensionOutputs?["largeBlob"] == ["supported": true]) == isAdvertised)
            #expect(output == nil)
        } else {
            #expect((output != nil) == isAdvertised)
        }
        if requested == .credBlob {
            #expect((device.info.maxCredBlobLength != nil) == isAdvertised)
            guard isAdvertised else { return }
            #expect(limit >= 32)
            #expect(output == true)
            let long = try await device.make(["credBlob": .bytes([UInt8](repeating: 1, count: limit + 1))], user: 2)
            #expect(try long.data().extensions?["credBlob"] == false)
        }
        let atSignIn: [AuthenticatorExtension: CBOR.Value] = [
            .credBlob: true, .largeBlobKey: true, .thirdPartyPayment: true, .uvm: true,
            .hmacSecret: salts?.input ?? [:], .largeBlob: ["read": true],
        ]
        guard let asked = atSignIn[requested] else { return }
        let got = try await bench.get {
            $0.allowList = [try made.descriptor()]
            $0.extensions = [requested.rawValue: asked]
        }.got()
        let answered =
            switch requested {
            case .largeBlobKey: got.response.largeBlobKey != nil
            case .largeBlob: got.response.unsignedExtensionOutputs?["largeBlob"] != nil
            default: try got.data().extensions?[.text(requested.rawValue)] != nil
            }
        #expect(answered == isAdvertised)
    }

    @Test(arguments: names)
    func verificationsAreCountedSinceThePINWasEntered(name: String) async throws {
        let device = try await Device(name)
        let bench = device.bench
        guard device.info.uvCountSinceLastPinEntry != nil else { return }
        _ = try await device.token(.getAssertion, byPIN: true, rpID: Bench.rpID)
        #expect(await bench.info().uvCountSinceLastPinEntry == 0)
        for count in 1...3 {
            _ = try await device.token(.getAssertion, byPIN: false, rpID: Bench.rpID)
            #expect(await bench.info().uvCountSinceLastPinEntry == count)
        }
        bench.person.willDo([.nonMatch])
        _ = try? await device.token(.getAssertion, byPIN: false, rpID: Bench.rpID)
        // A failed attempt counts, too (CTAP 2.3 §6.4).
        #expect(await bench.info().uvCountSinceLastPinEntry == 4)
        _ = try await device.token(.getAssertion, byPIN: true, rpID: Bench.rpID)
        #expect(await bench.info().uvCountSinceLastPinEntry == 0)
    }

    @Test(arguments: names)
    func aResetIsAcceptedOnTheAdvertisedTransports(name: String) async throws {
        for transport in [AuthenticatorTransport.usb, .nfc, .ble, .internal] {
            let device = try await Device(name)
            let bytes = await device.bench.device.transceive([CTAPCommand.reset.rawValue], over: transport) { _ in }
            let isTaken = device.info.transportsForReset?.contains(transport) ?? true
            #expect(bytes == [(isTaken ? CTAPStatus.ok : .operationDenied).rawValue])
        }
    }

    @Test(arguments: names)
    func theAdvertisedNumberOfDiscoverableCredentialsFits(name: String) async throws {
        // A smaller device of the same kind: the number comes from the profile, the rule holds for all devices.
        let bench = try TruthfulnessTests.bench(name) { $0.discoverableCapacity = 3 }
        let info = await bench.info()
        for left in (0..<3).reversed() {
            #expect(
                await bench.make {
                    TruthfulnessTests.enter(&$0, info)
                    $0.options["rk"] = true
                    $0.user.id = [UInt8(left)]
                }.told == .ok)
            #expect(await bench.info().remainingDiscoverableCredentials == left)
        }
        #expect(
            await bench.make {
                TruthfulnessTests.enter(&$0, info)
                $0.options["rk"] = true
                $0.user.id = [9]
            }.told == Told(.keyStoreFull, "makeCredential.keyStoreFull"))
    }
}
