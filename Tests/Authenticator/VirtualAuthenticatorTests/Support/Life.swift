import Biometrics
import CBOR
import COSE
import CTAP
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

/// A device, its storage, and a client's knowledge of it.
struct Life {
    /// The acts that change a device.
    enum Act: CaseIterable, Sendable {
        case setPIN, changePIN, wrongPIN, rightPIN
        case makeDiscoverable, makeSealed, makeLarge, getAssertion, getSealed, delete, rename
        case enrol, renameFinger, removeFinger, fingerFails, fingerMatches
        case writeBlobs, halfWriteBlobs
        case enableEnterprise, toggleAlwaysUV, raiseMinimum, longTouch
        case removeOnDevice, powerCycle, reset, getInfo
    }

    let storage = ModelStorage()
    var bench: Bench
    /// The public keys of the credentials, by ID.
    var keys: [[UInt8]: COSE.PublicKey] = [:]
    var sealed: [[UInt8]] = []
    var pin = Bench.pin

    init(_ change: (inout AuthenticatorConfiguration) -> Void = { _ in }) async throws {
        bench = try await .complete(storage: storage, change)
    }

    /// Whether a token from the PIN is available and needed.
    var hasPIN: Bool { get async { await bench.device.snapshot().isPINSet } }

    func manage(_ request: some ManagementRequest, _ permissions: PINUVAuthTokenPermissions) async -> Told {
        guard await hasPIN else { return await bench.manage(request).told }
        guard let token = try? await bench.pins().token(pin: pin, permissions: permissions) else {
            return Told(.other, "no token")
        }
        return await bench.manage(request, token).told
    }

    private mutating func make(
        _ change: (inout MakeCredentialRequest) -> Void
    ) async -> [UInt8]? {
        let token =
            await hasPIN
            ? try? await bench.pins().token(
                pin: pin, permissions: .makeCredential, relyingPartyID: Bench.rpID) : nil
        let answer = await bench.make {
            change(&$0)
            if let token { $0.authenticate(token) }
        }
        guard answer.told == .ok, let made = try? answer.made(), let id = try? made.id(),
            let attested = try? made.attested()
        else {
            return nil
        }
        keys[id] = try? COSE.PublicKey(cbor: attested.credentialPublicKey)
        return id
    }

    mutating func act(_ act: Act, _ random: inout SeededGenerator) async throws {
        let credential = await bench.device.snapshot().credentials.randomElement(using: &random)
        let finger = await bench.device.snapshot().gate?.sensor?.templates.randomElement(using: &random)
        switch act {
        case .setPIN: if await !hasPIN { try? await bench.pins().setPIN(pin) }
        case .changePIN:
            let new = "\(random.next() % 90_000_000 + 10_000_000)"
            if (try? await bench.pins().changePIN(from: pin, to: new)) != nil { pin = new }
        case .wrongPIN: _ = try? await bench.pins().token(pin: "000000", permissions: nil)
        case .rightPIN: _ = try? await bench.pins().token(pin: pin, permissions: nil)
        case .makeDiscoverable:
            _ = await make {
                $0.options["rk"] = true
                $0.user.id = [UInt8.random(in: 0..<4, using: &random)]
                $0.extensions = ["credBlob": .bytes([1, 2]), "largeBlobKey": true, "credProtect": 2]
            }
        case .makeSealed: if let id = await make({ _ in }) { sealed.append(id) }
        case .makeLarge:
            _ = await make { $0.pubKeyCredParams = [PublicKeyCredentialParameters(algorithm: .rs256)] }
        case .getAssertion: if let credential { _ = await bench.get { $0.allowList = [credential.descriptor] } }
        case .getSealed:
            if let id = sealed.randomElement(using: &random) {
                _ = await bench.get { $0.allowList = [PublicKeyCredentialDescriptor(id: id)] }
            }
        case .delete:
            _ = await manage(
                CredentialManagementRequest.of(.deleteCredential) { $0.credentialID = credential?.descriptor },
                .credentialManagement)
        case .rename:
            _ = await manage(
                CredentialManagementRequest.of(.updateUserInformation) {
                    $0.credentialID = credential?.descriptor
                    $0.user = PublicKeyCredentialUserEntity(
                        id: credential?.user.id ?? [], name: "\(random.next() % 100)")
                }, .credentialManagement)
        case .enrol: if await hasPIN { _ = try? await enrol() }
        case .renameFinger:
            _ = await manage(
                BioEnrollmentRequest.of(.setFriendlyName) {
                    $0.templateID = finger?.id
                    $0.friendlyName = "\(random.next() % 100)"
                }, .bioEnrollment)
        case .removeFinger:
            _ = await manage(
                BioEnrollmentRequest.of(.removeEnrollment) { $0.templateID = finger?.id }, .bioEnrollment)
        case .fingerFails, .fingerMatches:
            if act == .fingerFails { bench.person.willDo([.nonMatch]) }
            _ = await bench.get { $0.options["uv"] = true }
            bench.person.forget()
        case .writeBlobs:
            let array = LargeBlobTests.array(Int.random(in: 100...1000, using: &random))
            _ = await manage(LargeBlobsRequest(set: array, offset: 0, length: array.count), .largeBlobWrite)
        case .halfWriteBlobs: _ = await manage(LargeBlobsRequest(set: [1], offset: 0, length: 99), .largeBlobWrite)
        case .enableEnterprise:
            _ = await manage(
                AuthenticatorConfigRequest.of(.enableEnterpriseAttestation), .authenticatorConfiguration)
        case .toggleAlwaysUV:
            _ = await manage(AuthenticatorConfigRequest.of(.toggleAlwaysUv), .authenticatorConfiguration)
        case .raiseMinimum:
            _ = await manage(
                AuthenticatorConfigRequest.of(.setMinPINLength) {
                    $0.newMinPINLength = 6
                    $0.minPinLengthRPIDs = [Bench.rpID]
                }, .authenticatorConfiguration)
        case .longTouch:
            _ = await manage(AuthenticatorConfigRequest.of(.enableLongTouchForReset), .authenticatorConfiguration)
        case .removeOnDevice: if let credential { await bench.device.removeCredential(credential.id) }
        case .powerCycle: await bench.device.powerCycle()
        case .reset: _ = await bench.send(.reset)
        case .getInfo: _ = await bench.send(.getInfo)
        }
    }

    private func enrol() async throws {
        let token = try await bench.pins().token(pin: pin, permissions: .bioEnrollment)
        var answer = await bench.manage(BioEnrollmentTests.begin, token)
        while answer.told == .ok, try answer.bio().remainingSamples != 0 {
            answer = await bench.manage(BioEnrollmentTests.next(try answer.bio().templateID), token)
        }
    }

    /// Ends the device without a shutdown and restores it from storage.
    mutating func dieAndComeBack() throws {
        bench = try bench.restarted(from: try #require(storage.stored))
    }
}

extension Bench {
    /// The same device, restored from storage, with the same clock, user and log.
    func restarted(from stored: StoredAuthenticator) throws -> Bench {
        try Bench(
            self,
            device: VirtualAuthenticator(
                configuration: device.configuration, environment: device.environment, restoring: stored))
    }

    private init(_ bench: Bench, device: VirtualAuthenticator) {
        clock = bench.clock
        person = bench.person
        log = bench.log
        self.device = device
    }
}
