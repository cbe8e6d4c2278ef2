import CBOR
import CTAPHybrid
import TestSupport
import Testing

/// CTAP 2.3 §11.5.1: the contents of QR codes.
@Suite("Contents of QR codes")
struct QRContentsTests {
    /// A code that Chrome made, and one of Safari on iOS.
    private static let chrome = """
        FIDO:/16287079186563238255270423143832790015230254034809724385403996665536646979495447619915801411317923277952016\
        3209900691930075274801398564434658077048963842109321447142660
        """
    private static let safari = """
        FIDO:/08996213287813286289887531950981865595123394706016602693494165220385384493059722518406623781161489318130034\
        4014421205790072080843938838513707157859599106109321447142404
        """

    private static func contents(_ change: (inout QRContents) -> Void = { _ in }) throws -> QRContents {
        let key = try Sample.key(1)
        var contents = try QRContents(publicKey: key.publicKey, secret: Sample.bytes(16), timestamp: 1_700_000_000)
        change(&contents)
        return contents
    }

    @Test(arguments: [chrome, safari, chrome.lowercased()])
    func codesOfBrowsersAreReadAndWritten(text: String) throws {
        let contents = try QRContents(text: text)
        #expect(contents.text == text.uppercased())
        #expect(contents.knownDomains == 2)
        #expect(contents.supportsStateAssisted == (text != Self.safari))
        #expect(contents.keySix == nil)
    }

    @Test(arguments: [chrome, safari])
    func bothCodesAnnounceARegistration(text: String) throws {
        #expect(try QRContents(text: text).operation == .makeCredential)
    }

    @Test(arguments: [
        ("http://example.com", QRError.notAFIDOCode), ("fido:/", .empty), ("FIDO:/", .empty), ("", .notAFIDOCode),
        ("FIDO:", .notAFIDOCode), ("FIDO://", .notADigit(position: 0)), ("FIDO:/0", .impossibleLength(1)),
        ("FIDO:/999", .outOfRange(position: 0)), ("FIDO:/000", .notAMap(.unsignedInteger)),
        ("FIDO:\u{F}000", .notAFIDOCode),
    ])
    func otherTextsAreRefused(text: String, error: QRError) {
        #expect(throws: error) { try QRContents(text: text) }
    }

    @Test func everyMemberIsReadBack() throws {
        let channels = [.channels([.webSocket, .bluetooth]), .channels([])] as [QRKeySix?]
        for keySix in channels + [nil, .supportsNonDiscoverable(true)] {
            for operation in [nil, .makeCredential, .getAssertion, QROperation(rawValue: "xy")] as [QROperation?] {
                for flag in [nil, true, false] as [Bool?] {
                    let contents = try Self.contents {
                        $0.keySix = keySix
                        $0.operation = operation
                        $0.supportsStateAssisted = flag
                    }
                    #expect(try QRContents(text: contents.text) == contents)
                }
            }
        }
    }

    @Test func olderCodesHaveTwoMembers() throws {
        let contents = try Self.contents {
            $0.knownDomains = nil
            $0.timestamp = nil
            $0.supportsStateAssisted = nil
            $0.operation = nil
        }
        #expect(contents.encoded.first == 0xA2)
        #expect(try QRContents(encoded: contents.encoded) == contents)
    }

    private static let replacements: [(key: Int, value: CBOR.Value?, error: QRError)] = [
        (0, nil, .missing(.publicKey)), (0, "key", .wrongType(.publicKey, found: .textString)),
        (0, .bytes([UInt8](repeating: 4, count: 65)), .uncompressedKey),
        (0, .bytes([2]), .keyLength(1)), (0, .bytes([UInt8](repeating: 2, count: 34)), .keyLength(34)),
        (0, .bytes([2] + [UInt8](repeating: 255, count: 32)), .pointNotOnCurve),
        (0, .bytes([5] + [UInt8](repeating: 1, count: 32)), .pointNotOnCurve),
        (1, nil, .missing(.secret)), (1, 1, .wrongType(.secret, found: .unsignedInteger)),
        (1, .bytes([]), .secretLength(0)), (1, .bytes([UInt8](repeating: 1, count: 17)), .secretLength(17)),
        (2, -1, .wrongType(.knownDomains, found: .negativeInteger)), (2, 65536, .numberTooLarge(.knownDomains)),
        (3, "now", .wrongType(.timestamp, found: .textString)), (3, .unsigned(.max), .numberTooLarge(.timestamp)),
        (4, 1, .wrongType(.stateAssisted, found: .unsignedInteger)),
        (4, .null, .wrongType(.stateAssisted, found: .null)),
        (5, false, .wrongType(.operation, found: .boolean)), (6, 0, .wrongType(.channels, found: .unsignedInteger)),
        (6, [0, "1"], .channelNotANumber(.textString)),
    ]

    @Test(arguments: replacements.indices)
    func wrongMembersAreRefused(row: Int) throws {
        let (key, value, error) = Self.replacements[row]
        guard case .map(var map) = try CBOR.decode(Self.contents().encoded) else {
            Issue.record("the contents are not a map")
            return
        }
        map[.integer(key)] = value
        #expect(throws: error) { try QRContents(encoded: CBOR.encode(.map(map))) }
    }

    @Test func onlyCanonicalContentsAreRead() throws {
        let good = try Self.contents().encoded
        #expect(throws: QRError.trailingBytes(good.count)) { try QRContents(encoded: good + [0]) }
        #expect(throws: QRError.malformed(CBOR.DecodingError(rule: .truncated, offset: 0))) {
            try QRContents(encoded: [])
        }
        // Key 0 as 18 00, which is not its shortest form.
        let long = [good[0], 0x18] + good.dropFirst()
        #expect(throws: QRError.malformed(CBOR.DecodingError(rule: .nonMinimalInteger, offset: 1))) {
            try QRContents(encoded: long)
        }
    }

    @Test func unknownMembersAreIgnored() throws {
        guard case .map(var map) = try CBOR.decode(Self.contents().encoded) else {
            Issue.record("the contents are not a map")
            return
        }
        map[.integer(999)] = "later"
        #expect(try QRContents(encoded: CBOR.encode(.map(map))) == Self.contents())
    }

    @Test(arguments: [
        ("ga", QROperation.getAssertion), ("mc", .makeCredential), ("dcp", .digitalCredentialPresentation),
        ("MC", .getAssertion), ("", .getAssertion),
    ])
    func unknownRequestsCountAsGetAssertion(text: String, effective: QROperation) {
        #expect(QROperation(rawValue: text).effective == effective)
    }

    @Test func aCodeWithoutAHintAnnouncesGetAssertion() throws {
        #expect(try Self.contents { $0.operation = nil }.effectiveOperation == .getAssertion)
        #expect(try Self.contents { $0.operation = .makeCredential }.effectiveOperation == .makeCredential)
    }

    @Test func theAgeDecidesWhetherACodeIsAccepted() throws {
        let contents = try Self.contents()
        let made = Duration.seconds(1_700_000_000)
        #expect(contents.age(at: made + .seconds(90)) == .seconds(90))
        try contents.checkAge(at: made + .seconds(90), limit: .seconds(90))
        try contents.checkAge(at: made - .seconds(60), limit: .seconds(90))
        #expect(throws: QRError.expired(age: .seconds(91), limit: .seconds(90))) {
            try contents.checkAge(at: made + .seconds(91), limit: .seconds(90))
        }
        #expect(throws: QRError.fromTheFuture(.seconds(61))) {
            try contents.checkAge(at: made - .seconds(61), limit: .seconds(90))
        }
        let timeless = try Self.contents { $0.timestamp = nil }
        #expect(timeless.age(at: made) == nil)
        try timeless.checkAge(at: made, limit: .zero)
    }

    @Test func errorsSayWhatIsWrongAndWhatToDo() {
        #expect(
            QRError.uncompressedKey.description
                == "The public key (key 0) is uncompressed, with 65 bytes. Show a compressed X9.62 point of 33 bytes.")
        #expect(
            QRError.expired(age: .seconds(300), limit: .seconds(120)).description
                == "The code is 300 s old, and the limit is 120 s. Start the ceremony again, and scan the new code.")
        #expect(
            QRError.wrongType(.channels, found: .textString).description
                == "The list of channels (key 6) is a text string, not an array or a boolean. "
                + "Report the code to the maker of the program that shows it.")
    }
}
