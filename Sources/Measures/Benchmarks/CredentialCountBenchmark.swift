internal import CTAP
internal import VirtualAuthenticator

/// An assertion, and a step of an enumeration, on a device with 100,000 credentials over the same on a device with 100.
enum CredentialCountBenchmark: Benchmark {
    static let rows: [BenchmarkRow] = Layout.allCases.flatMap { layout in
        let ways = [true, false].map { isNamed in
            "getAssertion \(isNamed ? "by allow list" : "by RP"), \(many) credentials \(layout.rawValue)"
        }
        return (ways + (layout == .oneEach ? ["step of enumerateRPs, \(many) RPs"] : [])).map {
            BenchmarkRow($0, over: "the same with \(few)", limit: 1.3)
        }
    }

    private static let few = 100
    private static let many = 100_000

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        var measurements: [Measurement] = []
        for layout in Layout.allCases {
            let small = try await FullDevice(few, layout)
            let large = try await FullDevice(many, layout)
            for isNamed in [true, false] {
                measurements.append(
                    try await .pair(rounds: order.rounds, fastestOf: 5) {
                        try await large.assert(isNamed: isNamed)
                    } baseline: {
                        try await small.assert(isNamed: isNamed)
                    })
            }
            if layout == .oneEach {
                measurements.append(try await enumeration(small, large, rounds: min(order.rounds, Interval.fewest)))
            }
        }
        return measurements
    }

    private static func enumeration(_ small: FullDevice, _ large: FullDevice, rounds: Int) async throws -> Measurement {
        let (few, many) = (try await small.device.credentialManagement(), try await large.device.credentialManagement())
        // As many steps of both kinds make a pair.
        let measurement = try await Measurement.pair(rounds: rounds) {
            _ = try await many.relyingParties()
        } baseline: {
            for _ in 0..<(Self.many / Self.few) { _ = try await few.relyingParties() }
        }
        return measurement.divided(by: Self.many)
    }

    /// The distribution of the credentials over relying parties.
    private enum Layout: String, CaseIterable {
        case oneEach = "of as many RPs"
        case together = "of one RP"

        func relyingPartyID(_ number: Int) -> String { self == .oneEach ? "rp\(number).example" : "example.org" }
    }

    /// A device and the requests for a credential in the middle of those it holds.
    private struct FullDevice {
        let device: BenchmarkDevice
        private let byAllowList: [UInt8]
        private let byRelyingParty: [UInt8]

        init(_ count: Int, _ layout: Layout) async throws {
            device = BenchmarkDevice(capacity: count, hasPIN: true)
            try await device.fill(count, relyingPartyID: layout.relyingPartyID)
            let credentials = await device.authenticator.keptCredentials
            let chosen = credentials[credentials.count / 2]
            var request = GetAssertionRequest(
                relyingPartyID: chosen.relyingPartyID, clientDataHash: BenchmarkDevice.clientDataHash)
            byRelyingParty = request.message
            request.allowList = [chosen.descriptor]
            byAllowList = request.message
        }

        func assert(isNamed: Bool) async throws { try await device.send(isNamed ? byAllowList : byRelyingParty) }
    }
}
