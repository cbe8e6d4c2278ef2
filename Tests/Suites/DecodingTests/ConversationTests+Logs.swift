/// The texts of the programs.
extension ConversationTests {
    /// A report that begins with these digits.
    static func report(_ head: String) -> String { head + String(repeating: "00", count: 64 - head.count / 2) }

    /// The output of libfido2 1.12 with FIDO_DEBUG, for a device without a credential.
    static let libfido2 = """
        fido_tx: dev=0x55d59f7a4e50, cmd=0x06
        fido_tx: buf=0x55d59f7a4e50, len=8
        0000: da ee d2 b3 6a ed be fc
        fido_rx: dev=0x55d59f7a4e50, cmd=0x06, ms=-1
        rx_preamble: buf=0x7ffcb1c10920, len=64
        0000: ff ff ff ff 86 00 11 da ee d2 b3 6a ed be fc 01
        0016: 02 03 04 02 05 04 03 05 00 00 00 00 00 00 00 00
        0032: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0048: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        rx: payload_len=17
        fido_rx: buf=0x55d59f7a4e58, len=17
        0000: da ee d2 b3 6a ed be fc 01 02 03 04 02 05 04 03
        0016: 05
        fido_dev_get_cbor_info_tx: dev=0x55d59f7a4e50
        fido_tx: dev=0x55d59f7a4e50, cmd=0x10
        fido_tx: buf=0x7ffcb1c10977, len=1
        0000: 04
        fido_dev_get_cbor_info_rx: dev=0x55d59f7a4e50, ci=0x55d59f62a0b0, ms=-1
        fido_rx: dev=0x55d59f7a4e50, cmd=0x10, ms=-1
        rx_preamble: buf=0x7ffcb1c108e0, len=64
        0000: 01 02 03 04 90 00 56 00 a6 01 82 66 55 32 46 5f
        0016: 56 32 68 46 49 44 4f 5f 32 5f 30 02 81 6b 68 6d
        0032: 61 63 2d 73 65 63 72 65 74 03 50 2f c0 57 9f 81
        0048: 13 47 ea b1 16 bb 5a 8d b9 20 2a 04 a4 62 72 6b
        rx: payload_len=86
        rx: buf=0x7ffcb1c108e0, len=64
        0000: 01 02 03 04 00 f5 62 75 70 f5 64 70 6c 61 74 f4
        0016: 69 63 6c 69 65 6e 74 50 69 6e f4 05 19 04 b0 06
        0032: 81 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0048: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        fido_rx: buf=0x55d59f7d6d10, len=86
        0000: 00 a6 01 82 66 55 32 46 5f 56 32 68 46 49 44 4f
        0016: 5f 32 5f 30 02 81 6b 68 6d 61 63 2d 73 65 63 72
        0032: 65 74 03 50 2f c0 57 9f 81 13 47 ea b1 16 bb 5a
        0048: 8d b9 20 2a 04 a4 62 72 6b f5 62 75 70 f5 64 70
        0064: 6c 61 74 f4 69 63 6c 69 65 6e 74 50 69 6e f4 05
        0080: 19 04 b0 06 81 01
        fido_dev_open_rx: FIDO_MAXMSG=2048, maxmsgsiz=1200
        fido_tx: dev=0x55d59f7a4e50, cmd=0x10
        fido_tx: buf=0x55d59f620ef0, len=50
        0000: 02 a2 01 6b 65 78 61 6d 70 6c 65 2e 63 6f 6d 02
        0016: 58 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0032: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0048: 00 00
        fido_rx: dev=0x55d59f7a4e50, cmd=0x10, ms=-1
        rx_preamble: buf=0x7ffcb1c108b0, len=64
        0000: 01 02 03 04 90 00 01 2e 00 00 00 00 00 00 00 00
        0016: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0032: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0048: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        rx: payload_len=1
        fido_rx: buf=0x55d59f7d6d10, len=1
        0000: 2e
        cbor_parse_reply: blob[0]=0x2e
        fido_dev_get_assert_rx: adjust_assert_count
        """

    /// Older versions print frames without offsets, and the command with its upper bit.
    static let oldLibfido2 = """
        tx: d=0000029CFD4C4560, cmd=0x90, buf=0000029CFB8606E0, count=6
          06 a2 01 01 02 02
        fido_dev_authkey_rx: dev=0000029CFD4C4560, authkey=0000029CFD4C24D0, ms=-1
        rx: initiation frame at 000000D85934BC50, len 64
          00 0e 00 09 90 00 04 00 a1 03 08 00 00 00 00 00
          00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
          00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
          00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        rx: payload at 000000D85934BE70, len 4
          00 a1 03 08
        """

    /// A message whose answer libfido2 could not use, so that only its report is in the log.
    static let refusedByLibfido2 = """
        fido_tx: d=0x7fc61f614110, cmd=0x10, buf=0x7ffee0961c07, count=1
        0000: 04
        fido_rx: d=0x7fc61f614110, cmd=0x10, buf=0x7ffee0961400, count=2048, ms=-1
        rx_preamble: initiation frame at 0x7ffee0961318
        0000: 00 62 00 4e bf 00 01 01 00 00 00 00 00 00 00 00
        0016: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0032: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0048: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        rx_preamble: cid (0x4e006200, 0x4e006200), cmd (0xbf, 0x10)
        fido_dev_get_cbor_info_rx: fido_rx
        """

    static let pcscd = """
        00000012 [139865] winscard.c:1610:SCardTransmit() Send Protocol: T=1
        00000003 [139865] APDU: 00 A4 04 00 08 A0 00 00 06 47 2F 00 01 00
        00000007 [139865] -> 000000 6F 0E 00 00 00 00 11 00 00 00 00 A4 04 00 08 A0 00 00 06 47 2F 00 01 00
        00013561 [139865] SW: 55 32 46 5F 56 32 90 00
        00000003 [139865] APDU: 80 10 00 00 06 06 A2 01 01 02 01 00
        00013561 [139865] SW: 00 A1 61 02
        00000003 [139865] APDU: 00 C0 00 00 02
        00013561 [139865] SW: 03 08 90 00
        """

    static let chained = """
        APDU: 90 10 00 00 03 06 A2 01
        SW: 90 00
        APDU: 80 10 00 00 03 01 02 01 00
        SW: 00 A1 03 08 90 00
        """

    static let pythonHID = """
        DEBUG:fido2.hid:SEND: \(report("0102030490000606a201010201"))
        Level 5:fido2.hid:RECV: \(report("01020304bb000102"))
        Level 5:fido2.hid:RECV: \(report("0102030490000400a10308"))
        """

    /// python-fido2 2 logs what it sends before it fills the report; ykman puts its own prefix before the lines.
    static let unfilled = """
        TRAFFIC 21:44:29.939 [fido2.hid._do_call:191] SEND: ffffffff8600080102030405060708
        TRAFFIC 21:44:30.57 [fido2.hid._do_call:208] RECV: \(report("ffffffff8600110102030405060708010203040205040305"))
        TRAFFIC 21:44:30.60 [fido2.hid._do_call:191] SEND: 0102030490003c\(long.prefix(114))
        TRAFFIC 21:44:30.60 [fido2.hid._do_call:191] SEND: 0102030400\(long.suffix(6))
        TRAFFIC 21:44:30.70 [fido2.hid._do_call:208] RECV: \(report("0102030490000124"))
        Level 5:fido2.hid:SEND: 0102030490000104
        Level 5:fido2.hid:RECV: \(report("0102030490000101"))
        """
    /// A request of 60 bytes, for two reports.
    static let long = "02a3016b6578616d706c652e636f6d025820\(KindTests.hash)05a2627570f5627576f5"

    /// A line that calls a channel's bytes a literal of Python, and a message that repeats its report.
    static let bridgeWithWords = """
        DEBUG:root:GOT MESSAGE (type _ReportType.UHID_OUTPUT_REPORT): 00\(report("ffffffff8600085f91e6242ea9c90b"))
        DEBUG:root:Initial packet 00\(report("ffffffff8600085f91e6242ea9c90b"))
        DEBUG:root:CMD INIT CHANNEL ffffffff len 8 (recvd 8) data 5f91e6242ea9c90b
        DEBUG:root:INIT on channel b'\\xff\\xff\\xff\\xff'
        INFO:UHIDDevice:(UHID_INPUT2) send \(report("ffffffff8600115f91e6242ea9c90bfbe8abeb020100000c"))
        """

    /// libfido2 over a reader: the answer stands under the function that writes.
    static let libfido2Card = """
        fido_tx: dev=0x5e0b6610fab0, cmd=0x10
        fido_tx: buf=0x5e0b6610fab0, len=1
        0000: 04
        fido_pcsc_write: writing: buf=0x7fffac0b0b60, len=14
        0000: 00 a4 04 00 08 a0 00 00 06 47 2f 00 01 00
        fido_pcsc_write: read: buf=0x5e0b660f20a0, len=2
        0000: 6a 82
        fido_rx: dev=0x5e0b6610fab0, cmd=0x10, ms=-1
        fido_pcsc_read: reading: buf=0x5e0b660f20a0, len=2
        0000: 6a 82
        rx_init: read
        fido_dev_open_rx: fido_rx
        """

    /// libfido2 prints parts of an answer once more, some without their bytes.
    static let libfido2Parts =
        libfido2 + """

            cbor_decode_cred_authdata: buf=0x55aebe5bdf40, len=20
            0000: bf ab c3 74 32 95 8b 06 33 60 d3 ad 64 61 c9 c4
            0016: 73 5a e7 f8
            decode_attcred: buf=0x55aebe5bdf65, len=4
            0000: a2 53 42 c0
            decode_attcred: attcred->id.len=70
            cbor_decode_assert_authdata: buf=0x555753705ba0, len=37
            """

    /// `FIDO_DEBUG=1 fido2-token -I`, with both outputs in one.
    static let libfido2WithListing =
        libfido2 + """

            proto: 0x02
            caps: 0x05 (wink, cbor, msg)
            version strings: U2F_V2, FIDO_2_0
            extension strings: hmac-secret, credBlob
            aaguid: 2fc0579f811347eab116bb5a8db9202a
            options: rk, up, noplat
            maxmsgsiz: 1200
            """

    static let openSCTool = """
        Sending: 00 A4 04 00 08 A0 00 00 06 47 2F 00 01 00
        Received (SW1=0x90, SW2=0x00):
        55 32 46 5F 56 32 U2F_V2
        Sending: 80 10 00 00 06 06 A2 01 01 02 01 00
        Received (SW1=0x61, SW2=0x02):
        00 A1 ..
        Sending: 00 C0 00 00 02
        Received (SW1=0x90, SW2=0x00):
        03 08 ..
        Sending: 80 10 00 00 01 04 00
        Received (SW1=0x69, SW2=0x85)
        """

    static let openSC = """
        Outgoing APDU data [   14 bytes] =====================================
        00 A4 04 00 08 A0 00 00 06 47 2F 00 01 00 .........G/...
        ======================================================================
        0x7fff79536300 11:53:36.140 [opensc-tool] reader-pcsc.c:190:pcsc_internal_transmit: called
        Incoming APDU data [   18 bytes] =====================================
        46 49 44 4F 5F 32 5F 30 20 20 20 20 20 20 20 20 FIDO_2_0
        90 00                                           ..
        ======================================================================
        """

    static let pythonCard = """
        Level 5:fido2.pcsc:SEND: 801000000606a20101020100
        Level 5:fido2.pcsc:RECV: 00a10308 SW=9000
        """

    static let windows = """
        Ctap Nfc SCardTransmit Request:

        Request: 14 bytes
        0x00A4040008A0000006472F000100

        Response data: 8 bytes
        0x4649444F5F325F30

        Apdu Status: 0x9000

        Request: 12 bytes
        0x801000000606A20101020100

        Response data: 4 bytes
        0x00A10308

        Apdu Status: 0x9000
        """

    /// A device's log: the client's messages are the received ones.
    static let openSK = """
        Received message: Message { cid: [ff, ff, ff, ff], cmd: 06, payload: [1b, 2c, 85, af, 7b, f7, aa, 39] }
        Sending message: Message { cid: [ff, ff, ff, ff], cmd: 06, payload: [1b, 2c, 85, af, 7b, f7, aa, 39, 00, 00, 00, 01, 02, 01, 00, 00, 05] }
        Received message: Message { cid: [00, 00, 00, 01], cmd: 10, payload: [06, a2, 01, 01, 02, 01] }
        Sending message: Message { cid: [00, 00, 00, 01], cmd: 10, payload: [00, a1, 03, 08] }
        """

    static let bridge = """
        DEBUG:root:GOT MESSAGE (type _ReportType.UHID_OUTPUT_REPORT): 00\(report("fbe8abeb90000606a201010201"))
        DEBUG:root:Initial packet 00\(report("fbe8abeb90000606a201010201"))
        INFO:UHIDDevice:(UHID_INPUT2) send \(report("fbe8abeb90000400a10308"))
        """

    static let testTool = """
        > t+0.000> ffffffff:86[8]:712760D77F0BCD8500000000
        > t+0.000< ffffffff:86[17]:712760D77F0BCD85D2D95361023E0C000000
        """

    static let lines = "06a201010201\n00a10308\n04\n00" + KindTests.info.filter { $0 != " " }
}
