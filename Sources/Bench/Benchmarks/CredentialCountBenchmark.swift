internal import CTAP
internal import VirtualAuthenticator

/// An assertion on a device with 100,000 credentials over the same on a device with 100.
enum CredentialCountBenchmark {
    private static let few = 100
    private static let many = 100_000

    static func run(rounds: Int) async throws -> [BenchmarkResult] {
        var results: [BenchmarkResult] = []
        for layout in Layout.allCases {
            let small = try await device(few, layout)
            let large = try await device(many, layout)
            for isNamed in [true, false] {
                let measurement = try await Measurement.pair(rounds: rounds) {
                    try await large.assert(isNamed: isNamed)
                } baseline: {
                    try await small.assert(isNamed: isNamed)
                }
                results.append(
                    BenchmarkResult(
                        "getAssertion \(isNamed ? "by allow list" : "by RP"), \(many) credentials \(layout.rawValue)",
                        over: "the same with \(few)", measurement, limit: 1.3))
            }
        }
        return results
    }

    /// The distribution of the credentials over relying parties.
    private enum Layout: String, CaseIterable {
        case oneEach = "of as many RPs"
        case together = "of one RP"

        func relyingPartyID(_ number: Int) -> String {
            self == .oneEach ? "rp\(number).example" : "example.org"
        }
    }

    /// A device and the requests for a credential in the middle of those it holds.
    private struct FullDevice {
        let device: BenchmarkDevice
        let byAllowList: [UInt8]
        let byRelyingParty: [UInt8]

        func assert(isNamed: Bool) async throws { try await device.send(isNamed ? byAllowList : byRelyingParty) }
    }

    private static func device(_ count: Int, _ layout: Layout) async throws -> FullDevice {
        let device = BenchmarkDevice(capacity: count)
        for number in 0..<count {
            _ = try await device.register(
                user: withUnsafeBytes(of: number) { Array($0) }, at: layout.relyingPartyID(number))
        }
        let credentials = await device.authenticator.snapshot().credentials
        let chosen = credentials[credentials.count / 2]
        var request = GetAssertionRequest(
            relyingPartyID: chosen.relyingPartyID, clientDataHash: BenchmarkDevice.clientDataHash)
        let byRelyingParty = request.message
        request.allowList = [chosen.descriptor]
        return FullDevice(device: device, byAllowList: request.message, byRelyingParty: byRelyingParty)
    }
}
