internal import CTAP
internal import CTAPHID
internal import Conformance

extension HIDCases {
    private static let initClause = Clause.ctap("11.2.9.1.3")

    @CaseTable static var initialization: [Case] {
        line("init.channel", "INIT allocates a channel other than 0 and the broadcast channel.", initClause) { line in
            line.bench.expect(
                line.channel != .reserved && line.channel != .broadcast, "another channel", seen: "\(line.channel)")
        }
        line("init.distinct", "Each INIT on the broadcast channel allocates another channel.", initClause) { line in
            var channels = [line.channel]
            for _ in 0..<7 { channels.append(try await line.hid.open().channel) }
            line.bench.expect(Set(channels).count == 8, "eight channels", seen: "\(Set(channels).count)")
        }
        line("init.protocolVersion", "INIT reports version 2 of the protocol.", initClause) { line in
            line.bench.expect(line.opened.protocolVersion == 2, "2", seen: "\(line.opened.protocolVersion)")
        }
        line("init.nonce", "The answer to INIT returns the nonce.", initClause) { line in
            let nonce: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
            let answer = try await line.hid.exchange(.initialize, nonce, on: .broadcast)
            line.bench.expect(
                answer?.command == .initialize && answer?.payload.prefix(8) == nonce[...], "the nonce",
                seen: words(answer))
        }
        line("init.length", "The answer to INIT has 17 bytes.", initClause) { line in
            let answer = try await line.hid.exchange(.initialize, [0, 1, 2, 3, 4, 5, 6, 7], on: .broadcast)
            line.bench.expect(answer?.payload.count == 17, "17 bytes", seen: words(answer))
        }
        line(
            "init.capabilities.cbor", "An authenticator of CTAP2 sets the capability CBOR.", initClause, needs: [.ctap2]
        ) { line in
            line.bench.expect(
                line.opened.capabilities.contains(.cbor), "the bit 0x04",
                seen: "0x\(String(line.opened.capabilities.rawValue, radix: 16))")
        }
        line("init.capabilities.noMessage", "The capability NMSG is set exactly where U2F is missing.", initClause) {
            line in
            try line.requireU2FAtHand()
            let hasU2F = line.bench.info.versions.contains("U2F_V2")
            line.bench.expect(
                line.opened.capabilities.contains(.noMessage) != hasU2F, hasU2F ? "no bit 0x08" : "the bit 0x08",
                seen: "0x\(String(line.opened.capabilities.rawValue, radix: 16))")
        }
        line("init.capabilities.reserved", "The reserved capabilities are 0.", initClause, level: .should) { line in
            let value = line.opened.capabilities.rawValue
            line.bench.expect(
                value & ~0x0D == 0, "the bits 0x01, 0x04 and 0x08 at most", seen: "0x\(String(value, radix: 16))")
        }
        line("init.onChannel", "INIT on an allocated channel keeps the channel.", initClause) { line in
            let nonce: [UInt8] = [1, 1, 2, 2, 3, 3, 4, 4]
            let answer = try await line.hid.exchange(.initialize, nonce, on: line.channel)
            let opened = answer.flatMap { CTAPHIDInitialization(payload: $0.payload) }
            line.bench.expect(
                opened?.channel == line.channel, "\(line.channel)",
                seen: opened.map { "\($0.channel)" } ?? words(answer))
            line.bench.expect(opened?.nonce == nonce, "the nonce", seen: "another")
        }
        line("init.resynchronises", "INIT on a channel ends its incomplete message.", initClause) { line in
            line.beginPing()
            let answer = try await line.hid.exchange(.initialize, [1, 2, 3, 4, 5, 6, 7, 8], on: line.channel)
            line.bench.expect(answer?.command == .initialize, "an answer to INIT", seen: words(answer))
            try await line.expectEcho("after INIT")
        }
        for length in [0, 7, 9, 64] {
            line(
                "init.nonceLength.\(length)", "INIT with a nonce of \(length) bytes is refused.", initClause,
                level: .should
            ) { line in
                let answer = try await line.hid.exchange(
                    .initialize, [UInt8](repeating: 1, count: length), on: .broadcast, within: .seconds(1))
                line.expectError(answer, .invalidLength, .invalidParameter, for: "a nonce of \(length) bytes")
            }
        }
    }

    @CaseTable static var ping: [Case] {
        for length in [1, 56, 57, 58, 59, 116, 117, 256, 1024, 4096, 7609] {
            line(
                "ping.\(length)", "PING returns a message of \(length) \(length == 1 ? "byte" : "bytes").",
                .ctap("11.2.9.1.4")
            ) { line in
                let payload = line.bench.randomBytes(length)
                let answer = try await line.hid.exchange(.ping, payload, on: line.channel)
                line.bench.expect(
                    answer?.command == .ping && answer?.payload == payload, "the same \(length) bytes",
                    seen: words(answer))
            }
        }
        line("ping.channels", "PING answers on its own channel.", .ctap("11.2.3")) { line in
            let plain = try await line.hid.exchange(.ping, [0], on: line.channel)
            guard plain?.payload == [0] else { throw CaseStop.blocked("PING is not echoed, see hid.ping.1") }
            let other = try await line.hid.open().channel
            for (channel, byte) in [(line.channel, UInt8(1)), (other, 2), (line.channel, 3)] {
                let answer = try await line.hid.exchange(.ping, [byte], on: channel)
                line.bench.expect(answer?.payload == [byte], "\(byte) on \(channel)", seen: words(answer))
            }
        }
    }

    /// Channels that were not allocated.
    @CaseTable static var channels: [Case] {
        for command in [CTAPHIDCommand.ping, .cbor, .message] {
            line("channel.broadcast.\(command)", "\(command) on the broadcast channel is refused.", .ctap("11.2.9.1.6"))
            { line in
                let answer = try await line.hid.exchange(command, [0x04], on: .broadcast)
                line.expectError(answer, .invalidChannel, for: "\(command) on the broadcast channel")
            }
            line("channel.zero.\(command)", "\(command) on channel 0 is refused.", .ctap("11.2.9.1.6")) { line in
                let answer = try await line.hid.exchange(command, [0x04], on: .reserved)
                line.expectError(answer, .invalidChannel, for: "\(command) on channel 0")
            }
        }
        line("channel.unknown", "PING on a channel that was not allocated is refused.", .ctap("11.2.9.1.6")) { line in
            guard line.bench.isOnBus else {
                throw CaseStop.notApplicable("devices over UDP serve the channels that clients invent")
            }
            let unknown = CTAPHIDChannel(rawValue: line.channel.rawValue ^ 0x5A5A_0000)
            let answer = try await line.hid.exchange(.ping, [1], on: unknown)
            line.expectError(answer, .invalidChannel, for: "a PING on \(unknown)")
        }
    }

    /// Packets out of order (CTAP 2.3 §11.2.4).
    @CaseTable static var sequences: [Case] {
        line(
            "sequence.skipped", "A message whose first continuation is missing is refused.", .ctap("11.2.4"),
            joinsPackets: true
        ) { line in
            line.beginPing()
            line.hid.send(report: continuation(1, line))
            line.expectError(
                try await line.hid.answer(on: line.channel).message, .invalidSequence,
                for: "sequence number 1 after the start")
        }
        line(
            "sequence.repeated", "A message with a repeated sequence number is refused.", .ctap("11.2.4"),
            joinsPackets: true
        ) { line in
            line.beginPing(length: 200)
            line.hid.send(report: continuation(0, line))
            line.hid.send(report: continuation(0, line))
            line.expectError(
                try await line.hid.answer(on: line.channel).message, .invalidSequence, for: "sequence number 0 twice")
        }
        line(
            "sequence.backwards", "A message with a falling sequence number is refused.", .ctap("11.2.4"),
            joinsPackets: true
        ) { line in
            line.beginPing(length: 300)
            line.hid.send(report: continuation(0, line))
            line.hid.send(report: continuation(1, line))
            line.hid.send(report: continuation(0, line))
            line.expectError(
                try await line.hid.answer(on: line.channel).message, .invalidSequence, for: "sequence numbers 0, 1, 0")
        }
        line(
            "sequence.echoAfterwards", "The channel works after a refused sequence.", .ctap("11.2.4"),
            joinsPackets: true
        ) { line in
            line.beginPing()
            line.hid.send(report: continuation(5, line))
            _ = try await line.hid.answer(on: line.channel)
            try await line.expectEcho("after a refused sequence")
        }
        line("sequence.spurious", "A continuation without a start is ignored.", .ctap("11.2.4")) { line in
            line.hid.send(report: continuation(0, line))
            let answer = try await line.hid.message(on: line.channel, within: silence)
            line.bench.expect(answer == nil, "no answer", seen: words(answer))
            try await line.expectEcho("after a stray continuation")
        }
        line(
            "sequence.newStart", "A second start within a message of the channel is refused.", .ctap("11.2.4"),
            joinsPackets: true
        ) {
            line in
            line.beginPing()
            line.beginPing()
            line.expectError(
                try await line.hid.answer(on: line.channel).message, .invalidSequence, for: "two starts in a row")
        }
        line("sequence.timeout", "A message whose rest does not come times out.", .ctap("11.2.5.2"), joinsPackets: true)
        { line in
            line.beginPing()
            line.expectError(
                try await line.hid.answer(on: line.channel, within: .seconds(4)).message, .messageTimeout,
                for: "a message without its rest")
        }
        line("sequence.timeout.echo", "The channel works after a time-out.", .ctap("11.2.5.2"), joinsPackets: true) {
            line in
            line.beginPing()
            _ = try await line.hid.answer(on: line.channel, within: .seconds(4))
            try await line.expectEcho("after a time-out")
        }
        line(
            "sequence.otherChannel", "A continuation of another channel does not join a message.", .ctap("11.2.4"),
            joinsPackets: true
        ) {
            line in
            let other = try await line.hid.open().channel
            line.beginPing()
            line.hid.send(report: report(other, [0], 0xBB))
            line.hid.send(report: continuation(0, line))
            let answer = try await line.hid.answer(on: line.channel).message
            line.bench.expect(
                answer?.command == .ping && answer?.payload.contains(0xBB) == false, "the message of its own channel",
                seen: words(answer))
        }
        for length in [UInt16(7610), 0xFFFF] {
            line("length.\(length)", "A message of \(length) bytes is refused.", .ctap("11.2.4"), level: .should) {
                line in
                line.beginPing(length: length)
                line.expectError(
                    try await line.hid.answer(on: line.channel, within: .seconds(4)).message, .invalidLength,
                    for: "a message of \(length) bytes")
            }
        }
    }

    private static func continuation(_ sequence: UInt8, _ line: Line) -> [UInt8] {
        report(line.channel, [sequence], 0xCC)
    }
}
