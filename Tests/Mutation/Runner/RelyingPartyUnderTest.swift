internal import Conformance
internal import Foundation
internal import Mutants
internal import RelyingPartySuite

/// Touchstone's own relying party, which serves every run of the suite for relying parties in this process.
actor RelyingPartyUnderTest {
    /// Cases that the unchanged relying party warns of: WebAuthn does not demand the registry of TPM manufacturers.
    private static let warnings = [
        "attestation.tpm.flaw.tpmManufacturer", "attestation.tpmRS1.flaw.tpmManufacturer",
    ]

    private var bench: RelyingPartyBench?
    private var stopped: CheckedContinuation<Void, Never>?
    private var serving: Task<Void, any Error>?

    /// The cases that turn red: failed, or warned of.
    func red(_ order: Order) async throws -> [String] {
        let bench = try await openBench()
        Mutant.make(order.mutation)
        let results = try await OwnParty.run(bench, order.cases ?? [])
        Mutant.make(nil)
        guard !results.isEmpty else { throw OrderError("no case was run") }
        return results.filter { [.failed, .warning].contains($0.verdict) && !Self.warnings.contains($0.id) }.map(\.id)
    }

    /// Stops the server, if one was started.
    func stop() async {
        stopped?.resume()
        stopped = nil
        _ = try? await serving?.value
    }

    /// The bench of the server; the usual account and passkey are made before the first change.
    private func openBench() async throws -> RelyingPartyBench {
        if let bench { return bench }
        let (benches, opened) = AsyncThrowingStream<RelyingPartyBench, any Error>.makeStream()
        serving = Task.detached {
            do {
                try await OwnParty.with { bench in
                    _ = try await OwnParty.run(bench, ["registration.response.valid", "assertion.response.valid"])
                    opened.yield(bench)
                    await self.waitForStop()
                }
                opened.finish()
            } catch {
                opened.finish(throwing: error)
                throw error
            }
        }
        for try await opened in benches {
            bench = opened
            return opened
        }
        throw OrderError("the relying party did not start")
    }

    private func waitForStop() async { await withCheckedContinuation { stopped = $0 } }
}
