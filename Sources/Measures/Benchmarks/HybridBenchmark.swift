internal import CTAP
internal import CTAPHybrid
internal import Foundation
internal import HybridLink
internal import HybridTunnel
internal import Machine
internal import Radio
internal import Synchronization
internal import Transports
internal import VirtualAuthenticator

/// An assertion over hybrid transport, both ends in this process and the tunnel service on loopback, from the phone's advert to the
/// answer; over an assertion of a device that another process serves over UDP.
enum HybridBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow("hybrid connection and getAssertion, from the advert", over: "getAssertion over UDP", limit: 20)
    ]

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let (process, port) = try ServedDevice.start("security-key-pin", order.executable)
        defer { process.stop() }
        let served = try await UDPDevice.connect(to: "127.0.0.1", port: port)
        return try await closing(served.close) {
            let client = AuthenticatorClient(served)
            _ = try await client.makeCredential(BenchmarkDevice.registration(user: [1], at: "example.org"))
            let request = GetAssertionRequest(
                relyingPartyID: "example.org", clientDataHash: BenchmarkDevice.clientDataHash)
            let street = try await HybridStreet()
            return try await closing(street.close) {
                let measurement = try await Measurement.rounds(order.rounds) {
                    (
                        subject: try await street.assertion(),
                        baseline: try await Measurement.time { _ = try await client.getAssertion(request) }
                    )
                }
                return [measurement]
            }
        }
    }
}

/// A phone and another end, with the air between them and a tunnel service.
private struct HybridStreet {
    private let device = BenchmarkDevice()
    private let request: GetAssertionRequest
    private let info: [UInt8]
    private let service: TunnelService
    private let air: SimulatedAir

    init() async throws {
        request = try await device.register()
        info = Array(await device.authenticator.transceive([CTAPCommand.getInfo.rawValue]) { _ in }.dropFirst())
        service = try await TunnelService.start(
            authority: try TunnelAuthority(hosts: TunnelDomain.assignedHosts, now: Date()),
            random: SystemRandomSource().bytes)
        air = SimulatedAir(
            environment: RadioEnvironment(
                sleep: { try await Task.sleep(for: $0) }, generator: SystemRandomNumberGenerator()))
    }

    func close() async { await service.stop() }

    private var way: HybridWay { HybridWay(radio: air.radio(), tunnel: TunnelClient(to: service)) }

    /// The microseconds from the advert to the answer.
    func assertion() async throws -> Double {
        let random = SystemRandomSource().bytes
        let code = ScannedPhone.Code(operation: .getAssertion, now: 1_800_000_000, randomBytes: random)
        guard let code else { throw BenchmarkFailure(description: "the random source gives no key") }
        let start = Mutex<ContinuousClock.Instant?>(nil)
        async let end = PhoneConnection.run(
            scanned: code.contents, as: PhoneConfiguration(info: info), device: device.authenticator, way: way,
            randomBytes: random, pass: { _ in },
            note: { action in
                if case .advertise = action { start.withLock { $0 = .now } }
            })
        let phone = try await ScannedPhone.connect(code, way: way)
        let answer = try await phone.transceive(request.message)
        let now = ContinuousClock.now
        guard answer.first == CTAPStatus.ok.rawValue, let start = start.withLock({ $0 }) else {
            throw BenchmarkFailure(description: "refused: \(answer)")
        }
        _ = try await end
        return (now - start) / .microseconds(1)
    }
}
