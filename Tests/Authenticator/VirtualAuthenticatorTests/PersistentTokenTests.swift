import CTAP
import Crypto
import CryptoExtras
import Foundation
import Testing
import VirtualAuthenticator

/// The persistent token, and the members of getInfo that only its holder can read (CTAP 2.3 §6.4, §6.5.2.1).
@Suite("The persistent token")
struct PersistentTokenTests {
    static let metadata = CredentialManagementRequest.of(.getCredsMetadata)
    static let invalid = Told(.pinAuthInvalid, "credentialManagement.pinUvAuthParamInvalid")

    static func token(
        _ bench: Bench, _ pinProtocol: PINUVAuthProtocol = .two, pin: String = Bench.pin
    ) async throws -> PINClient.Token {
        try await bench.pins(pinProtocol).token(pin: pin, permissions: .persistentCredentialManagementReadOnly)
    }

    /// The decrypted value of a member.
    static func revealed(
        _ member: KeyPath<AuthenticatorInfo, [UInt8]?>, _ name: String, _ bench: Bench, _ token: PINClient.Token
    ) async throws -> [UInt8] {
        let hidden = try #require(await bench.info()[keyPath: member])
        #expect(hidden.count == 32)
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: token.bytes), salt: [UInt8](repeating: 0, count: 32),
            info: Array(name.utf8), outputByteCount: 16)
        let plain = try AES._CBC.decrypt(
            hidden.dropFirst(16), using: key, iv: AES._CBC.IV(ivBytes: hidden.prefix(16)), noPadding: true)
        return Array(plain)
    }

    static func identifier(_ bench: Bench, _ token: PINClient.Token) async throws -> [UInt8] {
        try await revealed(\.encIdentifier, "encIdentifier", bench, token)
    }

    static func storeState(_ bench: Bench, _ token: PINClient.Token) async throws -> [UInt8] {
        try await revealed(\.encCredStoreState, "encCredStoreState", bench, token)
    }

    @Test func thePersistentTokenIsTheSameForBothProtocolsAndSurvivesPowerCycles() async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1]])
        let token = try await Self.token(bench)
        #expect(token.bytes.count == 32)
        #expect(try await Self.token(bench, .one).bytes == token.bytes)
        let byFinger = try await bench.pins().tokenUsingUV(permissions: .persistentCredentialManagementReadOnly)
        #expect(byFinger.bytes == token.bytes)
        bench.clock.advance(by: .seconds(365 * 86_400))
        await bench.device.powerCycle()
        #expect(await bench.manage(Self.metadata, token).told == .ok)
        // Neither another token nor a touch affects it.
        _ = try await bench.token()
        _ = await bench.get()
        #expect(await bench.manage(Self.metadata, token).told == .ok)
    }

    @Test func aNewPINEndsThePersistentToken() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await Self.token(bench)
        #expect(try await bench.wrongPIN() == PINRetryTests.mismatch)
        #expect(await bench.manage(Self.metadata, token).told == .ok)
        try await bench.pins().changePIN(from: Bench.pin, to: "314159")
        #expect(await bench.manage(Self.metadata, token).told == Self.invalid)
        #expect(try await Self.token(bench, pin: "314159").bytes != token.bytes)
    }

    @Test func aResetEndsThePersistentToken() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await Self.token(bench)
        #expect(await bench.send(.reset).told == .ok)
        #expect(await bench.manage(Self.metadata, token).told == Self.invalid)
        try await bench.setPIN()
        #expect(try await Self.token(bench).bytes != token.bytes)
    }

    @Test func thePersistentTokenDoesNotVerifyTheUser() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await Self.token(bench)
        #expect(await bench.make { $0.authenticate(token) }.told.status == .pinAuthInvalid)
        #expect(await bench.get { $0.authenticate(token) }.told.status == .pinAuthInvalid)
    }

    @Test func encIdentifierStaysTheSameUntilAReset() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await Self.token(bench)
        let identifier = try await Self.identifier(bench, token)
        // Every answer has a new encryption, so that others cannot track the key.
        #expect(await bench.info().encIdentifier != bench.info().encIdentifier)
        _ = try await bench.discoverable(1)
        await bench.device.powerCycle()
        #expect(try await Self.identifier(bench, token) == identifier)
        try await bench.pins().changePIN(from: Bench.pin, to: "314159")
        let second = try await Self.token(bench, pin: "314159")
        #expect(try await Self.identifier(bench, second) == identifier)
        #expect(await bench.send(.reset).told == .ok)
        try await bench.setPIN()
        let third = try await Self.token(bench)
        #expect(try await Self.identifier(bench, third) != identifier)
        // Another key has another identifier.
        #expect(try await Self.identifier(bench, third) != (try await Self.identifier(bench, token)))
    }

    @Test func encCredStoreStateChangesOnlyWithTheCredentials() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await Self.token(bench)
        var states = [try await Self.storeState(bench, token)]
        func changes(_ act: String, _ isChange: Bool = true) async throws {
            let state = try await Self.storeState(bench, token)
            #expect((state != states.last) == isChange, "\(act)")
            #expect(!isChange || !states.contains(state), "\(act)")
            states.append(state)
        }
        try await changes("nothing", false)
        let descriptor = try await bench.discoverable(1).descriptor()
        try await changes("a new credential")
        _ = await bench.get()
        _ = await bench.make()
        await bench.device.powerCycle()
        try await changes("a sign-in, and a credential that is not discoverable", false)
        _ = try await bench.discoverable(1)
        try await changes("a credential in another's place")
        let newest = try #require(await bench.device.snapshot().credentials.last?.descriptor)
        #expect(newest != descriptor)
        let rename = CredentialManagementRequest.of(.updateUserInformation) {
            $0.credentialID = newest
            $0.user = PublicKeyCredentialUserEntity(id: [1], name: "ada")
        }
        #expect(try await bench.manage(rename, with: .credentialManagement).told == .ok)
        try await changes("a new name")
        let delete = CredentialManagementRequest.of(.deleteCredential) { $0.credentialID = newest }
        #expect(try await bench.manage(delete, with: .credentialManagement).told == .ok)
        try await changes("a deletion")
        #expect(try await bench.manage(delete, with: .credentialManagement).told.status == .noCredentials)
        try await changes("a deletion that found nothing", false)
        let id = try await bench.discoverable(2).id()
        try await changes("another credential")
        #expect(await bench.device.removeCredential(id))
        try await changes("a deletion on the device")
    }

    @Test func aKeyWithoutPersistentTokensOmitsBothMembers() async throws {
        let bench = try await Bench.complete { $0.management.supportsPersistentTokens = false }
        #expect(await bench.info().encIdentifier == nil)
        #expect(await bench.info().encCredStoreState == nil)
        #expect(await bench.option("perCredMgmtRO") == nil)
    }
}
