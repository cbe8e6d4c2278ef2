internal import COSE
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
        let device: VirtualAuthenticator
        let byAllowList: [UInt8]
        let byRelyingParty: [UInt8]

        func assert(isNamed: Bool) async throws {
            let answer = await device.transceive(isNamed ? byAllowList : byRelyingParty, onKeepalive: { _ in })
            guard answer.first == 0 else { throw BenchmarkFailure(description: "refused: \(answer)") }
        }
    }

    private static func device(_ count: Int, _ layout: Layout) async throws -> FullDevice {
        var configuration = AuthenticatorConfiguration()
        configuration.attestation = []
        configuration.discoverableCapacity = count
        let device = VirtualAuthenticator(
            configuration: configuration,
            environment: Environment(
                time: SimulatedClock(), random: SystemRandomSource(), person: AgreeablePerson()))
        let client = AuthenticatorClient(device)
        for number in 0..<count {
            _ = try await client.makeCredential(
                MakeCredentialRequest(
                    clientDataHash: hash, rp: PublicKeyCredentialRPEntity(id: layout.relyingPartyID(number)),
                    user: PublicKeyCredentialUserEntity(id: withUnsafeBytes(of: number) { Array($0) }),
                    pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], options: ["rk": true]))
        }
        let credentials = await device.snapshot().credentials
        let chosen = credentials[credentials.count / 2]
        var request = GetAssertionRequest(relyingPartyID: chosen.relyingPartyID, clientDataHash: hash)
        let byRelyingParty = request.message
        request.allowList = [chosen.descriptor]
        return FullDevice(device: device, byAllowList: request.message, byRelyingParty: byRelyingParty)
    }

    private static let hash = [UInt8](repeating: 1, count: 32)
}
