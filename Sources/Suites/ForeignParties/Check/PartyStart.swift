internal import LoopbackHTTP
internal import Wording

/// The start of a relying party, which may take longer than the program that asks it.
package struct PartyStart: Sendable {
    /// The time between two attempts.
    private static let pause = Duration.milliseconds(200)
    /// The statuses of a gateway whose server does not answer yet (RFC 9110 §15.6.3 to §15.6.5).
    private static let statusesOfGateways = 502...504

    private let party: ForeignParty
    private let http: LoopbackClient

    package init(of party: ForeignParty) {
        self.party = party
        http = party.client
    }

    /// Waits until the relying party answers a request, whatever it answers.
    ///
    /// - Parameter onWait: is called once, when the first attempt gets no answer.
    /// - Returns: the time until the answer.
    /// - Throws: ``PartyError/unreachable(_:)`` after the limit, and at once for certificate authorities that cannot be
    ///   used; `CancellationError`.
    package func wait(atMost limit: Duration, onWait: () async throws -> Void = {}) async throws -> Duration {
        let start = ContinuousClock.now
        var hasSaid = false
        while true {
            let seen: String
            let left = limit - (ContinuousClock.now - start)
            do {
                guard let status = try await status(within: left) else { throw unanswered(limit, "no answer") }
                guard Self.statusesOfGateways.contains(status) else { return ContinuousClock.now - start }
                seen = "the last answer has the status \(status)"
            } catch let error as LoopbackClientError {
                guard !error.isOfAuthorities else { throw PartyError(error, at: party.address) }
                seen = "\(error)"
            }
            if !hasSaid {
                hasSaid = true
                try await onWait()
            }
            guard ContinuousClock.now - start + Self.pause < limit else { throw unanswered(limit, seen) }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// The status of an answer; nil where there is none in time.
    private func status(within limit: Duration) async throws -> Int? {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask { [http, party] in
                try await http.send("GET", party.address.path + "/", fields: [("User-Agent", "Touchstone")]).status
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private func unanswered(_ limit: Duration, _ seen: String) -> PartyError {
        .unreachable("\(party.address) did not answer within \(Wording.span(limit)): \(seen)")
    }
}
