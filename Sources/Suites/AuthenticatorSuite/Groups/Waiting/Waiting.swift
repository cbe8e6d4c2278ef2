internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// Requests that wait for the user: keepalives and time-outs (CTAP 2.3 §11.2.9.1.7).
    package static let keepalive = Group("keepalive", "Keepalives and time-outs", WaitingCases.waiting)
    /// Requests that the platform cancels (CTAP 2.3 §11.2.9.1.5).
    package static let cancel = Group("cancel", "Cancellation", WaitingCases.cancelled + WaitingCases.afterwards)
}

/// A request that waits for the user.
struct WaitingRequest: Sendable {
    let name: String
    let words: String
    let clause: Clause
    let start: StartingState
    let needs: [AuthenticatorNeed]
    /// The statuses of a user who does not answer.
    let timeout: [CTAPStatus]
    /// The statuses of a user who declines.
    let declined: [CTAPStatus]
    var effects: Set<CaseEffect> = []
    let message: @Sendable (AuthenticatorBench) async throws -> (CTAPCommand, CBOR.Map?)

    static let all: [WaitingRequest] = [
        WaitingRequest(
            name: "makeCredential", words: "a registration", clause: .ctap("6.1.2", step: "14"), start: .any,
            needs: [.credentials], timeout: [.operationDenied, .userActionTimeout], declined: [.operationDenied]
        ) { bench in (.makeCredential, try await bench.authorized(makeCredential: bench.makeCredentialParameters())) },
        WaitingRequest(
            name: "getAssertion", words: "an assertion", clause: .ctap("6.2.2", step: "9"), start: .any,
            needs: [.credentials, .optionOff(.alwaysUv)], timeout: [.operationDenied, .userActionTimeout],
            declined: [.operationDenied]
        ) { bench in
            let made = try await bench.sharedCredential()
            return (.getAssertion, bench.assertRequest(allowing: [made]))
        },
        WaitingRequest(
            name: "selection", words: "a selection", clause: .ctap("6.9"), start: .any, needs: [.ctap21],
            timeout: [.userActionTimeout], declined: [.operationDenied]
        ) { _ in (.selection, nil) },
        WaitingRequest(
            name: "makeCredentialUV", words: "a registration with uv", clause: .ctap("6.1.2", step: "11"), start: .uv,
            needs: [], timeout: [.userActionTimeout], declined: [.operationDenied, .puatRequired],
            effects: [.spendsTries]
        ) { bench in (.makeCredential, bench.makeRequest(options: ["uv": true])) },
        WaitingRequest(
            name: "getAssertionUV", words: "an assertion with uv", clause: .ctap("6.2.2", step: "6"), start: .uv,
            needs: [.credentials], timeout: [.userActionTimeout], declined: [.operationDenied, .puatRequired],
            effects: [.spendsTries]
        ) { bench in
            let made = try await bench.sharedCredential()
            return (.getAssertion, bench.assertRequest(allowing: [made], options: ["uv": true]))
        },
        WaitingRequest(
            name: "tokenUsingUV", words: "a token by built-in verification", clause: .ctap("6.5.5.7.3"), start: .uv,
            needs: [.optionOn(.pinUvAuthToken)], timeout: [.userActionTimeout],
            declined: [.operationDenied, .uvInvalid], effects: [.spendsTries]
        ) { bench in
            (
                .clientPIN,
                bench.tokenRequest(
                    try await bench.agree(try bench.preferredProtocol), byUV: .getAssertion, rpID: bench.relyingPartyID)
            )
        },
    ]
}

enum WaitingCases {
    private static let keepaliveClause = Clause.ctap("11.2.9.1.7")
    private static let cancelClause = Clause.ctap("11.2.9.1.5")

    @CaseTable static var waiting: [Case] {
        for request in WaitingRequest.all {
            make(
                "keepalive", "timeout", request,
                "It ends \(request.words) with a refusal when the user does not answer.",
                request.clause, needs: [.simulatedDevice], person: [.withholdTouch]
            ) { bench, command, parameters in
                try await bench.user(.withholdTouch)
                bench.expect(try await bench.send(command, parameters), anyOf: request.timeout)
            }
            make(
                "keepalive", "declined", request, "It denies \(request.words) that the user declines.", request.clause,
                needs: [.simulatedDevice]
            ) { bench, command, parameters in
                try await bench.userDeclines()
                bench.expect(try await bench.send(command, parameters), anyOf: request.declined)
            }
            make(
                "keepalive", "reported", request, "It reports that \(request.words) waits for the user.",
                keepaliveClause, level: .should, needs: [.touchRequests], person: [.touch]
            ) { bench, command, parameters in
                let answer = try await bench.send(command, parameters)
                bench.expect(answer, .ok)
                try bench.expectTouchRequest(before: answer)
            }
        }
    }

    @CaseTable static var cancelled: [Case] {
        for request in WaitingRequest.all {
            make(
                "cancel", "status", request, "It answers KEEPALIVE_CANCEL when the platform cancels \(request.words).",
                cancelClause, person: [.withholdTouch]
            ) { bench, command, parameters in
                bench.expect(try await bench.send(command, parameters, cancelling: true), .keepaliveCancel)
            }
            make(
                "cancel", "served", request, "It serves the same request after \(request.words) was cancelled.",
                cancelClause, person: [.withholdTouch, .touch]
            ) { bench, command, parameters in
                _ = try await bench.send(command, parameters, cancelling: true)
                let (again, fresh) = try await request.message(bench)
                bench.expect(try await bench.send(again, fresh), .ok)
            }
        }
    }

    @CaseTable static var afterwards: [Case] {
        Case(
            "cancel.makeCredential.keepsNothing", "A cancelled registration leaves no credential.", cancelClause,
            needs: [.discoverableCredentials, .member(.remainingDiscoverableCredentials)], person: [.withholdTouch]
        ) { bench in
            let before = try await bench.readInfo().remainingDiscoverableCredentials
            let request = try await bench.authorized(
                makeCredential: bench.makeCredentialParameters(CredentialRequest(discoverable: true)))
            _ = try await bench.send(.makeCredential, request, cancelling: true)
            let after = try await bench.readInfo().remainingDiscoverableCredentials
            bench.expect(after == before, "\(before ?? 0) remaining credentials", seen: "\(after ?? 0)")
        }
        Case(
            "cancel.tokenUsingUV.keepsRetries", "A cancelled request for a token costs no retry of verification.",
            cancelClause, level: .should, from: .uv, needs: [.optionOn(.pinUvAuthToken)], effects: [.spendsTries],
            person: [.withholdTouch]
        ) { bench in
            let before = try await bench.uvRetries()
            let request = bench.tokenRequest(
                try await bench.agree(try bench.preferredProtocol), byUV: .getAssertion, rpID: bench.relyingPartyID)
            _ = try await bench.send(.clientPIN, request, cancelling: true)
            let after = try await bench.uvRetries()
            bench.expect(after == before, "\(before) retries", seen: "\(after)")
        }
        Case(
            "cancel.token.survives", "A cancelled registration does not end the token's permission.", cancelClause,
            level: .should, from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.withholdTouch, .touch]
        ) { bench in
            let token = try await bench.pinToken(.makeCredential, rpID: bench.relyingPartyID)
            _ = try await bench.send(.makeCredential, bench.makeRequest(token: token), cancelling: true)
            bench.expect(try await bench.makeAnswer(token: token), .ok, level: .should)
        }
    }

    private static func make(
        _ group: String, _ end: String, _ request: WaitingRequest, _ title: String, _ clause: Clause,
        level: Level = .must, needs: [AuthenticatorNeed] = [], person: [ManualAct] = [],
        _ steps: @escaping @Sendable (AuthenticatorBench, CTAPCommand, CBOR.Map?) async throws -> Void
    ) -> Case {
        Case(
            "\(group).\(request.name).\(end)", title, clause, level: level, from: request.start,
            needs: request.needs + needs, effects: request.effects, person: person
        ) { bench in
            let (command, parameters) = try await request.message(bench)
            try await steps(bench, command, parameters)
        }
    }
}
