internal import CTAP
internal import CTAPHID
internal import Conformance

extension HIDCases {
    /// A device that serves another channel (CTAP 2.3 §11.2.5.1).
    @CaseTable static var busy: [Case] {
        line("busy.message", "A start on another channel within a message is refused.", .ctap("11.2.5.1")) { line in
            let other = try await line.hid.open().channel
            line.beginPing()
            let answer = try await line.hid.exchange(.ping, [1], on: other)
            line.expectError(answer, .channelBusy, for: "a PING on another channel")
        }
        line(
            "busy.messageGoesOn", "A refused start on another channel leaves the message alone.", .ctap("11.2.5.1"),
            joinsPackets: true
        ) {
            line in
            let other = try await line.hid.open().channel
            line.beginPing()
            _ = try await line.hid.exchange(.ping, [1], on: other)
            line.hid.send(report: report(line.channel, [0], 0xAA))
            let answer = try await line.hid.answer(on: line.channel).message
            line.bench.expect(
                answer?.command == .ping && answer?.payload.count == 100, "the echo of 100 bytes", seen: words(answer))
        }
        line(
            "busy.initOtherChannel", "INIT on another allocated channel is refused within a message.",
            .ctap("11.2.5.1"), level: .should
        ) { line in
            let other = try await line.hid.open().channel
            line.beginPing()
            let answer = try await line.hid.exchange(.initialize, [1, 2, 3, 4, 5, 6, 7, 8], on: other)
            line.expectError(answer, .channelBusy, for: "INIT on another channel")
        }
        line("busy.afterwards", "Another channel is served after the message.", .ctap("11.2.5.1")) { line in
            let other = try await line.hid.open().channel
            line.beginPing()
            _ = try await line.hid.exchange(.ping, [1], on: other)
            line.hid.send(report: report(line.channel, [0], 0xAA))
            // busy.messageGoesOn judges the answer.
            _ = try? await line.hid.answer(on: line.channel)
            let answer = try await line.hid.exchange(.ping, [2], on: other)
            line.bench.expect(answer?.payload == [2], "an echo", seen: words(answer))
        }
        waiting("busy.request", "A command on another channel is refused while the device waits for a touch.") { line in
            let other = try await line.hid.open().channel
            let answer = try await line.hid.exchange(.ping, [1], on: other)
            line.expectError(answer, .channelBusy, for: "a PING on another channel")
        }
        waiting("busy.sameChannel", "A second command on the channel is refused while the device waits for a touch.") {
            line in
            try line.hid.send(.cbor, [CTAPCommand.getInfo.rawValue], on: line.channel)
            let answer = try await line.hid.answer(on: line.channel).message
            line.expectError(answer, .channelBusy, for: "a second command")
        }
        waiting(
            "busy.init", "INIT on the broadcast channel is answered while the device waits for a touch.", level: .should
        ) { line in
            let answer = try await line.hid.exchange(.initialize, [1, 2, 3, 4, 5, 6, 7, 8], on: .broadcast)
            line.bench.expect(answer?.command == .initialize, "an answer to INIT", seen: words(answer))
        }
    }

    /// A case while the device waits for a touch on the case's channel.
    private static func waiting(
        _ name: String, _ title: String, _ clause: Clause = .ctap("11.2.5.1"), level: Level = .must,
        _ perform: @escaping @Sendable (Line) async throws -> Void
    ) -> Case {
        line(name, title, clause, level: level, needs: [.ctap21], person: [.withholdTouch]) { line in
            try await line.beginWaiting()
            try await perform(line)
            try await line.endWaiting()
        }
    }

    /// Commands and their payloads (CTAP 2.3 §11.2.9).
    @CaseTable static var commands: [Case] {
        for byte in [0x02, 0x05, 0x07, 0x12, 0x20, 0x3A] as [UInt8] {
            let name = "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            line("command.\(name)", "The unknown command \(name) is refused.", .ctap("11.2.9.1.6")) { line in
                let answer = try await line.hid.exchange(CTAPHIDCommand(rawValue: byte), [], on: line.channel)
                line.expectError(answer, .invalidCommand, for: "the command \(name)")
            }
        }
        line("command.afterUnknown", "The channel works after an unknown command.", .ctap("11.2.9.1.6")) { line in
            _ = try await line.hid.exchange(CTAPHIDCommand(rawValue: 0x20), [], on: line.channel)
            try await line.expectEcho("after an unknown command")
        }
        line("command.error", "A command that only devices send is refused.", .ctap("11.2.9.1.6"), level: .should) {
            line in
            let answer = try await line.hid.exchange(.error, [1], on: line.channel, within: .seconds(1))
            line.expectError(answer, .invalidCommand, for: "ERROR from the client")
        }
        line("cbor.getInfo", "CBOR carries getInfo.", .ctap("11.2.9.1.2"), needs: [.ctap2]) { line in
            let answer = try await line.hid.exchange(.cbor, [CTAPCommand.getInfo.rawValue], on: line.channel)
            line.bench.expect(
                answer?.command == .cbor && answer?.payload.first == 0, "CBOR with the status 0", seen: words(answer))
        }
        line("cbor.refusal", "A refusal of CTAP2 comes in CBOR.", .ctap("11.2.9.1.2"), needs: [.ctap2]) { line in
            let answer = try await line.hid.exchange(.cbor, [0x0E], on: line.channel)
            line.bench.expect(
                answer?.command == .cbor && answer?.payload == [CTAPStatus.invalidCommand.rawValue],
                "CBOR with CTAP1_ERR_INVALID_COMMAND (0x01)", seen: words(answer))
        }
        line("cbor.empty", "CBOR without a command is refused.", .ctap("11.2.9.1.2"), needs: [.ctap2]) { line in
            let answer = try await line.hid.exchange(.cbor, [], on: line.channel)
            if answer?.command == .cbor {
                line.bench.expect(answer?.payload.first != 0, "a refusal", seen: "the status 0")
            } else {
                line.expectError(answer, .invalidLength, .invalidCommand, .invalidParameter, for: "an empty message")
            }
        }
        line("message.version", "MSG carries U2F_VERSION.", .ctap("11.2.9.1.1")) { line in
            try line.requireU2FAtHand()
            guard !line.opened.capabilities.contains(.noMessage) else {
                throw CaseStop.notApplicable("the device has no U2F")
            }
            let answer = try await line.hid.exchange(
                .message, U2FRequest(instruction: .version).encoded, on: line.channel)
            line.bench.expect(
                answer?.command == .message && answer?.payload == Array("U2F_V2".utf8) + [0x90, 0x00],
                "U2F_V2 and 0x9000", seen: words(answer))
        }
        line("message.absent", "MSG is refused where NMSG is set.", .ctap("11.2.9.1.1")) { line in
            guard line.opened.capabilities.contains(.noMessage) else {
                throw CaseStop.notApplicable("the device has U2F")
            }
            let answer = try await line.hid.exchange(.message, [0, 3, 0, 0], on: line.channel)
            line.expectError(answer, .invalidCommand, for: "MSG")
        }
        line("wink", "WINK is answered where its capability is set, and refused otherwise.", .ctap("11.2.9.2.1")) {
            line in
            let answer = try await line.hid.exchange(.wink, [], on: line.channel)
            if line.opened.capabilities.contains(.wink) {
                line.bench.expect(
                    answer?.command == .wink && answer?.payload.isEmpty == true, "an empty WINK", seen: words(answer))
            } else {
                line.expectError(answer, .invalidCommand, for: "WINK")
            }
        }
        line("wink.payload", "WINK with a payload is refused.", .ctap("11.2.9.2.1"), level: .should) { line in
            guard line.opened.capabilities.contains(.wink) else {
                throw CaseStop.notApplicable("the device has no WINK")
            }
            let answer = try await line.hid.exchange(.wink, [1, 2], on: line.channel)
            line.expectError(answer, .invalidLength, .invalidParameter, for: "WINK with two bytes")
        }
        line("error.length", "ERROR carries one byte.", .ctap("11.2.9.1.6")) { line in
            let answer = try await line.hid.exchange(CTAPHIDCommand(rawValue: 0x20), [], on: line.channel)
            guard let answer, answer.command == .error else {
                throw CaseStop.notRun("the device sent no ERROR, see hid.command.0x20")
            }
            line.bench.expect(answer.payload.count == 1, "ERROR with one byte", seen: words(answer))
        }
    }

    /// CTAPHID_CANCEL and CTAPHID_KEEPALIVE.
    @CaseTable static var cancellation: [Case] {
        line("cancel.idle", "CANCEL without a request is not answered.", .ctap("11.2.9.1.5")) { line in
            try line.hid.send(.cancel, on: line.channel)
            let answer = try await line.hid.message(on: line.channel, within: silence)
            line.bench.expect(answer == nil, "no answer", seen: words(answer))
            try await line.expectEcho("after CANCEL")
        }
        line(
            "cancel.idleSpares", "CANCEL without a request does not end the next request.", .ctap("11.2.9.1.5"),
            needs: [.ctap21], person: [.touch]
        ) { line in
            try line.hid.send(.cancel, on: line.channel)
            let answer = try await line.hid.exchange(.cbor, [CTAPCommand.selection.rawValue], on: line.channel)
            line.bench.expect(
                answer?.command == .cbor && answer?.payload.first == CTAPStatus.ok.rawValue,
                "CBOR with CTAP2_OK (0x00) after the touch", seen: words(answer))
        }
        line(
            "cancel.waiting", "CANCEL ends a request that waits for a touch.", .ctap("11.2.9.1.5"), needs: [.ctap21],
            person: [.withholdTouch]
        ) { line in
            try await line.beginWaiting()
            let answer = try await line.endWaiting()
            line.bench.expect(
                answer?.command == .cbor && answer?.payload == [CTAPStatus.keepaliveCancel.rawValue],
                "CBOR with CTAP2_ERR_KEEPALIVE_CANCEL (0x2D)", seen: words(answer))
        }
        line(
            "cancel.once", "CANCEL itself is not answered.", .ctap("11.2.9.1.5"), needs: [.ctap21],
            person: [.withholdTouch]
        ) { line in
            try await line.beginWaiting()
            try await line.endWaiting()
            let second = try await line.hid.message(on: line.channel, within: silence)
            line.bench.expect(second == nil, "nothing after the answer to the request", seen: words(second))
        }
        line(
            "cancel.otherChannel", "CANCEL on another channel does not end the request.", .ctap("11.2.9.1.5"),
            needs: [.ctap21], person: [.withholdTouch]
        ) { line in
            let other = try await line.hid.open().channel
            try await line.beginWaiting()
            try line.hid.send(.cancel, on: other)
            let next = try await line.hid.message(on: line.channel)
            line.bench.expect(next?.command == .keepalive, "a further keepalive", seen: words(next))
            try await line.endWaiting()
        }
        line(
            "keepalive.interval", "A keepalive comes at least every 100 ms while the device waits.",
            .ctap("11.2.9.1.7"), needs: [.ctap21], person: [.withholdTouch]
        ) { line in
            try await line.beginWaiting()
            // Twice the time, for slow carriers; the best of several spans, for busy computers.
            var (count, span) = try await line.hid.keepalives(5, on: line.channel)
            for _ in 1..<5 where count == 5 && span >= .milliseconds(1_000) {
                (count, span) = try await line.hid.keepalives(5, on: line.channel)
            }
            line.bench.expect(
                count == 5 && span < .milliseconds(1_000), "five keepalives within 500 ms",
                seen: "\(count) in \(Int(span / .milliseconds(1))) ms")
            try await line.endWaiting()
        }
        line(
            "keepalive.status", "The keepalives of a request that waits for a touch have the status 2.",
            .ctap("11.2.9.1.7"), needs: [.ctap21], person: [.withholdTouch]
        ) { line in
            try await line.beginWaiting()
            let next = try await line.hid.message(on: line.channel)
            line.bench.expect(
                next?.command == .keepalive && next?.payload == [2], "KEEPALIVE with 2", seen: words(next))
            try await line.endWaiting()
        }
        line(
            "keepalive.ends", "No keepalive follows the answer.", .ctap("11.2.9.1.7"), needs: [.ctap21],
            person: [.withholdTouch]
        ) { line in
            try await line.beginWaiting()
            try await line.endWaiting()
            let late = try await line.hid.packet(on: line.channel, within: .milliseconds(250))
            line.bench.expect(late == nil, "nothing", seen: "a packet")
        }
        line(
            "init.aborts", "INIT on its channel ends a request that waits for a touch.", .ctap("11.2.9.1.3"),
            needs: [.ctap21], person: [.withholdTouch]
        ) { line in
            try await line.beginWaiting()
            try line.hid.send(.initialize, [1, 2, 3, 4, 5, 6, 7, 8], on: line.channel)
            let answer = try await line.hid.answer(on: line.channel).message
            line.bench.expect(answer?.command == .initialize, "an answer to INIT", seen: words(answer))
            try await line.expectEcho("after INIT")
        }
    }

    /// CTAPHID_LOCK, which a device may have.
    @CaseTable static var lock: [Case] {
        locking("excludes", "LOCK keeps other channels out.") { line in
            let other = try await line.hid.open().channel
            try await lock(line, 5)
            let answer = try await line.hid.exchange(.ping, [1], on: other)
            line.expectError(answer, .channelBusy, for: "a PING on another channel")
            try await line.expectEcho("on the channel with the lock")
        }
        locking("released", "LOCK with 0 releases the lock.") { line in
            let other = try await line.hid.open().channel
            try await lock(line, 5)
            try await lock(line, 0)
            let answer = try await line.hid.exchange(.ping, [1], on: other)
            line.bench.expect(
                answer?.command == .ping && answer?.payload == [1], "an echo on another channel", seen: words(answer))
        }
        locking("expires", "LOCK ends after its time.") { line in
            let other = try await line.hid.open().channel
            let payload: [UInt8] = [1, 2, 3, 4]
            try await lock(line, 1)
            var last = try await line.hid.exchange(.ping, payload, on: other)
            line.expectError(last, .channelBusy, for: "a PING on another channel")
            let end = ContinuousClock.now + .seconds(3)
            while last?.command != .ping, .now < end {
                // Nothing comes; the time passes.
                _ = try await line.hid.packet(on: other, within: .milliseconds(100))
                last = try await line.hid.exchange(.ping, payload, on: other)
            }
            line.bench.expect(
                last?.command == .ping && last?.payload == payload,
                "an echo on another channel within three seconds", seen: words(last))
        }
        locking("tooLong", "LOCK for more than ten seconds is refused.") { line in
            let answer = try await line.hid.exchange(.lock, [11], on: line.channel)
            line.expectError(answer, .invalidParameter, for: "a lock of 11 seconds")
        }
        locking("empty", "LOCK without a time is refused.") { line in
            let answer = try await line.hid.exchange(.lock, [], on: line.channel)
            line.expectError(answer, .invalidLength, for: "a lock without a time")
        }
    }

    private static func lock(_ line: Line, _ seconds: UInt8) async throws {
        let answer = try await line.hid.exchange(.lock, [seconds], on: line.channel)
        try line.bench.require(answer?.command == .lock, "an answer to LOCK", seen: words(answer))
    }

    private static func locking(
        _ name: String, _ title: String, _ perform: @escaping @Sendable (Line) async throws -> Void
    ) -> Case {
        line("lock.\(name)", title, .ctap("11.2.9.2.2")) { line in
            let answer: CTAPHIDMessage?
            do {
                answer = try await line.hid.exchange(.lock, [0], on: line.channel)
            } catch is CTAPHIDFramingError {
                throw CaseStop.notRun("the answer to LOCK with 0 is not a message; hid.command judges unknown commands")
            }
            if answer?.command == .error, answer?.payload == [CTAPHIDErrorCode.invalidCommand.rawValue] {
                throw CaseStop.notApplicable("the device has no LOCK")
            }
            try await perform(line)
            _ = try await line.hid.exchange(.lock, [0], on: line.channel)
        }
    }
}
