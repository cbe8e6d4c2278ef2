import TestSupport
import Testing

/// Unmodified programs with a virtual key that Linux itself sees as a USB security key.
@Suite(.serialized, .inVirtualMachine, .timeLimit(.minutes(30)))
enum Kernel {}

extension Kernel {
    /// libfido2's own tools on `/dev/hidraw*`.
    @Suite(.serialized) struct FIDO2ToolsTests {
        /// The input of fido2-cred: client data hash, RP ID, user name and user ID.
        static let request = """
            cd /tmp
            head -c 32 /dev/urandom | base64 > hash
            (cat hash; echo example.com; echo alice; head -c 16 /dev/urandom | base64) > request
            echo 2468 > pin

            """

        @Test func theToolsFindTheKeyAndReadItsInfo() async throws {
            try await Guest.withKey("security-key-bio") { node in
                let list = try await Guest.run("fido2-token -L")
                #expect(list.contains("\(node): vendor=0x1209, product=0x0001"))
                let info = try await Guest.run("fido2-token -I \(node)")
                #expect(info.contains("proto: 0x02"))
                #expect(info.contains("aaguid: 7075ff5d7f4e4c1c9d7e2a5b9c0d1e30"))
                #expect(info.contains("uv modality: 0x2 (fingerprint check)"))
                #expect(info.contains("pin retries: 8"))
                let uevent = try await Guest.run("cat /sys/class/hidraw/$(basename \(node))/device/uevent")
                #expect(uevent.contains("HID_NAME=Touchstone Security key with a fingerprint sensor"))
                #expect(uevent.contains("HID_ID=0003:00001209:00000001"))
            }
        }

        @Test(.onlyInVerify) func severalKeysHaveSeparateNodes() async throws {
            try await Guest.withKey("security-key-pin", name: "one") { one in
                try await Guest.withKey("security-key-bio", name: "two") { two in
                    #expect(one != two)
                    let list = try await Guest.run("fido2-token -L")
                    #expect(list.split(separator: "\n").count == 2)
                    let first = try await Guest.run("fido2-token -I \(one)")
                    let second = try await Guest.run("fido2-token -I \(two)")
                    #expect(!first.contains("uv modality"))
                    #expect(second.contains("uv modality"))
                }
            }
            #expect(try await Guest.run("fido2-token -L").isEmpty)
        }

        @Test(.onlyInVerify) func aPINIsSetAndChangedAndAWrongOneCostsARetry() async throws {
            try await Guest.withKey("security-key-pin") { node in
                try await Guest.run("printf '1234\\n1234\\n' | fido2-token -S \(node)")
                try await Guest.run("printf '1234\\n2468\\n2468\\n' | fido2-token -C \(node)")
                let wrong = try await Guest.attempt("printf '1234\\n1357\\n1357\\n' | fido2-token -C \(node)")
                #expect(wrong.status != 0)
                #expect(wrong.text.contains("FIDO_ERR_PIN_INVALID"))
                #expect(try await Guest.run("fido2-token -I \(node)").contains("pin retries: 7"))
            }
        }

        @Test func credentialsAndAssertionsVerify() async throws {
            try await Guest.withKey("security-key-bio") { node in
                try await Guest.run(
                    Self.request + """
                        fido2-cred -M -i request -o made \(node) && fido2-cred -V -i made -o public || exit 1
                        (cat hash; echo example.com; head -n 1 public) > use
                        sed 1d public > key
                        fido2-assert -G -i use -o present \(node) && fido2-assert -V -i present key es256 || exit 2
                        fido2-assert -G -t uv=true -i use -o verified \(node) || exit 3
                        fido2-assert -V -v -i verified key es256 || exit 3
                        # A touch alone does not verify the user.
                        ! fido2-assert -V -v -i present key es256 || exit 4
                        # Another credential's key does not verify it.
                        fido2-cred -M -i request -o other \(node) && fido2-cred -V -i other -o otherpublic || exit 5
                        sed 1d otherpublic > otherkey
                        ! fido2-assert -V -i present otherkey es256 || exit 6
                        """)
            }
        }

        @Test(.onlyInVerify) func aPINVerifiesOnAKeyWithoutASensor() async throws {
            try await Guest.withKey("security-key-pin") { node in
                try await Guest.run("printf '2468\\n2468\\n' | fido2-token -S \(node)")
                try await Guest.run(
                    Self.request + """
                        fido2-cred -M -v -i request -o made \(node) < pin && fido2-cred -V -v -i made -o public || exit 1
                        (cat hash; echo example.com; head -n 1 public) > use
                        sed 1d public > key
                        fido2-assert -G -v -i use -o verified \(node) < pin || exit 2
                        fido2-assert -V -v -i verified key es256 || exit 3
                        """)
            }
        }

        @Test(.onlyInVerify) func residentCredentialsAreListedAndDeleted() async throws {
            try await Guest.withKey("security-key-complete") { node in
                try await Guest.run("printf '2468\\n2468\\n' | fido2-token -S \(node)")
                try await Guest.run(
                    Self.request + "fido2-cred -M -r -i request \(node) < pin | fido2-cred -V -o public")
                #expect(try await Guest.run("fido2-token -L -r \(node) < /tmp/pin").contains("example.com"))
                let listed = try await Guest.run("fido2-token -L -k example.com \(node) < /tmp/pin")
                #expect(listed.contains("es256 uvopt"))
                let counts = try await Guest.run("fido2-token -I -c \(node) < /tmp/pin")
                #expect(counts.contains("existing rk(s): 1"))
                try await Guest.run("fido2-token -D -i \"$(head -n 1 /tmp/public)\" \(node) < /tmp/pin")
                #expect(
                    try await Guest.run("fido2-token -I -c \(node) < /tmp/pin").contains("existing rk(s): 0"))
            }
        }

        @Test(.onlyInVerify) func fingersAreEnrolledListedNamedAndDeleted() async throws {
            try await Guest.withKey("security-key-complete") { node in
                try await Guest.run("printf '2468\\n2468\\n' | fido2-token -S \(node); echo 2468 > /tmp/pin")
                let enrolled = try await Guest.run("fido2-token -S -e \(node) < /tmp/pin")
                #expect(enrolled.split(separator: "\n").count { $0 == "Sample ok." } == 4)
                let id = try await Guest.run(
                    "fido2-token -L -e \(node) < /tmp/pin 2> /dev/null | sed 's/.*00: //' | cut -d ' ' -f 1 | tr -d '\\n'"
                )
                #expect(!id.isEmpty)
                try await Guest.run("fido2-token -S -e -i \(id) -n thumb \(node) < /tmp/pin")
                #expect(try await Guest.run("fido2-token -L -e \(node) < /tmp/pin").contains("thumb"))
                try await Guest.run("fido2-token -D -e -i \(id) \(node) < /tmp/pin")
                #expect(try await Guest.attempt("fido2-token -L -e \(node) < /tmp/pin").status != 0)
            }
        }

        @Test(.onlyInVerify) func largeBlobsAreWrittenReadAndDeleted() async throws {
            try await Guest.withKey("security-key-complete") { node in
                try await Guest.run("printf '2468\\n2468\\n' | fido2-token -S \(node)")
                try await Guest.run(
                    Self.request + """
                        fido2-cred -M -r -b -i request \(node) < pin > made || exit 1
                        seq 100 > blob
                        fido2-token -S -b -n example.com blob \(node) < pin || exit 2
                        fido2-token -L -b \(node) < pin || exit 3
                        fido2-token -G -b -n example.com read \(node) < pin || exit 4
                        cmp blob read || exit 5
                        fido2-token -D -b -n example.com \(node) < pin || exit 6
                        ! fido2-token -G -b -n example.com gone \(node) < pin || exit 7
                        """)
            }
        }

        @Test(.onlyInVerify) func aSecondProgramGetsABusyErrorAndIsServedLater() async throws {
            try await Guest.withKey("security-key-pin", person: "ask") { node in
                // libfido2 locks the node, and a second libfido2 waits for it; the project's client shows the key's
                // answer.
                try await Guest.run(
                    Self.request + """
                        fido2-cred -M -i request -o made \(node) & waiting=$!
                        until touchstone device status --json | grep -q waitingFor; do sleep 0.1; done
                        touchstone keys info --through direct --device usb:\(node) 2> refused
                        [ $? = 3 ] && grep -q 'busy with another client' refused || { cat refused; exit 1; }
                        touchstone device present touch > /dev/null
                        wait $waiting || exit 2
                        fido2-cred -V -i made -o public || exit 3
                        touchstone keys info --through direct --device usb:\(node) > /dev/null || exit 4
                        """)
            }
        }
    }
}
