import Foundation
import TestSupport
import Testing

extension Kernel {
    /// One device answers the same over four transports: in process, over UDP, on USB through the kernel, and on the
    /// reader of a real pcscd.
    @Suite(.serialized, .onlyInVerify) struct CrossCheckTests {
        /// Devices of one seed have the same keys, IDs and signatures: the answers differ only where a transport
        /// changes it.
        @Test(arguments: ["yubikey-5-nfc-5.7", "security-key-bio"])
        func everyTransportDeliversTheSameBytes(profile: String) async throws {
            let output = try await Guest.run(
                """
                printf 'FRIENDLYNAME "Virtual PCD"\\nDEVICENAME /dev/null:0x8C7B\\n' > /tmp/reader.conf
                printf 'LIBPATH /usr/lib/pcsc/drivers/serial/libifdvpcd.so\\nCHANNELID 0x8C7B\\n' >> /tmp/reader.conf
                mkdir -p /run/pcscd
                pcscd --foreground --config /tmp/reader.conf > /tmp/pcscd.log 2>&1 & reader=$!
                until [ -S /run/pcscd/pcscd.comm ]; do sleep 0.1; done
                sleep 1
                touchstone device start \(profile) --seed 7 --udp 8111 --name udp > /tmp/udp.log 2>&1 & udp=$!
                touchstone device start \(profile) --seed 7 --usb --name usb > /tmp/usb.log 2>&1 & usb=$!
                touchstone device start \(profile) --seed 7 --nfc --name nfc > /tmp/nfc.log 2>&1 & nfc=$!
                for name in udp usb nfc; do
                    for try in $(seq 300); do grep -q 'Ctrl-C' /tmp/$name.log && break; sleep 0.1; done
                done
                touchstone keys compare --exact --seed 7 virtual:\(profile) udp:127.0.0.1:8111 usb:touchstone/usb nfc
                result=$?
                kill $udp $usb $nfc $reader
                wait $udp $usb $nfc
                [ $result = 0 ] || { cat /tmp/*.log; exit 1; }
                # A tap is presence once: requests with two touches are compared on the other three, all of them new.
                touchstone device start \(profile) --seed 7 --udp 8111 --name udp > /tmp/udp.log 2>&1 & udp=$!
                touchstone device start \(profile) --seed 7 --usb --name usb > /tmp/usb.log 2>&1 & usb=$!
                for name in udp usb; do
                    for try in $(seq 300); do grep -q 'Ctrl-C' /tmp/$name.log && break; sleep 0.1; done
                done
                touchstone keys compare --touch --exact --seed 7 virtual:\(profile) udp:127.0.0.1:8111 usb:touchstone/usb
                result=$?
                kill $udp $usb
                wait $udp $usb
                exit $result
                """, within: 240)
            #expect(output.components(separatedBy: "All answered the same bytes").count == 3)
        }

        @Test func everyTransportsCostIsMeasured() async throws {
            // The limits are those of a real processor; an emulated one may miss them, for which the status is 1.
            let table = try await Guest.run("touchstone bench udp usb --rounds 40 || test $? = 1", within: 240)
            for row in ["getInfo over UDP", "getAssertion over UDP", "getInfo over USB", "getAssertion over USB"] {
                #expect(table.contains(row), "\(table)")
            }
        }
    }
}
