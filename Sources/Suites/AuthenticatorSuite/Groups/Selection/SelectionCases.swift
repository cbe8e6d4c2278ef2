internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// authenticatorSelection (CTAP 2.3 §6.9).
    package static let selection = Group(
        "selection", "authenticatorSelection",
        [
            Case(
                "selection.touch", "The authenticator answers OK after a touch, without a response.",
                .ctap("6.9"), needs: [.ctap21], person: [.touch]
            ) { bench in
                let answer = try await bench.send(.selection)
                try bench.require(answer, .ok)
                bench.expect(answer.bytes.count == 1, "no response CBOR", seen: "\(answer.bytes.count - 1) bytes")
            },
            Case(
                "selection.timeout", "The authenticator answers with a time-out when the user does not touch it.",
                .ctap("6.9"), needs: [.ctap21], person: [.withholdTouch]
            ) { bench in
                try await bench.user(.withholdTouch)
                bench.expect(try await bench.send(.selection), .userActionTimeout, for: "a selection without touch")
            },
            Case(
                "selection.declined", "The authenticator answers OPERATION_DENIED when the user declines.",
                .ctap("6.9"), needs: [.ctap21, .simulatedDevice]
            ) { bench in
                try await bench.userDeclines()
                bench.expect(try await bench.send(.selection), .operationDenied, for: "a declined selection")
            },
            Case(
                "selection.cancel", "The authenticator ends a waiting selection when the platform cancels it.",
                .ctap("11.2.9.1.5"), needs: [.ctap21], person: [.withholdTouch]
            ) { bench in
                let answer = try await bench.send(.selection, cancelling: true)
                bench.expect(answer, .keepaliveCancel, for: "a cancelled selection")
            },
            Case(
                "selection.afterCancel", "The authenticator serves the next request after a cancelled selection.",
                .ctap("11.2.9.1.5"), needs: [.ctap21], person: [.withholdTouch]
            ) { bench in
                _ = try await bench.send(.selection, cancelling: true)
                bench.expect(try await bench.send(.getInfo), .ok, for: "a getInfo after the cancelled request")
            },
        ])
}
