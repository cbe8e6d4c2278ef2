internal import CTAP
internal import CTAPHID
internal import Conformance

extension AuthenticatorSuite {
    /// CTAPHID (CTAP 2.3 §11.2).
    package static let hid = Group(
        "hid", "CTAPHID",
        HIDCases.initialization + HIDCases.ping + HIDCases.channels + HIDCases.sequences + HIDCases.busy
            + HIDCases.commands + HIDCases.cancellation + HIDCases.lock)
}

/// The cases of CTAPHID.
enum HIDCases {
    /// The time in which a device that has nothing to say says nothing.
    static let silence = Duration.milliseconds(150)

    struct Line: Sendable {
        let bench: AuthenticatorBench
        let hid: HIDChannel
        /// The answer to INIT, with the case's own channel.
        let opened: CTAPHIDInitialization

        var channel: CTAPHIDChannel { opened.channel }

        /// - Throws: `CaseStop.notApplicable` while alwaysUv switches U2F off, which the capabilities need not tell.
        func requireU2FAtHand() throws(CaseStop) {
            guard !bench.has(.alwaysUv) else { throw .notApplicable("alwaysUv switches U2F off") }
        }

        func expectError(
            _ answer: CTAPHIDMessage?, _ codes: CTAPHIDErrorCode..., for request: String, level: Level? = nil
        ) {
            let names = codes.map(\.description).joined(separator: " or ")
            let isExpected =
                answer?.command == .error && answer?.payload.count == 1
                && codes.contains { $0.rawValue == answer?.payload.first }
            bench.expect(isExpected, "\(names) for \(request)", seen: HIDCases.words(answer), level: level)
        }

        func expectEcho(_ when: String) async throws {
            let payload: [UInt8] = [1, 2, 3, 4]
            let answer = try await hid.exchange(.ping, payload, on: channel)
            bench.expect(
                answer?.command == .ping && answer?.payload == payload, "an echo \(when)", seen: HIDCases.words(answer))
        }

        /// - Throws: `CaseStop` where the device does not join a message of two packets, which the cases of PING judge.
        func requireLongEcho() async throws {
            let payload = [UInt8](repeating: 0xAA, count: 100)
            let echo = try? await hid.exchange(.ping, payload, on: channel)
            guard echo?.payload == payload else {
                throw CaseStop.blocked("the device does not echo a PING of two packets, see hid.ping.58")
            }
        }

        /// Begins a message whose rest is missing.
        func beginPing(length: UInt16 = 100) {
            let start: [UInt8] = [0x80 | CTAPHIDCommand.ping.rawValue, UInt8(length >> 8), UInt8(length & 0xFF)]
            hid.send(report: HIDCases.report(channel, start, 0xAA))
        }

        /// Makes the device wait for a touch, and returns when it says so.
        func beginWaiting() async throws {
            try await bench.userWaits()
            try hid.send(.cbor, [CTAPCommand.selection.rawValue], on: channel)
            while let message = try await hid.message(on: channel) {
                if message.command == .keepalive, message.payload == [KeepaliveStatus.userPresenceNeeded.rawValue] {
                    return
                }
                guard message.command == .keepalive else {
                    throw bench.fail("a keepalive while the device waits for a touch", seen: HIDCases.words(message))
                }
            }
            throw bench.fail("a keepalive while the device waits for a touch", seen: "nothing within two seconds")
        }

        /// Cancels the waiting request, and takes its answer.
        @discardableResult
        func endWaiting() async throws -> CTAPHIDMessage? {
            try hid.send(.cancel, on: channel)
            return try await hid.answer(on: channel).message
        }
    }

    /// A case with a channel of its own.
    ///
    /// - Parameter joinsPackets: whether the case needs a device that joins the packets of a message.
    static func line(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must, needs: [AuthenticatorNeed] = [],
        person: [ManualAct] = [], joinsPackets: Bool = false,
        _ perform: @escaping @Sendable (Line) async throws -> Void
    ) -> Case {
        Case("hid.\(name)", title, clause, level: level, needs: [.reports] + needs, person: person) { bench in
            guard let hid = bench.reports else { throw CaseStop.notRun("the device is not reached by CTAPHID") }
            let opened = try await hid.open()
            do {
                let line = Line(bench: bench, hid: hid, opened: opened)
                if joinsPackets { try await line.requireLongEcho() }
                try await perform(line)
            } catch {
                try await hid.resynchronise(opened.channel)
                throw error
            }
            try await hid.resynchronise(opened.channel)
        }
    }

    /// A report of a channel: its head, then one byte again and again.
    static func report(_ channel: CTAPHIDChannel, _ head: [UInt8], _ byte: UInt8) -> [UInt8] {
        let start = ([24, 16, 8, 0] as [UInt32]).map { UInt8(truncatingIfNeeded: channel.rawValue >> $0) } + head
        return start + [UInt8](repeating: byte, count: CTAPHIDPacket.length - start.count)
    }

    static func words(_ message: CTAPHIDMessage?) -> String {
        guard let message else { return "no answer" }
        if message.command == .error, let code = message.payload.first {
            return "\(CTAPHIDErrorCode(rawValue: code))"
        }
        return "\(message.command) with \(message.payload.count) bytes"
    }
}
