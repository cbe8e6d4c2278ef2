import Foundation
import TestSupport
import Testing

extension Kernel {
    /// Failures of a key on USB as unmodified programs see them.
    @Suite(.serialized) struct FailureTests {
        @Test(.onlyInVerify) func threeWrongPINsBlockUntilTheKeyIsPluggedInAgain() async throws {
            try await Guest.withKey("security-key-pin") { node in
                try await Guest.run("printf '2468\\n2468\\n' | fido2-token -S \(node)")
                for number in 1...3 {
                    let wrong = try await Guest.attempt("printf '0000\\n1357\\n1357\\n' | fido2-token -C \(node)")
                    #expect(wrong.status != 0)
                    #expect(wrong.text.contains(number < 3 ? "FIDO_ERR_PIN_INVALID" : "FIDO_ERR_PIN_AUTH_BLOCKED"))
                }
                let right = try await Guest.attempt("printf '2468\\n1357\\n1357\\n' | fido2-token -C \(node)")
                #expect(right.text.contains("FIDO_ERR_PIN_AUTH_BLOCKED"))
                try await Guest.run("touchstone device power-cycle > /dev/null")
                let again = try await Guest.node("key")
                try await Guest.run("printf '2468\\n1357\\n1357\\n' | fido2-token -C \(again)")
            }
        }

        @Test(.onlyInVerify) func aBlockedSensorIsReplacedByThePIN() async throws {
            try await Guest.withKey("security-key-bio") { node in
                try await Guest.run(
                    """
                    export TOUCHSTONE_PIN=2468 XDG_STATE_HOME=/tmp/state
                    rm -rf /tmp/state
                    printf '2468\\n2468\\n' | fido2-token -S \(node) || exit 1
                    touchstone keys register --user-verification required > ledger || { cat ledger; exit 2; }
                    touchstone device present no-match no-match no-match > /dev/null || exit 3
                    (head -c 32 /dev/urandom | base64; echo localhost) > use
                    for number in 1 2 3; do ! fido2-assert -G -r -t uv=true -i use \(node) 2> refused || exit 4; done
                    ! fido2-assert -G -r -t uv=true -i use \(node) 2> refused || exit 5
                    grep -q FIDO_ERR_UV_BLOCKED refused || { cat refused; exit 6; }
                    touchstone keys sign-in --user-verification required > ledger 2> said || { cat said; exit 7; }
                    grep -q 'The sensor is blocked; the PIN is needed' said || { cat said; exit 8; }
                    # The PIN opens the sensor again (CTAP 2.3 §6.5.5.7).
                    fido2-assert -G -r -t uv=true -i use \(node) > /dev/null || exit 9
                    """, within: 120)
            }
        }

        @Test func aMissingTouchTimesOut() async throws {
            try await Guest.run(
                "sed 's/user-action-timeout: .*/user-action-timeout: 2 s/' /profiles/security-key-pin.yaml > /tmp/security-key-pin.yaml"
            )
            try await Guest.withKey("/tmp/security-key-pin.yaml", person: "ask") { node in
                let output = try await Guest.attempt(FIDO2ToolsTests.request + "fido2-cred -M -i request \(node)")
                #expect(output.status != 0)
                #expect(output.text.contains("FIDO_ERR_OPERATION_DENIED"))
            }
        }

        /// Runs a script that ends with the times of two records of traces, until the milliseconds between them are
        /// in a range, at most five times.
        ///
        /// A debug build needs several hundred million instructions when a path runs first, so the test takes the
        /// shortest of several spans.
        private func expectSpan(
            in range: Range<Double>, _ script: String, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            var spans: [Double] = []
            repeat {
                let output = try await Guest.run(script, within: 180, sourceLocation: sourceLocation)
                let times = output.split(separator: "\n").suffix(2).compactMap { Double($0) }
                try #require(times.count == 2, "\(output)", sourceLocation: sourceLocation)
                spans.append((times[1] - times[0]) * 1000)
            } while !spans.contains(where: range.contains) && spans.count < 5
            #expect(spans.contains(where: range.contains), "\(spans) ms", sourceLocation: sourceLocation)
        }

        /// The seconds since 1970 at which the first record of a kind was made.
        private static func time(of kind: String, in file: String) -> String {
            "grep -m 1 '\"kind\":\"\(kind)\"' \(file) | sed 's/.*\"at\":\\([0-9.]*\\).*/\\1/'"
        }

        @Test(.onlyInVerify, arguments: ["libfido2", "direct"])
        func aCancelTakesEffectWithinATenthOfASecond(route: String) async throws {
            try await Guest.withKey("security-key-pin", person: "ask") { _ in
                try await expectSpan(
                    in: 0..<100,
                    """
                    export XDG_STATE_HOME=/tmp/state
                    rm -rf /tmp/state
                    touchstone keys register --through \(route) --trace trace > ledger 2> said & waiting=$!
                    until touchstone device status --json | grep -q waitingFor; do sleep 0.1; done
                    kill -INT $waiting
                    wait $waiting
                    [ $? = 130 ] || { cat said; exit 1; }
                    ! touchstone device status --json | grep -q waitingFor || exit 2
                    \(Self.time(of: "cancel", in: "trace"))
                    sed '1,/"kind":"cancel"/d' trace > rest
                    \(Self.time(of: "response", in: "rest"))
                    """)
            }
        }

        @Test(arguments: Ring.sample(["libfido2", "direct"], 1))
        func anUnplugDuringATouchIsNoticedWithinAFifthOfASecond(route: String) async throws {
            try await Guest.withKey("security-key-pin", person: "ask", options: "--trace /tmp/key.trace") { _ in
                // The key loses the request with its power; the node disappears just before.
                try await expectSpan(
                    in: -200..<200,
                    """
                    export XDG_STATE_HOME=/tmp/state
                    rm -rf /tmp/state
                    until [ -n "$(fido2-token -L)" ]; do sleep 0.1; done
                    before=$(wc -l < /tmp/key.trace)
                    touchstone keys register --through \(route) --trace trace > ledger 2> said & waiting=$!
                    until touchstone device status --json | grep -q waitingFor; do sleep 0.1; done
                    touchstone device unplug > /dev/null
                    wait $waiting
                    [ $? = 3 ] || { cat said; exit 1; }
                    [ -z "$(fido2-token -L)" ] || exit 2
                    touchstone device plug-in > /dev/null
                    sed "1,${before}d" /tmp/key.trace > lost
                    \(Self.time(of: "failure", in: "lost"))
                    \(Self.time(of: "failure", in: "trace"))
                    """)
                let node = try await Guest.node("key")
                try await Guest.run("fido2-token -I \(node)")
            }
        }
    }
}
