import CTAP
import TestSupport
import Testing

@Suite("Command and response APDUs")
struct CommandAPDUTests {
    /// One encoding and its meaning (ISO/IEC 7816-4 §5.1).
    struct Form: CustomTestStringConvertible, Sendable {
        let bytes: String
        let data: String
        let expectedLength: Int?
        let isExtended: Bool
        var isCanonical = true

        var testDescription: String { bytes.isEmpty ? "nothing" : bytes }
    }

    static let forms = [
        Form(bytes: "", data: "", expectedLength: nil, isExtended: false),
        Form(bytes: "05", data: "", expectedLength: 5, isExtended: false),
        Form(bytes: "00", data: "", expectedLength: 256, isExtended: false),
        Form(bytes: "02 AABB", data: "AABB", expectedLength: nil, isExtended: false),
        Form(bytes: "02 AABB 00", data: "AABB", expectedLength: 256, isExtended: false),
        Form(bytes: "02 AABB 07", data: "AABB", expectedLength: 7, isExtended: false),
        Form(bytes: "00 0100", data: "", expectedLength: 256, isExtended: true),
        Form(bytes: "00 0000", data: "", expectedLength: 65536, isExtended: true),
        Form(bytes: "00 0002 AABB", data: "AABB", expectedLength: nil, isExtended: true),
        Form(bytes: "00 0002 AABB 0000", data: "AABB", expectedLength: 65536, isExtended: true),
        Form(bytes: "00 0002 AABB 1234", data: "AABB", expectedLength: 0x1234, isExtended: true),
        Form(bytes: "00 0000 0000", data: "", expectedLength: 65536, isExtended: true, isCanonical: false),
    ]

    @Test(arguments: forms)
    func aCommandIsReadInEveryForm(form: Form) throws {
        let bytes: [UInt8] = [0x80, 0x10, 0x81, 0x02] + [UInt8](hex: form.bytes)
        let command = try CommandAPDU(parsing: bytes)
        #expect(
            [command.instructionClass, command.instruction, command.parameter1, command.parameter2] == bytes.prefix(4))
        #expect(command.data == [UInt8](hex: form.data))
        #expect(command.expectedLength == form.expectedLength)
        #expect(command.isExtended == form.isExtended)
        if form.isCanonical { #expect(command.encoded == bytes) }
    }

    static let contradictions = [
        "", "80", "801000", "80100000 0000", "80100000 0005", "80100000 02AA", "80100000 02AABB0000",
        "80100000 000002AA", "80100000 000002AABB00", "80100000 000002AABB000000", "80100000 00000000",
    ]

    @Test(arguments: contradictions)
    func lengthsThatContradictEachOtherAreRefused(bytes: String) {
        #expect(throws: StatusWord.wrongLength) { try CommandAPDU(parsing: [UInt8](hex: bytes)) }
    }

    @Test(arguments: [(255, 256, false), (256, 256, true), (1, 257, true), (65535, 65536, true)])
    func aCommandTooLongForShortLengthsIsExtended(length: Int, expected: Int, isExtended: Bool) throws {
        let data = [UInt8](repeating: 7, count: length)
        let command = CommandAPDU(class: 0, instruction: 1, data: data, expectedLength: expected)
        #expect(command.isExtended == isExtended)
        #expect(try CommandAPDU(parsing: command.encoded) == command)
    }

    @Test func aResponseEndsWithItsStatusWord() {
        #expect(ResponseAPDU(parsing: [0x90]) == nil)
        #expect(ResponseAPDU(parsing: [0x6A, 0x82]) == ResponseAPDU([], .notFound))
        #expect(ResponseAPDU(parsing: [1, 2, 0x61, 0x10]) == ResponseAPDU([1, 2], .moreData(0x10)))
        #expect(ResponseAPDU([1, 2]).encoded == [1, 2, 0x90, 0x00])
    }

    @Test func moreDataSaysHowMuch() {
        #expect(StatusWord.moreData(0x10).moreDataCount == 16)
        #expect(StatusWord.moreData(0).moreDataCount == 256)
        #expect(StatusWord.noError.moreDataCount == nil)
    }
}
