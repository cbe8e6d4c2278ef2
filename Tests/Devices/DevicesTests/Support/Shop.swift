import Biometrics
import COSE
import CTAP
import Causes
import DeviceProfiles
import Foundation
import PlatformErrors
import ProfileFiles
import SimulatedDevice
import Synchronization
import TestSupport
import Testing
import VirtualAuthenticator

/// Makes the devices of `profiles/`, on a simulated clock.
enum Shop {
    static let library = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)

    static let names = ShippedProfiles.names
}

/// A simulated device with a scripted user.
struct Device: Sendable {
    let clock: SimulatedClock
    let person: ScriptedUser
    let device: SimulatedDevice
    let client: AuthenticatorClient
    /// Two devices never make the same credential.
    private static let seeds = Atomic<UInt64>(5)

    init(_ profile: String, on clock: SimulatedClock = SimulatedClock()) throws {
        try self.init(try Shop.library.profile(profile), on: clock)
    }

    /// A device of a shipped profile with changed text.
    init(_ name: String, replacing text: String, with other: String) throws {
        let profile = try Shop.library.profile(name).text
        try #require(profile.contains(text))
        try self.init(
            DeviceProfile(parsing: profile.replacingOccurrences(of: text, with: other), file: "\(name).yaml"))
    }

    init(
        _ profile: DeviceProfile, storage: (any DeviceStorage)? = nil, restoring stored: StoredDevice? = nil,
        on clock: SimulatedClock = SimulatedClock()
    ) throws {
        self.clock = clock
        person = ScriptedUser(clock: clock)
        let random = SeededRandomSource(seed: Self.seeds.wrappingAdd(1, ordering: .relaxed).newValue)
        device = try SimulatedDevice(
            profile: profile, restoring: stored, time: clock, random: random, user: person, storage: storage)
        client = AuthenticatorClient(device.authenticator)
    }

    var storage: SecureStorage { device.secureStorage }

    /// Registers with built-in verification.
    func register(user: String? = nil, at relyingPartyID: String = "example.com") async throws {
        _ = try await client.makeCredential(
            MakeCredentialRequest(
                clientDataHash: [UInt8](repeating: 1, count: 32), rp: PublicKeyCredentialRPEntity(id: relyingPartyID),
                user: PublicKeyCredentialUserEntity(id: user.map { Array($0.utf8) } ?? [1], name: user),
                pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], options: ["uv": true]))
    }

    /// The result of a request: the status, the reason's label and the cause for ``PlatformErrorTable``.
    struct Outcome: Equatable, CustomTestStringConvertible {
        let status: CTAPStatus
        let cause: Cause?

        init(_ status: CTAPStatus, _ cause: Cause?) {
            self.status = status
            self.cause = cause
        }

        static let ok = Outcome(.ok, nil)
        var testDescription: String { "\(status) \(cause?.rawValue ?? "")" }
    }

    private func outcome(_ body: () async throws -> Void) async throws -> Outcome {
        do {
            try await body()
            return .ok
        } catch let error as AuthenticatorClient.Failure {
            let refusals = device.log.all.compactMap { event -> Refusal? in
                if case .answer(_, _, let refusal) = event.kind { refusal } else { nil }
            }
            return Outcome(try #require(error.status), refusals.last?.cause)
        }
    }

    /// Signs in with the `uv` option.
    func signIn() async throws -> Outcome {
        try await outcome {
            _ = try await client.getAssertion(
                GetAssertionRequest(
                    relyingPartyID: "example.com", clientDataHash: [UInt8](repeating: 1, count: 32),
                    options: ["uv": true]))
        }
    }

    /// Asks for a token by built-in verification.
    func token() async throws -> Outcome {
        try await outcome {
            _ = try await pins.tokenUsingUV(permissions: .getAssertion, relyingPartyID: "example.com")
        }
    }

    var pins: PINClient {
        PINClient(client, protocol: .two, randomBytes: SeededRandomSource(seed: 6).bytes)
    }

    func failures() async -> Int? { await device.authenticator.snapshot().gate?.consecutiveFailures }
}

/// A clock for simulated users: it reports each time they wait for, and wakes them when a test rings.
final class Alarm: Sendable {
    private struct State {
        var now = Duration.zero
        var waiting: [(time: Duration, bell: AsyncStream<Void>.Continuation)] = []
    }

    /// The times that users began to wait for.
    let armed: AsyncStream<Duration>
    private let arm: AsyncStream<Duration>.Continuation
    private let state = Mutex(State())

    init() {
        (armed, arm) = AsyncStream.makeStream()
    }

    /// Returns when the test rings at or after that time, or the task is cancelled.
    @Sendable func wait(until time: Duration) async {
        let (ringing, bell) = AsyncStream<Void>.makeStream()
        let isPast = state.withLock { state in
            state.waiting.append((time, bell))
            return time <= state.now
        }
        if isPast { return }
        arm.yield(time)
        for await _ in ringing {}
    }

    /// Advances the clock to the latest time a user waits for, and wakes the users.
    func ring() {
        let bells = state.withLock { state in
            state.now = max(state.now, state.waiting.map(\.time).max() ?? .zero)
            return state.waiting.map(\.bell)
        }
        for bell in bells { bell.finish() }
    }
}
