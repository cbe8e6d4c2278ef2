import AuthenticatorSuite
import Conformance
import Foundation
import TestSupport
import Testing

extension Kernel {
    /// The conformance suite on keys that Linux sees on USB: a command unplugs them and a simulated user touches them.
    @Suite(.serialized) struct ConformanceTests {
        private static let profiles = Ring.sample(["security-key-complete", "yubikey-5-nfc-5.7"], 1)
        /// The suite's own tests prove each case without a kernel; the same bytes pass here.
        private static let cases = Ring.sample(AuthenticatorSuite.all.cases.map(\.description.id), 16)

        @Test func noCaseFailsThroughTheKernel() async throws {
            try await Guest.run(
                """
                cases="\(Ring.isWhole ? "" : Self.cases.map { "--case \($0)" }.joined(separator: " "))"
                export XDG_RUNTIME_DIR=/tmp/sockets
                mkdir -p -m 700 $XDG_RUNTIME_DIR
                for name in \(Self.profiles.joined(separator: " ")); do
                    touchstone device start $name --usb --name $name > /tmp/$name.log 2>&1 &
                    echo $! > /tmp/$name.pid
                    for try in $(seq 300); do grep -q 'Ctrl-C' /tmp/$name.log && break; sleep 0.1; done
                    touchstone conformance authenticator --device usb:touchstone/$name $cases --destructive --yes --always-touched \
                        --replug "perl /replug.pl $XDG_RUNTIME_DIR/touchstone/$name.sock" --json \
                        > /tmp/$name.json 2> /tmp/$name.errors &
                    echo $! > /tmp/$name.run
                done
                result=0
                for name in \(Self.profiles.joined(separator: " ")); do
                    wait $(cat /tmp/$name.run) || { tail -n 20 /tmp/$name.errors; result=1; }
                    kill $(cat /tmp/$name.pid)
                    wait $(cat /tmp/$name.pid)
                done
                exit $result
                """, within: 1700)
            for profile in Self.profiles {
                let text = try await Guest.run("cat /tmp/\(profile).json")
                let report = try JSONDecoder().decode(ConformanceReport.self, from: Data(text.utf8))
                #expect(report.results.filter { $0.verdict == .failed }.map(\.id) == [], "\(profile)")
                #expect(report.count(.passed) > (Ring.isWhole ? 1000 : Self.cases.count / 2), "\(profile)")
                let whyNot = Set(report.results.filter { $0.verdict == .notRun }.compactMap(\.reason))
                #expect(whyNot == Self.allowedReasons.intersection(whyNot), "\(profile)")
            }
        }

        /// The reasons for cases that are not run: they need a sensor, a withheld touch, another user,
        /// another transport or a metadata statement.
        private static let allowedReasons: Set = [
            "the device is not simulated", "the device is not reached by NFC", "no finger is enrolled",
            "the user of this device gets no instructions", "the key is always touched",
            "no metadata statement was given",
        ]
    }
}
