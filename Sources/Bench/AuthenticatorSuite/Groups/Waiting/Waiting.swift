internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// Requests that wait for the user: keepalives and time-outs (CTAP 2.3 §11.2.9.2.1).
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
    let message: @Sendable (Platform) async throws -> (CTAPCommand, CBOR.Map?)

    static let all: [WaitingRequest] = [
        WaitingRequest(
            name: "makeCredential", words: "a registration", clause: .ctap("6.1.2", step: "14"), start: .any,
            needs: [.credentials], timeout: [.operationDenied, .userActionTimeout], declined: [.operationDenied]
        ) { platform in
            (
                .makeCredential,
                try await platform.bench.authorized(makeCredential: platform.bench.makeCredentialParameters())
            )
        },
        WaitingRequest(
            name: "getAssertion", words: "an assertion", clause: .ctap("6.2.2", step: "9"), start: .any,
            needs: [.credentials, .optionOff(.alwaysUv)], timeout: [.operationDenied, .userActionTimeout],
            declined: [.operationDenied]
        ) { platform in
            let made = try await platform.bench.sharedCredential(platform.recorder)
            return (.getAssertion, platform.assertRequest(allowing: [made]))
        },
        WaitingRequest(
            name: "selection", words: "a selection", clause: .ctap("6.9"), start: .any, needs: [.ctap21],
            timeout: [.userActionTimeout], declined: [.operationDenied]
        ) { _ in (.selection, nil) },
        WaitingRequest(
            name: "makeCredentialUV", words: "a registration with uv", clause: .ctap("6.1.2", step: "11"),
            start: .uv, needs: [], timeout: [.userActionTimeout],
            declined: [.operationDenied, .puatRequired], effects: [.spendsTries]
        ) { platform in
            (.makeCredential, platform.makeRequest(options: ["uv": true]))
        },
        WaitingRequest(
            name: "getAssertionUV", words: "an assertion with uv", clause: .ctap("6.2.2", step: "6"), start: .uv,
            needs: [.credentials], timeout: [.userActionTimeout], declined: [.operationDenied, .puatRequired],
            effects: [.spendsTries]
        ) { platform in
            let made = try await platform.bench.sharedCredential(platform.recorder)
            return (.getAssertion, platform.assertRequest(allowing: [made], options: ["uv": true]))
        },
        WaitingRequest(
            name: "tokenUsingUV", words: "a token by built-in verification", clause: .ctap("6.5.5.7.3"), start: .uv,
            needs: [.optionOn(.pinUvAuthToken)], timeout: [.userActionTimeout],
            declined: [.operationDenied, .uvInvalid], effects: [.spendsTries]
        ) { platform in
            (
                .clientPIN,
                platform.tokenRequest(
                    try await platform.agree(try platform.preferred), byUV: .getAssertion, rpID: platform.rpID)
            )
        },
    ]
}

enum WaitingCases {
    private static let keepaliveClause = Clause.ctap("11.2.9.2.1")
    private static let cancelClause = Clause.ctap("11.2.9.1.5")

    static let waiting: [AuthenticatorCase] = WaitingRequest.all.flatMap { request in
        [
            make(
                "keepalive", "timeout", request,
                "It ends \(request.words) with a refusal when the user does not answer.",
                request.clause, needs: [.simulatedUser], person: [.withholdTouch]
            ) { platform, command, parameters in
                try await platform.bench.user(.withholdTouch)
                platform.expect(try await platform.send(command, parameters), request.timeout)
            },
            make(
                "keepalive", "declined", request, "It denies \(request.words) that the user declines.", request.clause,
                needs: [.simulatedUser]
            ) { platform, command, parameters in
                try await platform.bench.userDeclines()
                platform.expect(try await platform.send(command, parameters), request.declined)
            },
            make(
                "keepalive", "reported", request, "It reports that \(request.words) waits for the user.",
                keepaliveClause, level: .should, needs: [.touchRequests], person: [.touch]
            ) { platform, command, parameters in
                let answer = try await platform.send(command, parameters)
                platform.expect(answer, [.ok])
                platform.bench.expectTouchRequest(before: answer, platform.recorder)
            },
        ]
    }

    static let cancelled: [AuthenticatorCase] = WaitingRequest.all.flatMap { request in
        [
            make(
                "cancel", "status", request, "It answers KEEPALIVE_CANCEL when the platform cancels \(request.words).",
                cancelClause, person: [.withholdTouch]
            ) { platform, command, parameters in
                platform.expect(
                    try await platform.bench.send(command, parameters.map(CBOR.Value.map), cancelling: true),
                    [.keepaliveCancel])
            },
            make(
                "cancel", "served", request, "It serves the same request after \(request.words) was cancelled.",
                cancelClause, person: [.withholdTouch, .touch]
            ) { platform, command, parameters in
                _ = try await platform.bench.send(command, parameters.map(CBOR.Value.map), cancelling: true)
                let (again, fresh) = try await request.message(platform)
                platform.expect(try await platform.send(again, fresh), [.ok])
            },
        ]
    }

    static let afterwards: [AuthenticatorCase] = [
        AuthenticatorCase(
            "cancel.makeCredential.keepsNothing", "A cancelled registration leaves no credential.", cancelClause,
            needs: [.discoverableCredentials, .member(.remainingDiscoverableCredentials)], person: [.withholdTouch]
        ) { platform in
            let before = try await platform.information().remainingDiscoverableCredentials
            let request = try await platform.bench.authorized(
                makeCredential: platform.bench.makeCredentialParameters(CredentialWish(discoverable: true)))
            _ = try await platform.bench.send(.makeCredential, .map(request), cancelling: true)
            let after = try await platform.information().remainingDiscoverableCredentials
            platform.recorder.expect(
                after == before, "\(before ?? 0) remaining credentials", seen: "\(after ?? 0)")
        },
        AuthenticatorCase(
            "cancel.tokenUsingUV.keepsRetries", "A cancelled request for a token costs no retry of verification.",
            cancelClause, level: .should, from: .uv, needs: [.optionOn(.pinUvAuthToken)], effects: [.spendsTries],
            person: [.withholdTouch]
        ) { platform in
            let before = try await platform.uvRetries()
            let request = platform.tokenRequest(
                try await platform.agree(try platform.preferred), byUV: .getAssertion, rpID: platform.rpID)
            _ = try await platform.bench.send(.clientPIN, .map(request), cancelling: true)
            let after = try await platform.uvRetries()
            platform.recorder.expect(after == before, "\(before) retries", seen: "\(after)")
        },
        AuthenticatorCase(
            "cancel.token.survives", "A cancelled registration does not end the token's permission.", cancelClause,
            level: .should, from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.withholdTouch, .touch]
        ) { platform in
            let token = try await platform.pinToken(.makeCredential, rpID: platform.rpID)
            _ = try await platform.bench.send(
                .makeCredential, .map(platform.makeRequest(token: token)), cancelling: true)
            platform.expect(try await platform.makeAnswer(token: token), [.ok], level: .should)
        },
    ]

    private static func make(
        _ group: String, _ end: String, _ request: WaitingRequest, _ title: String, _ clause: Clause,
        level: Level = .must, needs: [AuthenticatorNeed] = [], person: [PersonAct] = [],
        _ steps: @escaping @Sendable (Platform, CTAPCommand, CBOR.Map?) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "\(group).\(request.name).\(end)", title, clause, level: level, from: request.start,
            needs: request.needs + needs, effects: request.effects, person: person
        ) { platform in
            let (command, parameters) = try await request.message(platform)
            try await steps(platform, command, parameters)
        }
    }
}
