import Biometrics
import CTAP
import CTAPHID
import Causes
import ErrorSearch
import PlatformErrors
import TestSupport
import Testing
import VirtualAuthenticator

@Suite("Platform errors of CTAP")
struct CTAPPlatformErrorsTests {
    /// CTAP 2.3 §6.5.5.7 for the token, §6.1.2 step 11 and §6.2.2 step 11 for the option.
    @Test(
        arguments: [
            ("lockedOut.timed", 0x3C, 0x32), ("lockedOut.permanent", 0x3C, 0x32), ("attemptsExhausted", 0x3F, 0x27),
            ("userCancelled", 0x27, 0x27), ("timedOut", 0x2F, 0x2F), ("notEnrolled", 0x30, 0x2C),
            ("appCancelled", 0x2D, 0x2D),
        ])
    func tokenAndOptionHaveSeparateStatuses(cause: String, token: Int, option: Int) {
        func code(_ operation: PlatformOperation) -> [Int?] {
            PlatformErrorVocabulary(platform: .securityKey).errors(of: Cause(cause), during: operation)
                .filter { $0.interface == "ctap" }.map(\.code)
        }
        #expect(code(.token) == [token])
        #expect(code(.option) == [option])
    }

    @Test(
        arguments: [
            ("pinMismatch", CTAPStatus.pinInvalid), ("pinBlockedUntilPowerCycle", .pinAuthBlocked),
            ("pinBlocked", .pinBlocked),
            ("pinPolicyViolation", .pinPolicyViolation), ("pinUnchanged", .pinPolicyViolation),
            ("permissionsNotAllowed", .invalidParameter), ("storeFull", .fingerprintDatabaseFull),
            ("pinUvAuthParamInvalid", .pinAuthInvalid), ("credentialExcluded", .credentialExcluded),
            ("noCredentials", .noCredentials), ("keyStoreFull", .keyStoreFull),
            ("noSupportedAlgorithm", .unsupportedAlgorithm), ("success", .ok),
        ])
    func everyRowOfThePINMachineHasItsStatus(cause: String, status: CTAPStatus) throws {
        let errors = PlatformErrorVocabulary(platform: .securityKey).errors(of: Cause(cause)).filter {
            $0.interface == "ctap"
        }
        #expect(errors.map(\.code) == [Int(status.rawValue)])
        let name = try #require(status.name)
        #expect(errors.map(\.name) == [name])
    }

    /// The status depends on the subcommand that asks for the token (CTAP 2.3 §6.5.5.7.1, §6.5.5.7.2).
    @Test func aPINThatMustChangeHasOneStatusForEachSubcommand() {
        let errors = PlatformErrorVocabulary(platform: .securityKey).errors(of: .pinMustChange).filter {
            $0.interface == "ctap"
        }
        let statuses = [CTAPStatus.pinInvalid, .pinPolicyViolation]
        #expect(errors.map(\.code) == statuses.map { Int($0.rawValue) })
        #expect(errors.map(\.name) == statuses.map(\.name))
    }

    @Test func tableNamesStatusesAsTheLibrary() throws {
        for (name, number) in try Errors.codes("ctap") {
            let status = CTAPStatus(rawValue: UInt8(try #require(number)))
            #expect(status.name == name)
        }
    }

    /// Other numbers are ranges, or removed or reserved.
    @Test func everyAssignedStatusCanBeLookedUp() throws {
        for status in CTAPStatus.all {
            let first = Lookup.first("CTAP \(status.rawValue)")
            #expect(first.contains(try #require(status.name)), "\(first)")
        }
    }

    @Test(
        "A status outside the table of CTAP 2.3 has its range or its older name",
        arguments: [
            ("CTAP 0x10", "requestMalformed CTAP 0x10 CBOR_PARSING"),
            ("CTAP2_ERR_INVALID_CBOR_TYPE", "unexpectedType CTAP 0x13 INVALID_CBOR_TYPE"),
            ("CTAP 0x20", "noSuchCredential CTAP 0x20 CREDENTIAL_NOT_VALID"),
            ("CTAP 0xE3", "unsupported CTAP 0xE0–0xEF an extension's own status"),
            ("CTAP2_ERR_VENDOR_FIRST", "vendorError CTAP 0xF0–0xFF a vendor's own status"),
            ("CTAP 0xDF", "statusUnassigned CTAP 0xDF SPEC_LAST"), ("CTAP2_OK", "success CTAP 0x00 OK"),
            ("CTAP1_ERR_OTHER", "errorUnspecified CTAP 0x7F OTHER"), ("0x7F", "errorUnspecified CTAP 0x7F OTHER"),
            ("7F", "errorUnspecified CTAP 0x7F OTHER"), ("3c", "lockedOut.timed CTAP 0x3C UV_BLOCKED"),
            ("CTAP error 2e", "noCredentials CTAP 0x2E NO_CREDENTIALS"),
            ("kCtap2ErrProcesssing", "stillProcessing CTAP 0x21 PROCESSING"),
            ("PinError(InvalidPin(Some(5)))", "pinMismatch CTAP 0x31 PIN_INVALID"),
        ])
    func ranges(text: String, first: String) { #expect(Lookup.first(text) == first) }

    @Test func theErrorsOfCTAPHIDAreThoseOfTheTransport() throws {
        let codes = try #require(PlatformErrorTable.lookup.interface("ctaphid")).codes
        for code in codes {
            let number = UInt8(try #require(code.number))
            #expect(CTAPHIDErrorCode(rawValue: number).description == code.name)
            #expect(Lookup.first(code.name).contains("CTAPHID") || code.name == "ERR_OTHER")
            #expect(Lookup.first("CTAPHID error \(number)").contains("CTAPHID 0x"))
        }
        #expect(codes.count == 9)
    }

    @Test(
        "A status word is read in every notation",
        arguments: [
            ("SW 6A80", "noCredentials status word 0x6A80 WRONG_DATA"),
            ("6A80", "noCredentials status word 0x6A80 WRONG_DATA"),
            ("0x6a80", "noCredentials status word 0x6A80 WRONG_DATA"),
            ("6A 80", "noCredentials status word 0x6A80 WRONG_DATA"),
            ("sw1=0x6A sw2=0x80", "noCredentials status word 0x6A80 WRONG_DATA"),
            ("SW1: 6A, SW2: 80", "noCredentials status word 0x6A80 WRONG_DATA"),
            ("SW1SW2: 6A80", "noCredentials status word 0x6A80 WRONG_DATA"),
            ("SW: 69 85", "touchMissing status word 0x6985 CONDITIONS_NOT_SATISFIED"),
            ("6985", "touchMissing status word 0x6985 CONDITIONS_NOT_SATISFIED"),
            ("SW=6982", "cardVerificationMissing status word 0x6982 SECURITY_STATUS_NOT_SATISFIED"),
            ("status word 6983", "pinBlocked status word 0x6983 AUTHENTICATION_METHOD_BLOCKED"),
            ("SW_FILE_NOT_FOUND", "cardItemMissing status word 0x6A82 NOT_FOUND"),
            ("APDU error: 0x6A82", "cardItemMissing status word 0x6A82 NOT_FOUND"),
            ("0x6700", "empty status word 0x6700 WRONG_LENGTH"),
            ("6D00", "cardCommandUnknown status word 0x6D00 INS_NOT_SUPPORTED"),
            ("0x63C2", "pinMismatch status word 0x63C0–0x63CF WRONG_TRIES_LEFT"),
            ("61FF", "answerContinues status word 0x6100–0x61FF MORE_DATA"),
            ("SW=6C10", "empty status word 0x6C00–0x6CFF CORRECT_LENGTH_IN_LAST_BYTE"),
            ("90 00", "commandSucceeded status word 0x9000 NO_ERROR"),
            ("9100", "stillProcessing status word 0x9100 STATUS_UPDATE"),
            ("0x6F00", "errorUnspecified status word 0x6F00–0x6FFF NO_PRECISE_DIAGNOSIS"),
        ])
    func statusWords(text: String, first: String) { #expect(Lookup.first(text) == first) }

    /// The names that the authenticator and the decoder give.
    @Test(arguments: [
        StatusWord.noError, .statusUpdate, .wrongLength, .lastCommandExpected, .commandChainingNotSupported,
        .conditionsNotSatisfied, .commandNotAllowed, .wrongData, .notFound, .incorrectParameters, .insNotSupported,
        .claNotSupported,
    ])
    func statusWordsHaveTheNamesOfTheLibrary(word: StatusWord) {
        #expect(Lookup.first("SW \(String(word.rawValue, radix: 16))").contains("\(word)".prefix { $0 != " " }))
    }

    @Test(
        "A negative code of libfido2 is the library's own",
        arguments: [
            ("libfido2 -7", "libraryCallInvalid libfido2 -7 INVALID_ARGUMENT"),
            ("FIDO_ERR_INVALID_PARAM", "libraryCheckFailed libfido2 -5 INVALID_PARAM"),
            ("FIDO_ERR_RX_NOT_CBOR", "answerUnreadable libfido2 -3 RX_NOT_CBOR"),
            ("fido_err: -4", "answerUnreadable libfido2 -4 RX_INVALID_CBOR"),
            ("FIDO_ERR_NOTFOUND", "libraryFoundNothing libfido2 -10 NOTFOUND"),
            ("FIDO_ERR_COMPRESS", "libraryFailed libfido2 -11 COMPRESS"),
        ])
    func library(text: String, first: String) throws {
        #expect(Lookup.first(text) == first)
        let finding = try #require(PlatformErrorSearch.shared.find(text).findings.first)
        #expect(finding.outcome.meaning.contains("libfido2 itself"))
    }

    /// lastEnrollSampleStatus, a field of an answer that is OK.
    @Test(
        arguments: [
            ("good", 0x00), ("tooHigh", 0x01), ("tooLow", 0x02), ("tooLeft", 0x03), ("tooRight", 0x04),
            ("tooFast", 0x05),
            ("tooSlow", 0x06), ("insufficient", 0x07), ("skewed", 0x08), ("partial", 0x09), ("notMerged", 0x0A),
            ("alreadyEnrolled", 0x0B), ("databaseFull", 0x0C), ("notDetected", 0x0D), ("notLifted", 0x0E),
        ])
    func enrolmentSampleHasAStatus(hint: String, status: Int) {
        let errors = PlatformErrorVocabulary(platform: .securityKey).errors(ofHint: hint, modality: .fingerprint)
        #expect(errors.map(\.code) == [status])
    }

    /// The virtual authenticator answers with the table's status, for token and option.
    @Test(
        arguments: [
            ("attemptsExhausted", [GateAct.nonMatch]), ("userCancelled", [.cancelByUser]),
            ("systemCancelled", [.cancelBySystem]), ("timedOut", [.noAnswer]),
        ] as [(String, [GateAct])])
    func authenticatorAnswersWithTheTablesStatus(cause: String, acts: [GateAct]) async throws {
        let table = PlatformErrorVocabulary(platform: .securityKey)
        for operation in [PlatformOperation.token, .option] {
            let key = try Device("security-key-bio")
            try await key.register()
            key.person.willDo(acts)
            let outcome = try await operation == .token ? key.token() : key.signIn()
            #expect(outcome.cause == Cause(cause))
            let error = try #require(table.errors(of: Cause(cause), during: operation).first { $0.interface == "ctap" })
            #expect(error.code == Int(outcome.status.rawValue), "\(operation)")
        }
    }

    @Test func lockedSensorAnswersWithTheTablesStatus() async throws {
        let key = try Device("security-key-bio")
        try await key.register()
        for _ in 1...3 {
            key.person.willDo([.nonMatch])
            _ = try await key.token()
        }
        let token = try await key.token()
        let option = try await key.signIn()
        #expect([token.cause, option.cause] == ["lockedOut.permanent", "lockedOut.permanent"])
        #expect([token.status, option.status] == [.uvBlocked, .pinBlocked])
    }
}
