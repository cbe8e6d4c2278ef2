import Foundation
import Machine
import Providers
import RelyingPartyServer
import Synchronization
import TestSupport
import Testing

/// A relying party server with services, whose clock and randomness the test controls.
final class Street: Sendable {
    private let time = Mutex(Duration.seconds(1_780_000_000))
    private let generator = Mutex(SeededGenerator(seed: 1))
    let services = LoopbackServices()
    private let current = Mutex<RelyingPartyServer?>(nil)

    /// Runs a test against services, and stops them.
    static func run(_ test: (Street) async throws -> Void) async throws {
        let street = Street()
        try await street.start()
        do {
            try await test(street)
        } catch {
            await street.stop()
            throw error
        }
        await street.stop()
    }

    private func start() async throws {
        var configuration = RelyingPartyConfiguration()
        configuration.clock = { [self] in now }
        configuration.pass = { [self] span in advance(by: span) }
        configuration.random = { [self] count in generator.withLock { $0.bytes(count) } }
        configuration.passwordCost = ScryptCost(rounds: 16, blockSize: 1)
        configuration.services = [services]
        let server = try await RelyingPartyServer.start(configuration)
        current.withLock { $0 = server }
    }

    private func stop() async { await current.withLock { $0 }?.stop() }

    var now: Duration { time.withLock { $0 } }
    var base: String { get throws { try #require(current.withLock { $0 }).baseURL } }

    func advance(by span: Duration) { time.withLock { $0 += span } }

    func change(_ edit: (inout ServiceSettings) -> Void) { services.conditions.change(edit) }

    /// A client that follows no redirects.
    func client() throws -> HTTPClient { HTTPClient(base: try base) }
}
