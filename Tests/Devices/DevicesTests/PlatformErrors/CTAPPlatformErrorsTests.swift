import Biometrics
import CTAP
import Causes
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
