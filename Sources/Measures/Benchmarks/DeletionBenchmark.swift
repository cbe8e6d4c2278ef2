internal import CTAP
internal import VirtualAuthenticator

/// The deletion of a credential among 10,000 of one relying party over that among 10,000 of as many.
enum DeletionBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow("deletion of a credential, \(count) of one RP", over: "the same with \(count) RPs", limit: 1.3)
    ]

    private static let count = 10_000

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let together = try await FullDevice { _ in "example.org" }
        let apart = try await FullDevice { "rp\($0).example" }
        let measurement = try await Measurement.pair(rounds: min(order.rounds, count / 2)) {
            try await together.deleteNext()
        } baseline: {
            try await apart.deleteNext()
        }
        return [measurement]
    }

    /// A device whose credentials are deleted in the order of their making: the oldest are the dearest to remove.
    private final class FullDevice {
        private let client: CredentialManagementClient
        private var rest: ArraySlice<PublicKeyCredentialDescriptor>

        init(_ relyingPartyID: (Int) -> String) async throws {
            let device = BenchmarkDevice(capacity: count, hasPIN: true)
            try await device.fill(count, relyingPartyID: relyingPartyID)
            client = try await device.credentialManagement()
            rest = await device.authenticator.keptCredentials.map(\.descriptor)[...]
        }

        func deleteNext() async throws {
            guard let next = rest.popFirst() else { throw BenchmarkFailure(description: "nothing is left to delete") }
            try await client.delete(next)
        }
    }
}
