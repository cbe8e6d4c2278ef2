internal import CTAPHybrid

extension ConnectionFault {
    static let table: [FaultRow<HybridConnectionFault>] = code + adapter + advert + tunnel + handshake + answer

    private static let code: [FaultRow<HybridConnectionFault>] = [
        FaultRow("code-expired", "the phone scans a QR code that is an hour older", .code(.expired)),
        FaultRow("code-key-uncompressed", "the public key in the QR code has 65 bytes", .code(.keyUncompressed)),
        FaultRow("code-key-invalid", "the public key in the QR code is not on the curve", .code(.keyNotOnCurve)),
        FaultRow("code-secret-short", "the secret in the QR code has 15 bytes", .code(.secretShort)),
        FaultRow("code-secret-missing", "the QR code has no secret", .code(.secretMissing)),
        FaultRow("code-trailing-byte", "a byte follows the contents of the QR code", .code(.trailingByte)),
        FaultRow("code-not-canonical", "the QR code's map is not canonical CBOR", .code(.notCanonical)),
        FaultRow("code-digit-missing", "the last digit of the QR code is missing", .code(.digitMissing)),
        FaultRow(
            "code-without-websocket", "the channels (key 6) of the QR code lack the tunnel service",
            .code(.webSocketMissing)),
        FaultRow(
            "code-channel-list", "key 6 of the QR code is CTAP 2.3's list of channels; a phone accepts it",
            .code(.keySixIsList)),
        FaultRow(
            "code-older-flag", "key 6 of the QR code is the flag of the time before CTAP 2.3; a phone accepts it",
            .code(.keySixIsFlag)),
    ]

    private static let adapter: [FaultRow<HybridConnectionFault>] = [
        FaultRow("adapter-absent", "the computer has no Bluetooth adapter", .adapter(.absent)),
        FaultRow("adapter-off", "the computer's Bluetooth adapter is off", .adapter(.off)),
        FaultRow(
            "adapter-late", "the computer's Bluetooth adapter is switched on after ten seconds or adapter-late:SECONDS"
        ) { argument throws(FaultSyntaxError) in
            .adapter(.late(try argument.seconds(default: .seconds(10))))
        },
    ]

    private static let advert: [FaultRow<HybridConnectionFault>] = [
        FaultRow("out-of-range", "the computer does not hear the phone", .phone(.advertMissing)),
        FaultRow("advert-wrong", "the computer hears the advert of another phone", .phone(.eidKeyWrong)),
        FaultRow("advert-reserved", "the advert's first byte is 1, as of a later version", .phone(.advertReserved(1))),
        FaultRow(
            "advert-domain", "the advert names a tunnel domain without a host, 255, or advert-domain:NUMBER"
        ) { argument throws(FaultSyntaxError) in
            let number = try argument.number(in: 1...Int(UInt16.max), default: 255)
            return .phone(.advertDomain(TunnelDomain(rawValue: UInt16(clamping: number))))
        },
        FaultRow("advert-longer", "two bytes follow the advert, or advert-longer:BYTES") {
            argument throws(FaultSyntaxError) in
            let count = try argument.number(in: 1...11, default: 2)
            return .phone(.advertSuffix([UInt8](repeating: 0xFF, count: count)))
        },
        FaultRow(
            "advert-older-service", "the advert has the older service UUID, FDE2",
            .phone(.advertServices([.google]))),
        FaultRow(
            "advert-both-services", "two adverts have the older and the newer service UUID",
            .phone(.advertServices([.google, .fido]))),
    ]

    private static let tunnel: [FaultRow<HybridConnectionFault>] = [
        FaultRow("phone-offline", "the phone does not reach its tunnel service", .tunnel(.refusesPhone(status: 503))),
        FaultRow(
            "tunnel-refused", "the tunnel service refuses the computer with status 400, or tunnel-refused:STATUS"
        ) { argument throws(FaultSyntaxError) in
            .tunnel(.refuses(status: try argument.number(in: 400...599, default: 400)))
        },
        FaultRow(
            "tunnel-redirected", "the tunnel service sends the computer to another address",
            .tunnel(.refuses(status: 302, location: "https://elsewhere.invalid/"))),
        FaultRow(
            "tunnel-closed",
            "the tunnel service closes both connections after the first message, or tunnel-closed:COUNT"
        ) { argument throws(FaultSyntaxError) in
            .tunnel(.drops(after: try argument.number(in: 0...10, default: 1)))
        },
        FaultRow("tunnel-silent", "the tunnel service hands no message on", .tunnel(.isSilent)),
        FaultRow(
            "tunnel-dropped",
            "the tunnel drops at the command, or tunnel-dropped:STAGE: \(FaultArgument.stageNames)"
        ) { argument throws(FaultSyntaxError) in .phone(.tunnelDropped(try argument.stage(default: .command))) },
        FaultRow("network-slow", "each message of the phone takes two seconds, or network-slow:SECONDS") {
            argument throws(FaultSyntaxError) in .phone(.messagesSlow(try argument.seconds(default: .seconds(2))))
        },
    ]

    private static let handshake: [FaultRow<HybridConnectionFault>] = [
        FaultRow("handshake-key-wrong", "the phone uses another pre-shared key", .phone(.preSharedKeyWrong)),
        FaultRow("handshake-missing", "the phone does not answer the handshake", .phone(.handshakeMissing)),
        FaultRow("handshake-longer", "the phone's handshake message is a byte longer, or handshake-longer:BYTES") {
            argument throws(FaultSyntaxError) in
            .phone(.handshakeLength(try argument.number(in: 1...1000, default: 1)))
        },
        FaultRow("handshake-shorter", "the phone's handshake message is a byte shorter, or handshake-shorter:BYTES") {
            argument throws(FaultSyntaxError) in
            .phone(.handshakeLength(-(try argument.number(in: 1...81, default: 1))))
        },
        FaultRow("handshake-corrupted", "the phone's handshake message does not decrypt", .phone(.handshakeCorrupted)),
        FaultRow(
            "first-message-late", "the phone's first message takes ten seconds, or first-message-late:SECONDS"
        ) { argument throws(FaultSyntaxError) in
            .phone(.firstMessageLate(try argument.seconds(default: .seconds(10))))
        },
        FaultRow("first-message-missing", "the phone sends no first message", .phone(.firstMessageMissing)),
        FaultRow("first-message-malformed", "the phone's first message is not CBOR", .phone(.firstMessageMalformed)),
        FaultRow("info-missing", "the phone's first message lacks the answer to getInfo", .phone(.infoMissing)),
        FaultRow("link-signature-wrong", "the signature of the phone's link is wrong", .phone(.linkingSignatureWrong)),
        FaultRow("link-malformed", "the phone's link is not CBOR", .phone(.updateMalformed)),
        FaultRow("revision-2.0", "the phone speaks revision 2.0 of hybrid transport", .phone(.revision20(.bigEndian))),
        FaultRow(
            "revision-2.0-older", "the phone speaks revision 2.0 with the encryption of its time",
            .phone(.revision20(.littleEndian))),
    ]

    private static let answer: [FaultRow<HybridConnectionFault>] = [
        FaultRow("command-again", "the computer sends its command again on the same connection", .commandAgain),
        FaultRow(
            "command-further", "the phone takes further commands on the same connection", .phone(.furtherCommands)),
        FaultRow("answer-corrupted", "the phone's answer does not decrypt", .phone(.answerCorrupted)),
        FaultRow("answer-missing", "the phone's answer is lost", .phone(.answerMissing)),
        FaultRow("answer-type", "the phone's answer is in a frame of type 9, or answer-type:NUMBER") {
            argument throws(FaultSyntaxError) in
            .phone(.answerType(UInt8(clamping: try argument.number(in: 2...255, default: 9))))
        },
        FaultRow("answer-shutdown", "a shutdown takes the place of the phone's answer", .phone(.answerShutdown)),
        FaultRow("answer-late", "the phone's answer takes ten seconds, or answer-late:SECONDS") {
            argument throws(FaultSyntaxError) in .phone(.answerLate(try argument.seconds(default: .seconds(10))))
        },
        FaultRow("answer-twice", "the phone's answer comes twice", .phone(.answerTwice)),
    ]
}
