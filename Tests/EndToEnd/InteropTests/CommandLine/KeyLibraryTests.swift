import Foundation
import TestSupport
import Testing

extension Interop {
    /// Debian's OpenSSH, libfido2's tools, pamu2fcfg and systemd with a key on UDP, through the library that `make install`
    /// installs.
    @Suite struct KeyLibraryTests {
        private let folder: TemporaryFolder
        private let touchstone: Touchstone

        init() throws {
            folder = try TemporaryFolder("ssh")
            touchstone = Touchstone(runtimeDirectory: folder.url.appending(path: "run"))
        }

        /// Runs a script in a folder with the library `$library` and the key at `port`; each command has to succeed.
        private func run(_ script: String, port: Int = 1) async throws -> Touchstone.Output {
            let library = folder.path("libtouchstone-key.so")
            let prelude = """
                set -e
                [ -e '\(library)' ] || scripts/key-library.sh '\(library)'
                export TOUCHSTONE_UDP=\(port) library='\(library)' touchstone='\(touchstone.executable.path)'
                export SSH_ASKPASS_REQUIRE=force DISPLAY=:0 SSH_ASKPASS='\(folder.path("ask"))'
                cd '\(folder.url.path)'
                printf '#!/bin/sh\\necho 2468\\n' > ask
                chmod +x ask
                echo hello > message

                """
            return try await touchstone.run(shell: prelude + script)
        }

        /// Runs a script that has to succeed beside a key, and returns its standard output.
        @discardableResult
        private func succeed(_ script: String) async throws -> String {
            let key = try touchstone.start(["device", "start", "yubikey-5-nfc-5.7", "--udp", "0", "--name", "key"])
            defer { key.terminate() }
            var port: Int?
            for await line in key.errors {
                port = line.firstMatch(of: /udp:127\.0\.0\.1:(\d+)/).flatMap { Int($0.output.1) }
                break
            }
            let output = try await run(script, port: try #require(port))
            #expect(output.status == 0, "\(output.standardError) \(output.standardOutput)")
            return output.standardOutput
        }

        /// Signs the message with the key in the file `id`, and verifies the signature.
        private let sign = """

            echo "alice $(cat id.pub)" > allowed
            SSH_SK_PROVIDER=${provider-$library} ssh-keygen -q -Y sign -f id -n file message
            ssh-keygen -Y verify -f allowed -I alice -n file -s message.sig < message
            if echo other | ssh-keygen -Y verify -f allowed -I alice -n file -s message.sig; then exit 9; fi
            """

        @Test(arguments: ["ed25519-sk", "ecdsa-sk"])
        func theProviderEnrolsAndSigns(type: String) async throws {
            try await succeed(
                "ssh-keygen -q -t \(type) -N '' -w $library -f id -O write-attestation=attestation" + sign
                    + "\n[ -s attestation ]")
        }

        @Test func theProviderReadsAResidentKeyThatNeedsThePIN() async throws {
            try await succeed(
                """
                TOUCHSTONE_NEW_PIN=2468 $touchstone keys pin set --yes --device udp:127.0.0.1:$TOUCHSTONE_UDP
                ssh-keygen -q -t ed25519-sk -N '' -w $library -O resident -O verify-required -O application=ssh:bench \\
                    -O user=alice -f first
                # A second one of the same user asks before it replaces the first.
                if ssh-keygen -q -t ed25519-sk -N '' -w $library -O resident -O application=ssh:bench -O user=alice \\
                    -f second </dev/null; then exit 8; fi
                mkdir fetched
                cd fetched
                ssh-keygen -K -N '' -w $library
                cd ..
                mv fetched/id_ed25519_sk_rk_bench_alice id
                mv fetched/id_ed25519_sk_rk_bench_alice.pub id.pub
                [ "$(cut -d ' ' -f 1,2 id.pub)" = "$(cut -d ' ' -f 1,2 first.pub)" ]
                """ + sign)
        }

        @Test func anAgentSignsThroughTheProvider() async throws {
            try await succeed(
                """
                eval "$(ssh-agent -s -P "$library")" > /dev/null
                trap 'kill $SSH_AGENT_PID' EXIT
                ssh-keygen -q -t ed25519-sk -N '' -w $library -f id
                ssh-add -q -S $library id
                rm id
                ssh-add -L | grep -q "$(cut -d ' ' -f 2 id.pub)"
                export provider=
                """ + sign)
        }

        @Test func programsWithLibfido2SeeTheVirtualKeyAlone() async throws {
            let output = try await succeed(
                """
                export LD_PRELOAD=$library
                fido2-token -L
                fido2-token -I udp:127.0.0.1:$TOUCHSTONE_UDP | grep -o FIDO_2_1$
                ssh-keygen -q -t ed25519-sk -N '' -f id
                pamu2fcfg -u alice
                """)
            let lines = output.split(separator: "\n")
            #expect(lines.first?.hasSuffix("(Touchstone virtual key)") == true, "\(output)")
            #expect(lines.last?.hasPrefix("alice:") == true && lines.last?.contains(",es256,+presence") == true)
        }

        @Test func systemdEnrolsTheKeyForADiskAndOpensIt() async throws {
            let output = try await succeed(
                """
                truncate -s 32M disk
                printf secret > password
                cryptsetup luksFormat --batch-mode --type luks2 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 disk password
                export LD_PRELOAD=$library PASSWORD=secret
                systemd-cryptenroll --fido2-device=list
                systemd-cryptenroll --fido2-device=auto --fido2-with-client-pin=no disk
                cryptsetup open --test-passphrase --token-only disk < /dev/null
                """)
            #expect(output.contains("Touchstone   virtual key"))
        }

        @Test(
            .timeLimit(.minutes(1)),
            arguments: [
                "ssh-keygen -q -t ed25519-sk -N '' -w $library -f id", "LD_PRELOAD=$library fido2-token -L",
                "LD_PRELOAD=$library systemd-cryptenroll --fido2-device=list",
            ])
        func withoutAKeyTheProgramEndsAtOnceAndSaysHowToStartOne(command: String) async throws {
            let output = try await run(command)
            #expect(output.standardError.contains("no virtual key answers at udp:127.0.0.1:1"))
            #expect(output.standardError.contains("touchstone device start"))
        }

        @Test func aWrongAddressIsNamed() async throws {
            let output = try await run("TOUCHSTONE_UDP=key.example LD_PRELOAD=$library fido2-token -L")
            #expect(output.standardError.contains("TOUCHSTONE_UDP is \"key.example\"; write PORT or HOST:PORT"))
        }

        @Test func theNameOfAHostIsResolved() async throws {
            let output = try await succeed(
                "TOUCHSTONE_UDP=localhost:$TOUCHSTONE_UDP LD_PRELOAD=$library fido2-token -L")
            #expect(output.contains("Touchstone virtual key"))
        }

        /// What happens before an enrolment or a signature, and the line that names the cause.
        static let refusals: [(before: String, command: String, says: String)] = [
            (
                "ssh-keygen -q -t ed25519-sk -N '' -w $library -O verify-required -f id",
                "SSH_SK_PROVIDER=$library ssh-keygen -q -Y sign -f id -n file message",
                "set one: touchstone keys pin set"
            ),
            (
                "TOUCHSTONE_NEW_PIN=1357 $touchstone keys pin set --yes --device udp:127.0.0.1:$TOUCHSTONE_UDP",
                "ssh-keygen -K -N '' -w $library",
                "the PIN is wrong; enter the right one"
            ),
            (
                "$touchstone device present cancel", "ssh-keygen -q -t ed25519-sk -N '' -w $library -f id",
                "the key was not touched in time"
            ),
            (
                """
                ssh-keygen -q -t ed25519-sk -N '' -w $library -O verify-required -f id
                TOUCHSTONE_NEW_PIN=1357 $touchstone keys pin set --yes --device udp:127.0.0.1:$TOUCHSTONE_UDP
                for i in 1 2 3; do
                    TOUCHSTONE_PIN=0000 $touchstone keys credentials list --device udp:127.0.0.1:$TOUCHSTONE_UDP || true
                done
                """, "SSH_SK_PROVIDER=$library ssh-keygen -q -Y sign -f id -n file message",
                "blocked until a power cycle: touchstone device power-cycle"
            ),
            (
                """
                ssh-keygen -q -t ed25519-sk -N '' -w $library -f id
                $touchstone device power-cycle
                $touchstone keys reset --yes --device udp:127.0.0.1:$TOUCHSTONE_UDP
                """, "SSH_SK_PROVIDER=$library ssh-keygen -q -Y sign -f id -n file message",
                "the key does not have this credential"
            ),
        ]

        @Test(arguments: refusals)
        func aRefusalNamesItsCauseAndTheNextStep(before: String, command: String, says: String) async throws {
            let output = try await succeed(
                """
                \(before)
                if \(command) < /dev/null > out 2>&1; then exit 7; fi
                cat out
                """)
            #expect(output.contains(says), "\(output)")
        }
    }
}
