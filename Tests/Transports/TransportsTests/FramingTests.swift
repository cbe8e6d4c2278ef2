import Testing
import Transports

@testable import CTAPHID

@Suite struct FramingTests {
    static let channel = CTAPHIDChannel(rawValue: 0x0102_0304)

    @Test(arguments: 1...129)
    func everyPacketCountRoundTripsAtItsShortestAndLongest(packetCount: Int) throws {
        let longest = 57 + (packetCount - 1) * 59
        let shortest = packetCount == 1 ? 0 : longest - 58
        for count in [shortest, longest] {
            let message = try CTAPHIDMessage(channel: Self.channel, command: .ping, payload: payload(count))
            #expect(message.packets.count == packetCount)
            try FramingVerifier.verify(message)
        }
    }

    @Test func aMessageOfOneByteMoreThan129PacketsHoldIsRefused() throws {
        #expect(CTAPHIDMessage.maximumPayloadLength == 7609)
        #expect(throws: CTAPHIDFramingError.messageTooLong(7610)) {
            try CTAPHIDMessage(channel: Self.channel, command: .ping, payload: payload(7610))
        }
    }

    @Test(arguments: [0, 1, 63, 65, 128])
    func aReportOfAnotherSizeIsNoPacket(count: Int) {
        #expect(throws: CTAPHIDFramingError.reportLength(count)) {
            try CTAPHIDPacket(report: [UInt8](repeating: 0, count: count))
        }
    }

    @Test func aDeclaredLengthBeyondTheMaximumIsRefused() throws {
        let packet = CTAPHIDPacket(
            channel: Self.channel, header: .initialization(.ping, messageLength: 7610), data: [])
        #expect(throws: CTAPHIDFramingError.messageTooLong(7610)) { try CTAPHIDAssembler(first: packet) }
    }

    @Test func aMessageCannotBeginWithAContinuation() {
        let packet = CTAPHIDPacket(channel: Self.channel, header: .continuation(sequence: 0), data: [])
        #expect(throws: CTAPHIDFramingError.notAnInitializationPacket) { try CTAPHIDAssembler(first: packet) }
    }

    @Test func onlyTheNextContinuationIsAccepted() throws {
        let packets = try CTAPHIDMessage(channel: Self.channel, command: .ping, payload: payload(200)).packets
        var foreign = packets[1]
        foreign.channel = .broadcast
        for wrong in [packets[0], packets[2], foreign] {
            var assembler = try CTAPHIDAssembler(first: packets[0])
            #expect(throws: CTAPHIDFramingError.unexpectedPacket(expectedSequence: 0)) { try assembler.append(wrong) }
        }
    }

    @Test func aCompleteMessageTakesNoFurtherPacket() throws {
        let packets = try CTAPHIDMessage(channel: Self.channel, command: .ping, payload: [1]).packets
        var assembler = try CTAPHIDAssembler(first: packets[0])
        let extra = CTAPHIDPacket(channel: Self.channel, header: .continuation(sequence: 0), data: [])
        #expect(throws: CTAPHIDFramingError.unexpectedPacket(expectedSequence: 0)) { try assembler.append(extra) }
    }

    @Test func theInitAnswerRoundTripsThroughItsSeventeenBytes() {
        let answer = CTAPHIDInitialization(
            nonce: payload(8), channel: Self.channel,
            deviceVersion: CTAPHIDDeviceVersion(major: 5, minor: 7, build: 1), capabilities: [.cbor, .wink])
        #expect(answer.payload == payload(8) + [1, 2, 3, 4, 2, 5, 7, 1, 0x05])
        #expect(CTAPHIDInitialization(payload: answer.payload) == answer)
        #expect(CTAPHIDInitialization(payload: Array(answer.payload.dropLast())) == nil)
    }
}
