import Foundation
import RelyingParty
import Testing
import WebAuthn

@Suite("Decoding of responses")
struct ResponseDecodingTests {
    @Test func responsesInJSONAreVerified() async throws {
        let registration = try RegistrationSample(Vector.named("packed-es256"))
        let registrationJSON = Array(try JSONEncoder().encode(registration.response()))
        let registered = await RegistrationVerifier().verify(
            json: registrationJSON, expectation: registration.expectation)
        #expect(registered.ledger.isAccepted)

        let authentication = try AuthenticationSample(Vector.named("packed-es256"))
        let authenticationJSON = Array(try JSONEncoder().encode(authentication.response()))
        let authenticated = AuthenticationVerifier().verify(
            json: authenticationJSON, expectation: authentication.expectation
        ) { _ in authentication.record }
        #expect(authenticated.ledger.isAccepted)
    }

    @Test func aResponseOfTheOtherCeremonyHasItsOwnError() async throws {
        let registration = try RegistrationSample(Vector.named("none-es256"))
        let authentication = try AuthenticationSample(Vector.named("none-es256"))
        let registered = await RegistrationVerifier().verify(
            json: Array(try JSONEncoder().encode(authentication.response())), expectation: registration.expectation)
        #expect(registered.ledger.failures.map(\.step) == [.registrationResponse])
        #expect(registered.ledger[.registrationResponse]?.reasons.map(\.label) == [.responseWrongCeremony])

        let authenticated = AuthenticationVerifier().verify(
            json: Array(try JSONEncoder().encode(registration.response())), expectation: authentication.expectation
        ) { _ in authentication.record }
        #expect(authenticated.ledger.failures.map(\.step) == [.allowedCredential])
        #expect(authenticated.ledger[.allowedCredential]?.reasons.map(\.label) == [.responseWrongCeremony])
    }

    @Test(
        "JSON of another form than a response fails the first step only",
        arguments: [
            ("", ""), ("{}", ""), ("[]", ""), ("null", ""), ("\"clientDataJSON\":\"", "\"clientDataJSON\":\"="),
            ("\"rawId\":\"", "\"rawId\":\"+"), ("\"type\":", "\"Type\":"), ("\"response\":{", "\"response\":[{"),
        ])
    func brokenJSON(_ find: String, _ replacement: String) async throws {
        let sample = try RegistrationSample(Vector.named("none-es256"))
        let good = String(decoding: try JSONEncoder().encode(sample.response()), as: UTF8.self)
        let json = replacement.isEmpty ? find : good.replacing(find, with: replacement)
        #expect(json != good)
        let verdict = await RegistrationVerifier().verify(json: Array(json.utf8), expectation: sample.expectation)
        #expect(verdict.ledger.failures.map(\.step) == [.registrationResponse])
        #expect(verdict.ledger[.registrationResponse]?.reasons.map(\.label) == [.responseMalformed])
        #expect(verdict.ledger.entries.dropFirst().allSatisfy { $0.outcome == .notReached })
        #expect(verdict.credential == nil)
    }
}
