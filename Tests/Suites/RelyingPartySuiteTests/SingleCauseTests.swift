import Conformance
import RelyingPartyServer
import RelyingPartySuite
import Synchronization
import Testing

/// Refusal cases with one cause: a relying party that lacks only the one check accepts the response.
@Suite("One cause for each refusal")
struct SingleCauseTests {
    /// The responses that no single check decides, with the steps of the ledger that fail.
    ///
    /// - An unknown credential is neither in the list (a1) nor of the user (a2).
    /// - Without authenticator data or with cut client data, the signature (a9) also fails.
    /// - The same registration again repeats its challenge (r4) and its credential (r19); `challenge.registration.reuse` is
    ///   the case about the challenge alone.
    /// - An unexpected topOrigin (r7) states a frame of another origin (r6).
    private static let several: [String: [String]] = [
        "accounts.enumeration.answer": ["a1", "a2"],
        "accounts.otherCredential": ["a1", "a2"],
        "accounts.otherID": ["a1", "a2", "a9"],
        "assertion.credentialID.bit": ["a1", "a2"],
        "assertion.credentialID.empty": ["a1", "a2"],
        "assertion.credentialID.prefix": ["a1", "a2"],
        "assertion.credentialID.surplus": ["a1", "a2"],
        "assertion.response.authenticatorData.empty": ["a5", "a9"],
        "assertion.response.clientDataJSON.empty": ["a4", "a9"],
        "assertion.response.clientDataJSON.truncated": ["a4", "a9"],
        "assertion.response.rawId.empty": ["a1", "a2"],
        "assertion.response.rawId.other": ["a1", "a2"],
        "assertion.response.unknownCredential": ["a1", "a2"],
        "challenge.registration.refusedNotStored": ["a1", "a2"],
        "challenge.registration.replay": ["r4", "r19"],
        "challenge.registration.replay.later": ["r4", "r19"],
        "registration.clientData.topOrigin": ["r6", "r7"],
    ]

    @Test("Each forged response fails exactly one step of the ledger, but for those that no single check decides")
    func oneStep() async throws {
        let failed = Mutex<[[String]]>([])
        let found = Mutex<[String: [[String]]]>([:])
        try await OwnParty.with {
            $0.onVerdict = { event in
                let steps = event.failedSteps
                if !steps.isEmpty { failed.withLock { $0.append(steps) } }
            }
        } _: { bench in
            let clock = ContinuousClock()
            let start = clock.now
            let run = ConformanceRun(RelyingPartySuite.all, on: bench, permission: RunPermission()) {
                clock.now - start
            }
            _ = try await run.results(
                of: CaseSelection(),
                onResult: { result, _ in
                    let steps = failed.withLock { all in
                        defer { all = [] }
                        return all
                    }
                    found.withLock { $0[result.id] = steps }
                })
        }
        let all = found.withLock { $0 }.filter { !$0.value.isEmpty }
        #expect(all.count > 700)
        let several = all.compactMapValues { verdicts in verdicts.first { $0.count > 1 } }
        #expect(several == Self.several)
    }
}
