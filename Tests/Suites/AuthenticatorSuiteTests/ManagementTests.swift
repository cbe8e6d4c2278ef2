import AuthenticatorSuite
import Conformance
import Foundation
import TestSupport
import Testing

/// The cases of PIN, user verification, management, extensions and state.
struct ManagementTests {
    /// The groups that these cases are in.
    private static let groups = [
        "clientPIN", "uv", "reset", "credentialManagement", "config", "bioEnrollment", "largeBlobs", "hmacSecret",
        "credProtect", "credBlob", "largeBlobKey", "minPinLength", "pinComplexityPolicy", "thirdPartyPayment", "uvm",
        "extensions", "keepalive", "cancel", "state",
    ]

    @Test(arguments: Ring.sample(["security-key-bio", "yubikey-bio-5.7"], 1))
    func noCaseFailsOnAFingerprintKey(profile: String) async throws {
        let results = try await Authenticator.results(profile, identifiers: Self.groups)
        #expect(results.values.filter { $0.verdict == .failed }.map(\.words).sorted() == [])
        #expect(results["uv.option.registration"]?.verdict == .passed)
    }

    @Test func everyCaseIsPerformedOnTheCompleteKey() async throws {
        let results = try await Authenticator.results("security-key-complete", identifiers: Self.groups)
        #expect(results.values.filter { $0.verdict == .failed || $0.verdict == .warning }.map(\.words).sorted() == [])
        #expect(results.values.filter { $0.verdict == .notRun }.map(\.id).sorted() == [])
        #expect(results.values.filter { $0.verdict == .passed }.count >= 280)
    }

    /// A fault, and a case that must fail for it.
    struct Deviation: CustomTestStringConvertible, Sendable {
        let fault: String
        let caseID: String
        let section: String

        init(_ fault: String, _ caseID: String, _ section: String) {
            (self.fault, self.caseID, self.section) = (fault, caseID, section)
        }

        var testDescription: String { fault }
    }

    private static let deviations = [
        Deviation(
            "status-swapped:PIN_INVALID=PIN_AUTH_INVALID on ClientPIN", "clientPIN.protocol2.getPinToken.wrongPIN",
            "6.5.5.7.1"),
        Deviation(
            "status-swapped:PIN_AUTH_BLOCKED=PIN_BLOCKED on ClientPIN", "clientPIN.retries.threeInARow", "6.5.5.7.1"),
        Deviation(
            "status-swapped:PIN_POLICY_VIOLATION=INVALID_PARAMETER on ClientPIN",
            "clientPIN.protocol1.setPIN.pin.tooShort", "6.5.5.5"),
        Deviation("member-missing on ClientPIN where 0x02=1", "clientPIN.retries.range", "6.5.5.2"),
        Deviation(
            "status-swapped:PIN_AUTH_INVALID=PIN_INVALID on GetAssertion", "clientPIN.token.getAssertionNeedsGA",
            "6.2.2"),
        Deviation("uv-clear", "clientPIN.token.userVerified", "6.1.2"),
        Deviation("status-swapped:UV_INVALID=OPERATION_DENIED on ClientPIN", "uv.token.wrongFinger", "6.5.5.7.3"),
        Deviation("status-swapped:UV_BLOCKED=PIN_BLOCKED on ClientPIN", "uv.token.blocked", "6.5.5.7.3"),
        Deviation(
            "status-swapped:PUAT_REQUIRED=OPERATION_DENIED on MakeCredential", "uv.notRequired.discoverable", "6.1.2"),
        Deviation(
            "status-swapped:NO_CREDENTIALS=NOT_ALLOWED on CredentialManagement",
            "credentialManagement.delete.unknown", "6.8.5"),
        Deviation("refused:OK on CredentialManagement where 0x01=7", "credentialManagement.update.name", "6.8.6"),
        Deviation("refused:OK on Reset", "reset.touch", "6.6"),
        Deviation("refused:OK on Config", "config.setMinPINLength.raised", "6.11.4"),
        Deviation("member-missing on BioEnrollment where 0x02=7", "bioEnrollment.sensorInfo", "6.7.3"),
        Deviation("response-empty on LargeBlobs", "cbor.largeBlobs.response", "8"),
        Deviation(
            "status-swapped:INTEGRITY_FAILURE=OK on LargeBlobs", "largeBlobs.set.wrongChecksum", "6.10.2"),
        Deviation("extension-unsolicited", "extensions.unknown.registration", "6.1.2"),
        Deviation(
            "status-swapped:INVALID_PARAMETER=UNSUPPORTED_OPTION on MakeCredential", "credProtect.unknownLevel.4",
            "12.1"),
        Deviation(
            "status-swapped:USER_ACTION_TIMEOUT=OPERATION_DENIED on Selection", "keepalive.selection.timeout", "6.9"),
        Deviation("status-swapped:KEEPALIVE_CANCEL=OPERATION_DENIED", "cancel.selection.status", "11.2.9.1.5"),
        Deviation(
            "status-swapped:NOT_ALLOWED=NO_OPERATIONS on GetNextAssertion", "state.getNextAssertion.notBegun", "6.3"),
    ]

    @Test(arguments: deviations)
    func aCaseOfTheClauseCatches(deviation: Deviation) async throws {
        let results = try await Authenticator.results(
            "security-key-complete", faults: [deviation.fault], identifiers: [deviation.caseID])
        let result = try #require(results[deviation.caseID])
        #expect(result.verdict == .failed, "\(result.words)")
        let description = try #require(
            AuthenticatorSuite.all.cases.map(\.description).first { $0.id == deviation.caseID })
        #expect(description.clause.section == deviation.section)
    }

    @Test("A registration without verification is denied where the PIN makes no credentials", arguments: [true, false])
    func aPINThatMakesNoCredentials(isDenied: Bool) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "key.yaml")
        try """
        name: key
        extends: security-key-complete
        title: A key whose PIN makes no credentials
        authenticator: { make-credential-without-uv: false, always-uv: ~, no-pin-for-credentials: true }
        """.write(to: file, atomically: true, encoding: .utf8)
        let id = "makeCredential.withoutToken.builtIn"
        let results = try await Authenticator.results(
            file.path, faults: isDenied ? [] : ["status-swapped:OPERATION_DENIED=PUAT_REQUIRED on MakeCredential"],
            identifiers: [id])
        #expect(results[id]?.verdict == (isDenied ? .passed : .failed), "\(results[id]?.words ?? "")")
    }
}
