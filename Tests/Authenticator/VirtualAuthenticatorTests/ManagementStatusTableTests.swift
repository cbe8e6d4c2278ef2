import Biometrics
import CBOR
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

/// The statuses of Reset, the commands that manage a key, the extensions and messages: the rows of the table
/// that follow ``StatusTableTests``, in its order.
@Suite("Statuses of management, extensions and messages")
struct ManagementStatusTableTests {
    @Test("Reset is 0x30 later than ten seconds after power-up, 0x27 declined, 0x2F without an answer")
    func reset() async {
        let bench = Bench()
        bench.clock.advance(by: .milliseconds(10_001))
        #expect(await bench.send(.reset).told == Told(.notAllowed, "reset.tooLateAfterPowerUp"))
        await bench.device.powerCycle()
        bench.person.willAnswer([.declined])
        #expect(await bench.send(.reset).told == Told(.operationDenied, "reset.userDeclined"))
        bench.clock.advance(by: .seconds(10))
        #expect(await bench.send(.reset).told == .ok)
        await bench.device.powerCycle()
        bench.person.willAnswer([.noAnswer])
        #expect(await bench.send(.reset).told == Told(.userActionTimeout, "reset.userActionTimeout"))
    }

    @Test("An unknown subcommand of a command the device has is 0x3E")
    func unknownSubcommands() async throws {
        let bench = try await Bench.complete()
        for number in [0, 0x63, 0xFE, 0x1_0001] {
            for (command, prefix, parameters) in [
                (CTAPCommand.clientPIN, "clientPIN", [2: .integer(number)] as CBOR.Value),
                (.bioEnrollment, "bioEnrollment", [1: 1, 2: .integer(number)]),
                (.credentialManagement, "credentialManagement", [1: .integer(number)]),
                (.config, "config", [1: .integer(number)]),
            ] {
                #expect(
                    await bench.send(command, parameters).told
                        == Told(.invalidSubcommand, "\(prefix).unknownSubcommand"))
            }
        }
        let bare = try await Bench.complete { $0.management.configSubcommands = [.toggleAlwaysUv] }
        for number in [1, 3, 4, 0xFF] {
            #expect(
                await bare.send(.config, [1: .integer(number)]).told
                    == Told(.invalidSubcommand, "config.unknownSubcommand"))
        }
    }

    @Test("Config runs without a token while nothing protects the device; toggleAlwaysUv does even with alwaysUv on")
    func unprotectedConfig() async throws {
        let bench = try await Bench.complete()
        // A wrong parameter is ignored.
        var request = AuthenticatorConfigRequest.of(.enableEnterpriseAttestation)
        request.pinUvAuthParam = [1]
        request.pinUvAuthProtocol = 9
        #expect(await bench.manage(request).told == .ok)
        let toggle = AuthenticatorConfigRequest.of(.toggleAlwaysUv)
        #expect(await bench.manage(toggle).told == .ok)
        #expect(await bench.option("alwaysUv") == true)
        #expect(
            await bench.manage(AuthenticatorConfigRequest.of(.enableLongTouchForReset)).told
                == Told(.puatRequired, "config.pinUvAuthParamMissing"))
        #expect(await bench.manage(toggle).told == .ok)
        #expect(await bench.option("alwaysUv") == false)
        for protected in [try await Bench.complete(pin: true), try await Bench.complete(fingers: [[1]])] {
            #expect(
                await protected.manage(toggle).told == Told(.puatRequired, "config.pinUvAuthParamMissing"))
        }
    }

    @Test("setMinPINLength is 0x37 below the minimum, 0x35 to force a change without a PIN, 0x28 for too many RP IDs")
    func setMinPINLength() async throws {
        let bench = try await Bench.complete { $0.minPINLength = 6 }
        func set(_ change: @Sendable (inout AuthenticatorConfigRequest) -> Void) async -> Told {
            await bench.manage(AuthenticatorConfigRequest.of(.setMinPINLength, change)).told
        }
        let tooLow = Told(.pinPolicyViolation, "config.minPINLengthOutOfRange")
        #expect(await set { $0.newMinPINLength = 5 } == tooLow)
        #expect(await set { $0.newMinPINLength = 64 } == tooLow)
        #expect(
            await set {
                $0.newMinPINLength = 5
                $0.forceChangePin = true
            } == tooLow)
        #expect(await set { $0.forceChangePin = true } == Told(.pinNotSet, "config.forceChangeWithoutPIN"))
        #expect(await set { $0.minPinLengthRPIDs = [Bench.rpID] } == .ok)
        #expect(
            await set { $0.minPinLengthRPIDs = (0..<9).map { "\($0).example" } }
                == Told(.keyStoreFull, "config.tooManyRelyingParties"))

        func tells(_ rpID: String) async throws -> CBOR.Value? {
            try await bench.discoverable(1, at: rpID, ["minPinLength": true]).data().extensions?["minPinLength"]
        }
        // An empty list and a refused list change nothing; another list replaces the first.
        #expect(await set { $0.minPinLengthRPIDs = [] } == .ok)
        #expect(try await tells(Bench.rpID) == 6)
        #expect(await set { $0.minPinLengthRPIDs = (0..<8).map { "\($0).example" } } == .ok)
        #expect(try await tells(Bench.rpID) == nil)
        #expect(try await tells("7.example") == 6)
    }

    @Test(
        "Credential management is 0x2E where nothing is found, 0x33 for a bound token that asks for all, 0x02 for another user"
    )
    func credentialManagement() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await bench.token(for: .credentialManagement)
        let nothing = Told(.noCredentials, "credentialManagement.noCredentials")
        let unknown = Told(.noCredentials, "credentialManagement.noSuchCredential")
        let list = CredentialManagementRequest.of(.enumerateCredentialsBegin) { $0.rpIDHash = Bench.rpIDHash }
        #expect(await bench.manage(CredentialManagementRequest.of(.enumerateRPsBegin), token).told == nothing)
        #expect(await bench.manage(list, token).told == nothing)
        let stranger = PublicKeyCredentialDescriptor(id: [1, 2, 3])
        let delete = CredentialManagementRequest.of(.deleteCredential) { $0.credentialID = stranger }
        #expect(await bench.manage(delete, token).told == unknown)
        let rename = CredentialManagementRequest.of(.updateUserInformation) {
            $0.credentialID = stranger
            $0.user = PublicKeyCredentialUserEntity(id: [1])
        }
        #expect(await bench.manage(rename, token).told == unknown)

        let descriptor = try await bench.discoverable(1).descriptor()
        let bound = try await bench.token(for: .credentialManagement, rpID: Bench.rpID)
        for subCommand: CredentialManagementSubcommand in [.getCredsMetadata, .enumerateRPsBegin] {
            #expect(
                await bench.manage(CredentialManagementRequest.of(subCommand), bound).told
                    == Told(.pinAuthInvalid, "credentialManagement.tokenBoundToOtherRelyingParty"))
        }
        // An unknown credential has no RP ID to compare with the token's (§6.8.5, §6.8.6).
        #expect(await bench.manage(delete, bound).told == unknown)
        #expect(await bench.manage(rename, bound).told == unknown)
        let other = CredentialManagementRequest.of(.updateUserInformation) {
            $0.credentialID = descriptor
            $0.user = PublicKeyCredentialUserEntity(id: [2], name: "eve")
        }
        #expect(
            await bench.manage(other, bound).told == Told(.invalidParameter, "credentialManagement.otherUser"))
    }

    @Test(
        "BioEnrollment: 0x02 modality, 0x03 long name, 0x17 full, 0x2C nothing there; a bad sample does not count as an error; 03, 07 and getModality are open"
    )
    func bioEnrollment() async throws {
        let bench = try await Bench.complete(pin: true)
        var request = BioEnrollmentRequest.of(.enumerateEnrollments)
        request.modality = 2
        #expect(
            await bench.manage(request).told == Told(.invalidParameter, "bioEnrollment.modalityUnknown"))
        #expect(
            try await bench.manage(BioEnrollmentRequest.of(.enumerateEnrollments), with: .bioEnrollment).told
                == Told(.invalidOption, "bioEnrollment.nothingEnrolled"))
        let unknown = Told(.invalidOption, "bioEnrollment.templateUnknown")
        let rename = BioEnrollmentRequest.of(.setFriendlyName) {
            $0.templateID = [7]
            $0.friendlyName = "x"
        }
        #expect(try await bench.manage(rename, with: .bioEnrollment).told == unknown)
        let remove = BioEnrollmentRequest.of(.removeEnrollment) { $0.templateID = [7] }
        #expect(try await bench.manage(remove, with: .bioEnrollment).told == unknown)
        let long = BioEnrollmentRequest.of(.setFriendlyName) {
            $0.templateID = [7]
            $0.friendlyName = String(repeating: "x", count: 65)
        }
        #expect(
            try await bench.manage(long, with: .bioEnrollment).told
                == Told(.invalidLength, "bioEnrollment.friendlyNameTooLong"))
        bench.person.willEnrol([.poorQuality])
        let sample = try await bench.manage(BioEnrollmentRequest.of(.enrollBegin), with: .bioEnrollment).bio()
        #expect(sample.lastEnrollSampleStatus == 7)
        for subCommand: BioEnrollmentSubcommand in [.cancelCurrentEnrollment, .getFingerprintSensorInfo] {
            #expect(await bench.manage(BioEnrollmentRequest.of(subCommand)).told == .ok)
        }
        #expect(try await bench.send(.bioEnrollment, [6: true]).bio().modality == 1)

        let full = try await Bench.complete(pin: true, fingers: [[1], [2], [3], [4], [5]])
        #expect(
            try await full.manage(BioEnrollmentRequest.of(.enrollBegin), with: .bioEnrollment).told
                == Told(.fingerprintDatabaseFull, "bioEnrollment.storeFull"))
    }

    @Test(
        "LargeBlobs: 0x02 for parameters that do not go together, 0x03 long fragment, 0x18 too much, 0x04 wrong offset, 0x3D bad checksum"
    )
    func largeBlobs() async throws {
        let bench = try await Bench.complete()
        let initial = SerializedLargeBlobArray.initial
        func send(_ parameters: CBOR.Value) async -> Told { await bench.send(.largeBlobs, parameters).told }
        func refused(_ status: CTAPStatus, _ cause: String) -> Told { Told(status, "largeBlobs.\(cause)") }
        let set = CBOR.Value.bytes(initial)
        #expect(await send([1: 17, 2: set, 3: 0]) == refused(.invalidParameter, "neitherOrBothOfGetAndSet"))
        #expect(await send([3: 0]) == refused(.invalidParameter, "neitherOrBothOfGetAndSet"))
        #expect(await send([1: 17]) == refused(.invalidParameter, "offsetMissing"))
        #expect(await send([2: set, 4: 17]) == refused(.invalidParameter, "offsetMissing"))
        #expect(await send([1: 17, 3: 0, 4: 17]) == refused(.invalidParameter, "lengthWithGet"))
        #expect(await send([1: 17, 3: 0, 5: .bytes([1])]) == refused(.invalidParameter, "pinUvAuthWithGet"))
        #expect(await send([1: 17, 3: 0, 6: 2]) == refused(.invalidParameter, "pinUvAuthWithGet"))
        #expect(await send([1: 17, 3: 18]) == refused(.invalidParameter, "offsetBeyondEnd"))
        #expect(await send([1: 7546, 3: 0]) == refused(.invalidLength, "fragmentTooLong"))
        let long = CBOR.Value.bytes([UInt8](repeating: 0, count: 7546))
        #expect(await send([2: long, 3: 0, 4: 4000]) == refused(.invalidLength, "fragmentTooLong"))
        #expect(await send([2: set, 3: 0, 4: 4097]) == refused(.largeBlobStorageFull, "storageFull"))
        #expect(await send([2: set, 3: 0, 4: 16]) == refused(.invalidParameter, "lengthTooSmall"))
        #expect(await send([2: set, 3: 0]) == refused(.invalidParameter, "lengthMissing"))
        #expect(await send([2: set, 3: 1]) == refused(.invalidSequence, "offsetNotNext"))
        #expect(await send([2: set, 3: 1, 4: 17]) == refused(.invalidParameter, "lengthAfterFirstFragment"))
        #expect(await send([2: .bytes([1, 2]), 3: 0, 4: 17]) == .ok)
        #expect(await send([2: .bytes([3]), 3: 1]) == refused(.invalidSequence, "offsetNotNext"))
        #expect(await send([2: .bytes([3]), 3: 3]) == refused(.invalidSequence, "offsetNotNext"))
        #expect(await send([2: set, 3: 2]) == refused(.invalidParameter, "moreThanLength"))
        var spoilt = initial
        spoilt[16] ^= 1
        #expect(await send([2: .bytes(spoilt), 3: 0, 4: 17]) == refused(.integrityFailure, "checksumWrong"))
        #expect(try await bench.send(.largeBlobs, [1: 1024, 3: 0]).blobs() == initial)
    }

    @Test(
        "hmac-secret with up false is 0x2B, with an unsupported protocol 0x02; largeBlobKey that is not true, or without rk, 0x2C"
    )
    func extensions() async throws {
        let bench = try await Bench.complete()
        let made = try await bench.discoverable(1, ["hmac-secret": true])
        let salt = try await Salts(bench, [[UInt8](repeating: 1, count: 32)])
        #expect(
            await bench.get {
                $0.extensions = ["hmac-secret": salt.input]
                $0.options["up"] = false
            }.told == Told(.unsupportedOption, "hmacSecret.upFalse"))
        var other = try salt.input.asMap("input")
        other[4] = 3
        let unknown = CBOR.Value.map(other)
        #expect(
            await bench.get { $0.extensions = ["hmac-secret": unknown] }.told
                == Told(.invalidParameter, "hmacSecret.protocolUnsupported"))
        #expect(
            try await bench.get {
                $0.extensions = ["largeBlobKey": false]
                $0.allowList = [try made.descriptor()]
            }.told == Told(.invalidOption, "largeBlobKey.false"))
        #expect(
            await bench.make {
                $0.extensions = ["largeBlobKey": false]
                $0.options["rk"] = true
            }.told == Told(.invalidOption, "largeBlobKey.false"))
        #expect(
            await bench.make { $0.extensions = ["largeBlobKey": true] }.told
                == Told(.invalidOption, "largeBlobKey.notDiscoverable"))
    }

    @Test("Malformed or non-canonical CBOR is 0x12, the wrong type 0x11, a missing member 0x14, for every command")
    func messages() async throws {
        let bench = try await Bench.complete()
        let commands: [(CTAPCommand, wrongType: CBOR.Value, missing: CBOR.Value?)] = [
            (.makeCredential, [1: "hash"], [:]), (.getAssertion, [1: 1], [:]), (.clientPIN, [2: "1"], [:]),
            (.bioEnrollment, [1: "1"], [1: 1]), (.credentialManagement, [1: "1"], [:]),
            (.largeBlobs, [1: "1"], nil), (.config, [1: "1"], [:]), (.bioEnrollmentPreview, [2: [1]], [1: 1]),
            (.credentialManagementPreview, [1: [1]], [:]),
        ]
        for (command, wrongType, missing) in commands {
            // Truncated, a number that is not minimal, keys out of order, a trailing byte.
            for body: [UInt8] in [[0xA1, 0x01], [0xA1, 0x18, 0x01, 0x01], [0xA2, 2, 1, 1, 1], [0xA0, 0], []] {
                #expect(await bench.send([command.rawValue] + body).told.status == .invalidCBOR)
            }
            for value in [wrongType, [1], 1] {
                #expect(
                    await bench.send(command, value).told == Told(.cborUnexpectedType, "message.unexpectedType"))
            }
            if let missing { #expect(await bench.send(command, missing).told.status == .missingParameter) }
        }
    }
}
