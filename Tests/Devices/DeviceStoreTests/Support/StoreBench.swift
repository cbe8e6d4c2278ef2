import CBOR
import COSE
import CTAP
import DeviceProfiles
import DeviceStore
import ProfileFiles
import SimulatedDevice
import Synchronization
import Testing
import VirtualAuthenticator
import WebAuthn

/// A simulated device on a given storage, and a platform's requests to it.
struct StoreBench: Sendable {
    static let relyingPartyID = "example.com"
    static let hash = [UInt8](repeating: 0xC0, count: 32)
    static let pin = "271828"

    let clock = SimulatedClock()
    let person: ScriptedUser
    let device: SimulatedDevice
    let client: AuthenticatorClient

    /// A new device, or the one that `storage` holds.
    init(
        profile name: String = "security-key-complete", storage: (any DeviceStorage)?, stored: StoredDevice? = nil,
        seed: UInt64 = 1
    ) throws {
        let profile = try Workshop.profiles.profile(name)
        let random = SeededRandomSource(seed: seed)
        person = ScriptedUser(clock: clock)
        device = try SimulatedDevice(
            profile: profile, restoring: stored, time: clock, random: random, user: person, storage: storage)
        client = AuthenticatorClient(device.authenticator)
    }

    var pins: PINClient {
        PINClient(client, protocol: .two, randomBytes: SystemRandomSource().bytes)
    }

    func token(_ permissions: PINUVAuthTokenPermissions) async throws -> PINClient.Token {
        let needsRelyingParty = !permissions.isDisjoint(with: [.makeCredential, .getAssertion])
        return try await pins.token(
            pin: Self.pin, permissions: permissions, relyingPartyID: needsRelyingParty ? Self.relyingPartyID : nil)
    }

    @discardableResult
    func register(
        user: UInt8, _ options: [String: Bool] = [:], algorithm: COSE.Algorithm = .es256,
        extensions: [String: CBOR.Value]? = nil, relyingPartyID: String = relyingPartyID
    ) async throws -> AuthenticatorData {
        var request = MakeCredentialRequest(
            clientDataHash: Self.hash, rp: PublicKeyCredentialRPEntity(id: relyingPartyID),
            user: PublicKeyCredentialUserEntity(id: [user], name: "user \(user)", displayName: "User"),
            pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: algorithm)], options: options)
        request.extensions = extensions
        if await device.authenticator.snapshot().isPINSet {
            let token = try await pins.token(
                pin: Self.pin, permissions: .makeCredential, relyingPartyID: relyingPartyID)
            request.pinUvAuthParam = token.authenticate(Self.hash)
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
        }
        return try AuthenticatorData(parsing: try await client.makeCredential(request).authenticatorData)
    }

    @discardableResult
    func signIn(_ id: [UInt8]? = nil, up: Bool = true) async throws -> AuthenticatorData {
        var request = GetAssertionRequest(relyingPartyID: Self.relyingPartyID, clientDataHash: Self.hash)
        if let id { request.allowList = [PublicKeyCredentialDescriptor(id: id)] }
        if !up { request.options = ["up": false] }
        return try AuthenticatorData(parsing: try await client.getAssertion(request).authenticatorData)
    }

    /// The status of a refusal.
    func status(_ body: () async throws -> Void) async throws -> CTAPStatus {
        do {
            try await body()
            return .ok
        } catch let error as AuthenticatorClient.Failure {
            return try #require(error.status)
        }
    }

    func mistypePIN() async throws -> CTAPStatus {
        try await status { _ = try await pins.token(pin: "000000", permissions: nil) }
    }

    /// The label of the last refusal.
    var lastReason: String? {
        device.log.all.reversed().lazy.compactMap { event -> String? in
            if case .answer(_, _, let refusal?) = event.kind { refusal.reason.label } else { nil }
        }.first
    }
}

/// A storage whose disk the test can fill.
final class FailingStorage: DeviceStorage {
    struct DiskFull: Error {}

    private let storage: any DeviceStorage
    private let full = Atomic(false)

    init(_ storage: any DeviceStorage) {
        self.storage = storage
    }

    var isFull: Bool {
        get { full.load(ordering: .relaxed) }
        set { full.store(newValue, ordering: .relaxed) }
    }

    private func requireRoom() throws {
        guard !isFull else { throw DiskFull() }
    }

    func commit(_ change: StorageChange) throws {
        try requireRoom()
        try storage.commit(change)
    }

    func commit(_ change: SecretChange) throws {
        try requireRoom()
        try storage.commit(change)
    }
}

/// A storage that keeps and records every change.
final class RecordingStorage: AuthenticatorStorage {
    private let changes = Mutex<[StorageChange]>([])

    var all: [StorageChange] { changes.withLock { $0 } }

    func commit(_ change: StorageChange) throws {
        changes.withLock { $0.append(change) }
    }
}
