import CTAP
import Conformance
import Testing

/// Positive controls: a refusal is judged only where the valid request beside it is accepted.
struct ControlTests {
    /// A device that refuses valid requests, the finding, and the cases that say nothing about it.
    struct Row: Sendable, CustomTestStringConvertible {
        let fault: String
        let finding: String
        let silent: [String]
        /// The beginning of the silent cases' reason.
        let reason: String

        var testDescription: String { fault }
    }

    static let rows = [
        Row(
            fault: "refused:OTHER on MakeCredential", finding: "makeCredential.plain",
            silent: [
                "makeCredential.type.rp", "makeCredential.missing.clientDataHash", "makeCredential.form.rp",
                "makeCredential.data.form", "makeCredential.user.id.longest",
            ],
            reason: "the valid request MakeCredential is refused, too, with CTAP1_ERR_OTHER (0x7F)"),
        Row(
            fault: "refused:OTHER on MakeCredential", finding: "makeCredential.plain",
            silent: ["getAssertion.plain", "getAssertion.type.rpId"],
            reason: "the credential of the case could not be had: expected CTAP2_OK (0x00) for a valid MakeCredential"),
        Row(
            fault: "refused:OTHER on GetAssertion", finding: "getAssertion.plain",
            silent: ["getAssertion.type.rpId", "getAssertion.missing.clientDataHash", "getAssertion.form.allowList"],
            reason: "the valid request GetAssertion is refused, too"),
        Row(
            fault: "refused:OTHER on ClientPIN", finding: "clientPIN.protocol1.keyAgreement.usable",
            silent: ["clientPIN.protocol1.getPinToken.missing", "clientPIN.protocol1.tokenUsingPin.permission.cm"],
            reason: "a PIN of 6 characters could not be set"),
    ]

    @Test("Where a device refuses the valid request, that is the finding, and no refusal is judged", arguments: rows)
    func validRequestIsTheFinding(row: Row) async throws {
        let results = try await Authenticator.results(
            "yubikey-5-nfc-5.7", faults: [row.fault], identifiers: [row.finding] + row.silent)
        #expect(results[row.finding]?.verdict == .failed)
        let others = results.values.filter { $0.id != row.finding }
        #expect(others.count >= row.silent.count)
        for result in others {
            #expect(result.verdict == .notRun, "\(result.words)")
            #expect(result.isBlocked == true, "\(result.words)")
            #expect(result.reason?.hasPrefix(row.reason) == true, "\(result.words) \(result.reason ?? "")")
        }
    }

    @Test("A device that accepts the valid request is judged by the status of its refusals")
    func refusalIsJudged() async throws {
        let results = try await Authenticator.results(
            "yubikey-5-nfc-5.7", faults: ["status-swapped:MISSING_PARAMETER=OTHER"],
            identifiers: ["makeCredential.missing", "getAssertion.missing", "makeCredential.plain"])
        #expect(results["makeCredential.plain"]?.verdict == .passed)
        for result in results.values where result.id != "makeCredential.plain" {
            #expect(result.verdict == .failed, "\(result.words)")
        }
    }
}
