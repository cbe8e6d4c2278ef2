import Biometrics
import CBOR
import COSE
import CTAP
import DeviceProfiles
import Foundation
import PlatformErrors
import ProfileFiles
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

/// Devices have the features that they advertise in getInfo, and no others.
@Suite("getInfo is truthful")
struct TruthfulnessTests {
    /// The profiles that have a getInfo; ``U2FTests`` has the others.
    static let names = ShippedProfiles.names.filter { $0 != "feitian-multipass-u2f" }

    static func profile(_ name: String) throws -> DeviceProfile {
        try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile(name)
    }

    /// A device of a profile, with a finger enrolled if its sensor has none.
    static func bench(
        _ name: String, _ change: (inout AuthenticatorConfiguration) -> Void = { _ in }
    ) throws -> Bench {
        let profile = try profile(name)
        var gate = profile.gate
        if let sensor = gate?.sensor, sensor.templates.isEmpty {
            _ = try gate?.enrol(BiometricTemplate(id: [1], name: "finger"), at: .zero)
        }
        return Bench(gate: gate) {
            $0 = profile.authenticator
            // Unlisted members are also tested.
            $0.unlistedMembers = []
            change(&$0)
        }
    }

    /// A registration the device accepts without a PIN being set.
    static func enter(_ request: inout MakeCredentialRequest, _ info: AuthenticatorInfo) {
        if info.option("uv") == true { request.options["uv"] = true }
    }

    @Test func everyShippedProfileIsTested() throws {
        let files = try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).files()
        #expect(files.count == ShippedProfiles.names.count)
    }

    /// The members and options that the tests below and ``ManagementTruthfulnessTests`` exercise; a new one needs a test
    /// of its own before it is advertised.
    @Test(arguments: names)
    func everyAdvertisedMemberIsTested(name: String) async throws {
        let info = try await Self.bench(name).info()
        let keys = try info.cbor.asMap("getInfo").keys
        let exercised: Set<CBOR.Value> = [
            1, 2, 3, 4, 5, 6, 7, 8, 9, 0x0A, 0x0B, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
            0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1E, 0x1F,
        ]
        #expect(Set(keys).subtracting(exercised).isEmpty)
        let options: Set<String> = [
            "plat", "rk", "up", "uv", "clientPin", "pinUvAuthToken", "makeCredUvNotRqd", "alwaysUv", "credMgmt",
            "credentialMgmtPreview", "perCredMgmtRO", "bioEnroll", "userVerificationMgmtPreview", "uvBioEnroll",
            "largeBlobs", "ep", "authnrCfg", "uvAcfg", "setMinPINLength",
        ]
        #expect(Set((info.options ?? [:]).keys).subtracting(options).isEmpty)
        let profile = try Self.profile(name)
        #expect(profile.authenticator.versionProblem(hasUserVerification: true) == nil)
        #expect(!info.versions.contains("FIDO_2_2"))
        // U2F cannot verify the user (CTAP 2.3 §7.2).
        let isStrict = info.option("alwaysUv") == true
        #expect(info.versions == profile.authenticator.versions.filter { !isStrict || $0 != "U2F_V2" })
        #expect(info.certifications == profile.authenticator.certifications)
        #expect(info.firmwareVersion == profile.authenticator.firmwareVersion)
        #expect(info.transports == profile.authenticator.transports)
    }

    /// Only the unlisted members are missing.
    @Test(arguments: names)
    func onlyTheMembersNamedInTheProfileAreUnlisted(name: String) async throws {
        let unlisted = try Self.profile(name).authenticator.unlistedMembers
        let full = try await Self.bench(name).info()
        let info = try await Self.bench(name) { $0.unlistedMembers = unlisted }.info()
        let rows: [(AuthenticatorConfiguration.UnlistedMember, CBOR.Value)] = [
            (.maxCredentialCountInList, 0x07), (.maxCredentialIdLength, 0x08), (.transports, 0x09),
            (.algorithms, 0x0A), (.minPINLength, 0x0D), (.uvModality, 0x12),
            (.remainingDiscoverableCredentials, 0x14), (.attestationFormats, 0x16),
            (.authenticatorConfigCommands, 0x1F),
        ]
        #expect(rows.count == AuthenticatorConfiguration.UnlistedMember.allCases.count)
        var expected = Set(try full.cbor.asMap("getInfo").keys)
        for (member, key) in rows where unlisted.contains(member) {
            #expect(expected.remove(key) != nil, "\(member) is not there to be left out")
        }
        // encIdentifier and encCredStoreState differ in each answer; only their presence is compared.
        #expect(Set(try info.cbor.asMap("getInfo").keys) == expected)
    }

    @Test func aRaisedMinimumIsListedEvenIfTheDefaultIsNot() async throws {
        let bench = try Self.bench("yubikey-5-nfc-5.7") { $0.unlistedMembers = [.minPINLength] }
        try await bench.setPIN()
        #expect(await bench.info().minPINLength == nil)
        let token = try await bench.token(for: .authenticatorConfiguration)
        #expect(
            await bench.manage(AuthenticatorConfigRequest.of(.setMinPINLength) { $0.newMinPINLength = 6 }, token).told
                == .ok)
        #expect(await bench.info().minPINLength == 6)
    }

    @Test(arguments: names)
    func unadvertisedFeaturesAreRefused(name: String) async throws {
        let bench = try Self.bench(name)
        let info = await bench.info()
        let advertised: [UInt8: Bool] = [
            0x09: info.option("bioEnroll") != nil, 0x0A: info.option("credMgmt") == true,
            0x0C: info.option("largeBlobs") == true, 0x0D: info.option("authnrCfg") == true,
            0x40: info.option("userVerificationMgmtPreview") != nil,
            // Some firmware answers the preview, because libfido2 sends it to every key.
            0x41: try info.option("credentialMgmtPreview") == true
                || Self.profile(name).authenticator.management.answersUnlistedPreview,
        ]
        for (command, isThere) in advertised {
            let told = await bench.send([command, 0xA0]).told
            // Each of them needs parameters.
            #expect(
                isThere
                    ? told.status == .missingParameter || told.status == .invalidParameter
                    : told == Told(.invalidCommand, "message.unknownCommand"))
        }
        if info.option("ep") != true {
            #expect(
                await bench.make {
                    Self.enter(&$0, info)
                    $0.enterpriseAttestation = 1
                }.told == Told(.invalidParameter, "makeCredential.enterpriseAttestationUnsupported"))
        }
        if info.option("uv") == nil {
            #expect(await bench.make { $0.options["uv"] = true }.told.status == .invalidOption)
            #expect(await bench.send(.clientPIN, [2: 7]).told.status == .invalidSubcommand)
        }
        if info.option("clientPin") == nil {
            for number in [1, 3, 4, 5, 9] {
                #expect(await bench.send(.clientPIN, [2: .integer(number)]).told.status == .invalidSubcommand)
            }
        }
    }

    @Test(arguments: names)
    func theCredentialOptionsMatchTheBehaviour(name: String) async throws {
        let bench = try Self.bench(name)
        let profile = try Self.profile(name)
        let info = await bench.info()
        #expect(info.aaguid == profile.authenticator.aaguid)
        #expect(info.option("plat") == (profile.platform != .securityKey))
        #expect(info.option("up") == true)
        #expect(info.option("rk") == true)
        let made = try await bench.make {
            Self.enter(&$0, info)
            $0.options["rk"] = true
        }.made()
        #expect(try made.attested().aaguid == info.aaguid)
        #expect(try made.flags().contains(.userPresent))
        #expect(try await bench.get().got().id == made.id())
        #expect(
            await bench.info().remainingDiscoverableCredentials == (info.remainingDiscoverableCredentials ?? 0) - 1)
        #expect(try made.id().count <= info.maxCredentialIdLength ?? 0)
        // A credential that is not discoverable also has an ID.
        let other = try await bench.make { Self.enter(&$0, info) }.made()
        #expect(try other.id().count <= info.maxCredentialIdLength ?? 0)
    }

    @Test(arguments: names)
    func onlyTheAdvertisedAlgorithmsWork(name: String) async throws {
        let bench = try Self.bench(name)
        let info = await bench.info()
        let advertised = try #require(info.algorithms).map(\.algorithm)
        for algorithm in COSE.Algorithm.supported + [.rs256, .es256K, .ps256] {
            let answer = await bench.make {
                Self.enter(&$0, info)
                $0.pubKeyCredParams = [PublicKeyCredentialParameters(algorithm: algorithm)]
            }
            guard advertised.contains(algorithm) else {
                #expect(answer.told == Told(.unsupportedAlgorithm, "makeCredential.noSupportedAlgorithm"))
                continue
            }
            let made = try answer.made()
            let key = try COSE.PublicKey(cbor: made.attested().credentialPublicKey)
            #expect(key.algorithm == algorithm)
            let got = try await bench.get { $0.allowList = [try made.descriptor()] }.got().response
            #expect(key.verify(got.signature, over: got.authenticatorData + Bench.hash))
        }
    }

    @Test(arguments: names)
    func theAdvertisedAttestationFormatsAreMade(name: String) async throws {
        let bench = try Self.bench(name)
        let info = await bench.info()
        let formats = info.attestationFormats ?? []
        #expect(!formats.contains("none"))
        for format in ["packed", "tpm", "apple", "none"] {
            let made = try await bench.make {
                Self.enter(&$0, info)
                $0.attestationFormatsPreference = [format]
            }.made()
            let isKnown = formats.contains(format) || format == "none"
            #expect(made.response.format == (isKnown ? format : formats.first ?? "none"))
        }
    }

    @Test(arguments: names)
    func theAdvertisedLimitsHold(name: String) async throws {
        let bench = try Self.bench(name)
        let info = await bench.info()
        let longest = try #require(info.maxMsgSize)
        #expect(longest >= 1024)
        let padding = [UInt8](repeating: 0, count: longest - 1)
        #expect(await bench.send([4] + padding).told == .ok)
        #expect(await bench.send([4] + padding + [0]).told.status == .requestTooLarge)
        let count = try #require(info.maxCredentialCountInList)
        let list = [PublicKeyCredentialDescriptor](repeating: PublicKeyCredentialDescriptor(id: [1]), count: count)
        #expect(
            await bench.make {
                Self.enter(&$0, info)
                $0.excludeList = list
            }.told == .ok)
        #expect(await bench.get { $0.allowList = list }.told.status == .noCredentials)
        #expect(await bench.get { $0.allowList = list + list.prefix(1) }.told.status == .limitExceeded)
    }

    // MARK: User verification

    @Test(arguments: names)
    func theAdvertisedPINRulesHold(name: String) async throws {
        let bench = try Self.bench(name)
        let info = await bench.info()
        guard info.option("clientPin") != nil else {
            #expect(info.minPINLength == nil)
            return
        }
        #expect(info.option("clientPin") == false)
        let shortest = try #require(info.minPINLength)
        let pins = bench.pins()
        // Random digits, which no rule against simple PINs refuses.
        let digits = String("739180526473918".prefix(shortest))
        #expect(try await bench.told { try await pins.setPIN(String(digits.dropLast())) }.status == .pinPolicyViolation)
        try await pins.setPIN(digits)
        #expect(await bench.option("clientPin") == true)
        let hasPermissions = info.option("pinUvAuthToken") == true
        for number in try #require(info.pinUvAuthProtocols) {
            let pinProtocol = try #require(PINUVAuthProtocol(rawValue: number))
            let token = try await bench.pins(pinProtocol).token(
                pin: digits, permissions: hasPermissions ? [.makeCredential, .getAssertion] : nil,
                relyingPartyID: hasPermissions ? Bench.rpID : nil)
            #expect(
                try await bench.make {
                    $0.authenticate(token)
                    $0.options["rk"] = true
                }.made().flags().contains(.userVerified))
        }
        // With alwaysUv, a device with a configured sensor verifies at the sensor.
        let verifies = info.option("alwaysUv") == true && info.option("uv") == true
        let demanded = verifies ? .ok : Told(.puatRequired, "makeCredential.userVerificationRequired")
        // makeCredUvNotRqd is for credentials that are not discoverable.
        #expect(await bench.make { $0.options["rk"] = true }.told == demanded)
        #expect(await bench.make().told == (info.option("makeCredUvNotRqd") == true ? .ok : demanded))
    }

    @Test(arguments: names)
    func builtInVerificationMatchesTheOptions(name: String) async throws {
        let bench = try Self.bench(name)
        let profile = try Self.profile(name)
        let info = await bench.info()
        guard info.option("uv") != nil else {
            #expect(info.uvModality == nil)
            #expect(info.preferredPlatformUvAttempts == nil)
            return
        }
        #expect(info.option("uv") == true)
        let offered = profile.sensors.filter { $0.strengthClass != .class1 }
        let sensorBit = offered.reduce(0) { $0 | ($1.modality == .face ? 0x10 : 0x02) }
        let passcodeBit = profile.lockout?.deviceCredentialFallback == true ? 0x04 : 0
        #expect(info.uvModality == sensorBit | passcodeBit)
        #expect(try await bench.make { $0.options["uv"] = true }.made().flags().contains(.userVerified))
        for number in try #require(info.pinUvAuthProtocols) where info.option("pinUvAuthToken") == true {
            let pinProtocol = try #require(PINUVAuthProtocol(rawValue: number))
            let token = try await bench.pins(pinProtocol).tokenUsingUV(
                permissions: .makeCredential, relyingPartyID: Bench.rpID)
            #expect(try await bench.make { $0.authenticate(token) }.made().flags().contains(.userVerified))
        }
        if let attempts = info.preferredPlatformUvAttempts, attempts > 1 {
            // The platform repeats the command; each costs one retry.
            let before = try await bench.pins().uvRetries()
            bench.person.willDo([.nonMatch])
            _ = try await BuiltInUVTests.byToken(bench)
            #expect(try await bench.pins().uvRetries() == before - 1)
            #expect(attempts <= before)
        }
        // Without a template and a passcode the option turns false, and using it is refused.
        try await bench.device.changeGate { gate, now in gate.removeAllTemplates(at: now) }
        try await bench.device.changeGate { gate, now in gate.removeDeviceCredential(at: now) }
        #expect(await bench.option("uv") == false)
        let refusal =
            profile.lockout?.passkeysNeedCredential == true
            ? Told(.operationDenied, "makeCredential.noDeviceCredential")
            : Told(.invalidOption, "makeCredential.uvNotConfigured")
        #expect(await bench.make { $0.options["uv"] = true }.told == refusal)
    }

    @Test(arguments: names)
    func theCounterMovesOnlyIfTheDeviceHasOne(name: String) async throws {
        let bench = try Self.bench(name)
        let profile = try Self.profile(name)
        let info = await bench.info()
        let made = try await bench.make { Self.enter(&$0, info) }.made()
        let got = try await bench.get { $0.allowList = [try made.descriptor()] }.got()
        let counts = [try made.data().signCount, try got.data().signCount]
        let expected: [UInt32] =
            switch profile.authenticator.counterMode {
            case .none: [0, 0]
            case .perCredential:
                [
                    profile.authenticator.initialSignatureCounter,
                    profile.authenticator.initialSignatureCounter + 1,
                ]
            case .global: [1, 2]
            // The bench's clock does not move.
            case .timestamp: [1_767_225_600, 1_767_225_600]
            }
        #expect(counts == expected)
        #expect(try made.flags().contains(.backupEligible) == profile.authenticator.isBackupEligible)
        #expect(try got.flags().contains(.backupState) == profile.authenticator.isBackedUp)
    }
}
