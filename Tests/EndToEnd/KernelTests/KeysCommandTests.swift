import TestSupport
import Testing

extension Kernel {
    /// The bridge: `touchstone keys` with libfido2 on `/dev/hidraw*`.
    @Suite(.serialized) struct KeysCommandTests {
        @Test func aKeyIsSetUpUsedAndErased() async throws {
            try await Guest.withKey("yubikey-5-nfc-5.7") { node in
                try await Guest.run(
                    """
                    export TOUCHSTONE_PIN=123456 TOUCHSTONE_NEW_PIN=123456 XDG_STATE_HOME=/tmp/state
                    rm -rf /tmp/state
                    touchstone keys list > list || exit 1
                    grep -q 'usb:touchstone/key  1050:0407  \(node)  Yubico YubiKey' list || { cat list; exit 2; }
                    touchstone keys info > info || exit 3
                    grep -q 'Known as YubiKey 5' info && grep -q 'Its answer matches the known key' info || { cat info; exit 4; }
                    touchstone keys pin set --yes || exit 5
                    [ "$(touchstone keys pin status)" = 'A PIN is set; retries left: 8.' ] || exit 6
                    TOUCHSTONE_NEW_PIN=654321 touchstone keys pin change --yes || exit 7
                    export TOUCHSTONE_PIN=654321
                    touchstone keys register --user-verification required > ledger || { cat ledger; exit 8; }
                    grep -q 'accepted (HTTP 201)' ledger || { cat ledger; exit 9; }
                    touchstone keys sign-in > ledger || { cat ledger; exit 10; }
                    grep -q 'ok   a9 ' ledger || { cat ledger; exit 11; }
                    touchstone keys credentials list > list || exit 12
                    grep -q 'localhost .* alice .* ES256' list || { cat list; exit 13; }
                    id=$(sed -n 2p list | awk '{ print $NF }')
                    touchstone keys credentials delete "$id" --yes || exit 14
                    ! touchstone keys sign-in > ledger 2>&1 || exit 15
                    touchstone device power-cycle > /dev/null || exit 16
                    ! touchstone keys reset 2> asked || exit 17
                    grep -q 'This will permanently erase everything on Yubico YubiKey' asked || { cat asked; exit 18; }
                    touchstone keys reset --yes || exit 19
                    touchstone keys pin status | grep -q 'No PIN is set' || exit 20
                    """, within: 180)
            }
        }

        @Test(.onlyInVerify) func theDirectRouteGivesTheSameResultAsLibFIDO2() async throws {
            try await Guest.withKey("security-key-bio") { _ in
                try await Guest.run(
                    """
                    export XDG_STATE_HOME=/tmp/state
                    rm -rf /tmp/state
                    touchstone keys register --through direct --user-verification required > ledger || exit 1
                    touchstone keys sign-in --through libfido2 > ledger || { cat ledger; exit 2; }
                    touchstone keys info --json --through direct > direct || exit 3
                    touchstone keys info --json --through libfido2 > libfido2 || exit 4
                    cmp direct libfido2 || exit 5
                    touchstone keys sign-in --trace trace > ledger || exit 6
                    touchstone trace show trace | grep -q GetAssertion || exit 7
                    """, within: 120)
            }
        }

        @Test(.onlyInVerify) func theTouchedKeyIsSelectedAmongTwo() async throws {
            try await Guest.withKey("security-key-pin", name: "one", person: "ask") { _ in
                try await Guest.withKey("yubikey-5-nfc-5.7", name: "two", person: "ask") { _ in
                    try await Guest.run(
                        """
                        touchstone keys touch > touched & waiting=$!
                        for name in one two; do
                            until touchstone device status --name $name --json | grep -q waitingFor; do sleep 0.1; done
                        done
                        touchstone device present touch --name two > /dev/null
                        wait $waiting || exit 1
                        [ "$(cat touched)" = usb:touchstone/two ] || { cat touched; exit 2; }
                        # The other was told to stop: it is free again.
                        ! touchstone device status --name one --json | grep -q waitingFor || exit 3
                        """, within: 120)
                }
            }
        }
    }
}
