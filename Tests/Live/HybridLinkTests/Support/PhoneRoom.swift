import CTAP
import CTAPHybrid
import Foundation
import HybridLink
import HybridTunnel
import Radio
import Synchronization
import Testing
import VirtualAuthenticator

/// A phone with one answer for every command, and the air and the tunnel service that it shares with another end.
final class PhoneRoom: Sendable {
    static let command: [UInt8] = [CTAPCommand.getAssertion.rawValue, 0xA0]
    static let answer: [UInt8] = [0, 0xA0]
    static let info: [UInt8] = [0xA1, 0x01, 0x81, 0x68] + Array("FIDO_2_1".utf8)

    let service: TunnelService
    private let air: SimulatedAir
    private let state = Mutex(State())

    private struct State {
        var signs: [HybridPhone.Sign] = []
        var tasks: [Task<HybridEnd?, Never>] = []
        var commands: [[UInt8]] = []
        var scans = true
        var faults: [HybridFault] = []
        var identity: PhoneIdentity?
    }

    init() async throws {
        service = try await TunnelService.start(
            authority: try TunnelAuthority(hosts: TunnelDomain.assignedHosts, now: Date()),
            random: SystemRandomSource().bytes)
        air = SimulatedAir(
            environment: RadioEnvironment(
                sleep: { _ in try await Self.never() }, generator: SystemRandomNumberGenerator()))
    }

    static func with(_ use: (PhoneRoom) async throws -> Void) async throws {
        let room = try await PhoneRoom()
        let result: Result<Void, any Error>
        do { result = .success(try await use(room)) } catch { result = .failure(error) }
        for task in room.state.withLock({ $0.tasks }) { task.cancel() }
        await room.service.stop()
        try result.get()
    }

    /// Waits until the task is cancelled.
    static func never() async throws {
        for await _ in AsyncStream<Never>.makeStream().stream {}
        try Task.checkCancellation()
    }

    var signs: [HybridPhone.Sign] { state.withLock { $0.signs } }
    var codes: [QRContents] { signs.compactMap { if case .code(let code) = $0 { code } else { nil } } }
    /// The commands that the phone got, without getInfo.
    var commands: [[UInt8]] { state.withLock { $0.commands } }

    /// Whether the phone scans the codes that follow.
    func setScans(_ scans: Bool) { state.withLock { $0.scans = scans } }
    func setFaults(_ faults: [HybridFault]) { state.withLock { $0.faults = faults } }

    /// The other end.
    ///
    /// - Parameter wait: ends the time for a phone when it returns.
    func phone(
        _ introduction: HybridPhone.Introduction,
        wait: @escaping @Sendable (Duration) async throws -> Void = { _ in try await PhoneRoom.never() }
    ) -> HybridPhone {
        let environment = HybridPhone.Environment(
            way: { [self] in HybridWay(radio: air.radio(), tunnel: TunnelClient(to: service)) },
            now: { 1_800_000_000 }, randomBytes: SystemRandomSource().bytes, wait: wait)
        return HybridPhone(introduction, environment: environment) { [self] sign in
            state.withLock { $0.signs.append(sign) }
            if case .code(let code) = sign, state.withLock({ $0.scans }) { scan(code) }
        }
    }

    private var way: HybridWay { HybridWay(radio: air.radio(), tunnel: TunnelClient(to: service), contacts: service) }

    private var configuration: PhoneConfiguration {
        var configuration = PhoneConfiguration(info: Self.info)
        state.withLock { state in
            configuration.faults = HybridFaults(state.faults)
            configuration.identity = state.identity
        }
        return configuration
    }

    private func scan(_ code: QRContents) {
        run { [self] in
            try? await PhoneConnection.run(
                scanned: code, as: configuration, device: device, way: way, randomBytes: SystemRandomSource().bytes,
                pass: { _ in })
        }
    }

    /// Gives the phone an identity, and lets it wait for contacts until ``PhoneContacts/stop()``.
    func startContacts() async throws -> PhoneContacts {
        let identity = try #require(
            PhoneIdentity(
                rootSecret: SystemRandomSource().bytes(PhoneIdentity.rootSecretLength),
                contactID: SystemRandomSource().bytes(20), name: "Ada's phone"))
        state.withLock { $0.identity = identity }
        let contacts = service.contacts(of: identity.contactID)
        return PhoneContacts(
            task: run { [self] in
                for await contact in contacts {
                    _ = try? await PhoneConnection.run(
                        contacted: contact, identity: identity, as: configuration, device: device, way: way,
                        randomBytes: SystemRandomSource().bytes, pass: { _ in })
                }
                return nil
            })
    }

    @discardableResult
    private func run(_ work: @escaping @Sendable () async -> HybridEnd?) -> Task<HybridEnd?, Never> {
        let task = Task { await work() }
        state.withLock { $0.tasks.append(task) }
        return task
    }

    private var device: AnsweringDevice {
        AnsweringDevice(answer: Self.answer) { [self] message in state.withLock { $0.commands.append(message) } }
    }
}

/// A phone that waits for contacts.
struct PhoneContacts {
    fileprivate let task: Task<HybridEnd?, Never>

    /// The phone no longer knows its links.
    func stop() async {
        task.cancel()
        _ = await task.value
    }
}

/// A device with one answer.
struct AnsweringDevice: CTAPDevice {
    let answer: [UInt8]
    var note: @Sendable ([UInt8]) -> Void = { _ in }

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        note(message)
        return answer
    }
}
