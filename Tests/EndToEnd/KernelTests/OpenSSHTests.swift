import TestSupport
import Testing

extension Kernel {
    /// Debian's OpenSSH and pam_u2f with a key on USB.
    @Suite(.serialized) struct OpenSSHTests {
        /// ssh-keygen asks for a PIN through this program.
        static let askpass = """
            export SSH_ASKPASS_REQUIRE=force DISPLAY=:0 SSH_ASKPASS=/tmp/ask
            printf '#!/bin/sh\\necho 2468\\n' > /tmp/ask
            chmod +x /tmp/ask
            rm -rf /tmp/ssh
            mkdir /tmp/ssh
            cd /tmp/ssh

            """

        @Test(arguments: Ring.sample(["ed25519-sk", "ecdsa-sk"], 1))
        func aKeyOfTheSecurityKeySignsAndTheSignatureVerifies(type: String) async throws {
            try await Guest.withKey("security-key-pin") { _ in
                try await Guest.run(
                    Self.askpass + """
                        ssh-keygen -q -t \(type) -N '' -f id || exit 1
                        echo "alice $(cat id.pub)" > allowed
                        echo hello > message
                        ssh-keygen -q -Y sign -f id -n file message || exit 2
                        ssh-keygen -Y verify -f allowed -I alice -n file -s message.sig < message || exit 3
                        ! echo other | ssh-keygen -Y verify -f allowed -I alice -n file -s message.sig || exit 4
                        """)
            }
        }

        @Test(.onlyInVerify) func aResidentKeyIsReadFromTheSecurityKey() async throws {
            try await Guest.withKey("yubikey-5-nfc-5.7") { node in
                try await Guest.run("printf '2468\\n2468\\n' | fido2-token -S \(node)")
                try await Guest.run(
                    Self.askpass + """
                        ssh-keygen -q -t ed25519-sk -N '' -O resident -O verify-required -O application=ssh:bench \
                            -f id || exit 1
                        mkdir fetched
                        cd fetched
                        ssh-keygen -K -N '' || exit 2
                        # The comment differs; the key is the same.
                        [ "$(cut -d ' ' -f 1,2 id_ed25519_sk_rk_bench.pub)" = "$(cut -d ' ' -f 1,2 ../id.pub)" ] || exit 3
                        echo "alice $(cat ../id.pub)" > allowed
                        echo hello > message
                        ssh-keygen -q -Y sign -f id_ed25519_sk_rk_bench -n file message || exit 4
                        ssh-keygen -Y verify -f allowed -I alice -n file -s message.sig < message || exit 5
                        """)
            }
        }

        @Test(.onlyInVerify) func pamU2FRegistersTheKey() async throws {
            try await Guest.withKey("yubikey-5-nfc-5.4") { _ in
                let line = try await Guest.run("pamu2fcfg -u alice")
                // User, key handle, public key, algorithm, options.
                #expect(line.hasPrefix("alice:"))
                #expect(line.contains(",es256,+presence"))
            }
        }
    }
}
