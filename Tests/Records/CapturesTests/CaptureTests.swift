import Attestation
import COSE
import Captures
import DeviceProfiles
import Documents
import Foundation
import ProfileFiles
import RelyingParty
import SimulatedDevice
import TestSupport
import Testing
import Trace
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// Responses of simulated devices, captured as a browser gives them.
struct CaptureTests {
    static let origin = "https://login.example.org"
    static let challenge = [UInt8](repeating: 7, count: 32)
    static let handle: [UInt8] = [1, 2, 3]
    /// A day in 2026.
    static let now = Duration.seconds(1_767_225_600)

    static var creation: CreationOptions {
        CreationOptions(
            rp: RelyingPartyEntity(id: "example.org", name: "Example"),
            user: UserEntity(id: handle, name: "ada", displayName: "Ada"), challenge: challenge,
            pubKeyCredParams: [CredentialParameters(alg: -7)],
            authenticatorSelection: AuthenticatorSelection(residentKey: .required), attestation: .direct)
    }

    static var request: RequestOptions { RequestOptions(challenge: challenge, rpId: "example.org") }

    /// A registration and an assertion of one device.
    static func responses(of profile: String) async throws -> (RegistrationResponse, AuthenticationResponse) {
        let random = SeededRandomSource(seed: 1)
        let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
        let device = try SimulatedDevice(
            profile: try profiles.profile(profile), time: SimulatedClock(), random: random, user: ConsentingUser(),
            log: EventLog { _ in })
        let client = device.client(over: device.ctap, pins: PINScript(), random: random)
        let origin = try Origin(parsing: origin)
        let registration = try await client.create(creation, origin: origin)
        return (registration, try await client.get(request, origin: origin))
    }

    private func file(_ members: [String: JSONValue]) throws -> [UInt8] { try JSONValue.object(members).bytes() }

    private func registrationFile(_ profile: String = "pixel-fingerprint") async throws -> [String: JSONValue] {
        let (registration, _) = try await Self.responses(of: profile)
        return [
            "response": try JSONValue(encoding: registration), "options": try JSONValue(encoding: Self.creation),
            "origin": .text(Self.origin),
        ]
    }

    @Test(
        "A registration and the assertion after it are accepted", arguments: ["pixel-fingerprint", "security-key-bio"])
    func bothAreAccepted(profile: String) async throws {
        let (registration, assertion) = try await Self.responses(of: profile)
        let first = try await Capture(
            parsing: file([
                "response": try JSONValue(encoding: registration), "options": try JSONValue(encoding: Self.creation),
                "origin": .text(Self.origin),
            ]), CaptureSettings(now: CaptureTests.now)
        ).verify()
        #expect(first.accepted)
        #expect(first.relyingPartyID == "example.org")
        #expect(first.authenticator.first { $0.name == "authData" }?.first("signCount") != nil)

        var settings = CaptureSettings(now: CaptureTests.now)
        settings.record = try CapturedRecord(parsing: try JSONValue(encoding: first).bytes())
        let second = try await Capture(
            parsing: file([
                "response": try JSONValue(encoding: assertion), "options": try JSONValue(encoding: Self.request),
                "origin": .text(Self.origin),
            ]), settings
        ).verify()
        #expect(second.accepted, "\(second.ledger.failures)")
        #expect(second.record != nil)
    }

    @Test func aBareResponseTakesWhatTheOptionsOfTheCommandSay() async throws {
        let (registration, _) = try await Self.responses(of: "iphone-face-id")
        var settings = CaptureSettings(now: CaptureTests.now)
        (settings.challenge, settings.origins) = (Base64URL.encode(Self.challenge), [Self.origin])
        settings.relyingPartyID = "example.org"
        let bytes = try JSONValue(encoding: registration).bytes()
        #expect(try await Capture(parsing: bytes, settings).verify().accepted)

        settings.challenge = "AQ"
        let refused = try await Capture(parsing: bytes, settings).verify()
        #expect(!refused.accepted)
        #expect(refused.ledger.failures.map(\.step) == [.challenge])
        #expect(refused.record == nil)
    }

    @Test(
        "A change of the expectation fails its step",
        arguments: [
            ("origin", JSONValue.text("https://evil.example"), "r5"),
            ("rpId", .text("login.example.org"), "r9"),
            ("challenge", .text("AAAA"), "r4"),
        ])
    func aChangeFailsItsStep(member: String, value: JSONValue, step: String) async throws {
        var members = try await registrationFile()
        members[member] = value
        let report = try await Capture(parsing: file(members), CaptureSettings(now: CaptureTests.now)).verify()
        #expect(report.ledger.failures.map(\.step.rawValue) == [step])
    }

    @Test func anUntrustedRootFailsTheTrustStep() async throws {
        let members = try await registrationFile("yubikey-5-nfc-5.7")
        var settings = CaptureSettings(now: CaptureTests.now)
        settings.attestation = AttestationPolicy(
            acceptsNone: false, acceptsSelf: false, trustAnchors: TrustAnchors())
        let report = try await Capture(parsing: file(members), settings).verify()
        #expect(report.ledger.failures.map(\.step).contains(.attestationTrust))
        #expect(!report.certificates.isEmpty)
    }

    @Test func aStaleCounterFailsAnAssertion() async throws {
        let (registration, assertion) = try await Self.responses(of: "security-key-bio")
        let first = try await Capture(
            parsing: file([
                "response": try JSONValue(encoding: registration), "options": try JSONValue(encoding: Self.creation),
                "origin": .text(Self.origin),
            ]), CaptureSettings(now: CaptureTests.now)
        ).verify()
        var record = try #require(try JSONValue(encoding: first)["record"]?.object)
        record["signCount"] = 1000
        let second = try await Capture(
            parsing: file([
                "response": try JSONValue(encoding: assertion), "options": try JSONValue(encoding: Self.request),
                "origin": .text(Self.origin), "record": .object(record),
            ]), CaptureSettings(now: CaptureTests.now)
        ).verify()
        #expect(second.ledger.failures.map(\.step) == [.signatureCounter])
    }

    @Test(
        "A missing member is named",
        arguments: [
            ("origin", "--origin", ["r5"]), ("options", "--challenge", ["r4"]),
        ])
    func aMissingMemberIsNamed(member: String, words: String, steps: [String]) async throws {
        var members = try await registrationFile()
        members[member] = nil
        members["rpId"] = "example.org"
        let report = try await Capture(parsing: file(members), CaptureSettings(now: CaptureTests.now)).verify()
        #expect(report.result == .unverified && !report.accepted && report.record == nil)
        #expect(report.missing.count == 1 && report.missing.allSatisfy { $0.words.contains(words) })
        #expect(report.ledger.entries.filter { $0.outcome == .notReached }.map(\.step.rawValue) == steps + ["r20"])
        #expect(report.authenticator.first { $0.name == "authData" }?.first("flags") != nil)
    }

    @Test func aFileWithoutAResponseIsAnError() async throws {
        var members = try await registrationFile()
        members["response"] = nil
        let error = #expect(throws: CaptureError.self) {
            try Capture(parsing: file(members), CaptureSettings(now: CaptureTests.now))
        }
        #expect(error?.description.contains("no response") == true, "\(error as Any)")
    }

    @Test(
        "A file of another form is an error with a place",
        arguments: [
            ("nonsense", "not JSON"), ("[]", "no response"), ("{\"response\": {}}", "`response.id` is missing"),
            ("{\"response\": {\"id\": 3}}", "`response.id` is not a text"),
            ("{\"response\": {}, \"orign\": \"https://a.example\"}", "did you mean origin?"),
            (
                "{\"response\": {},\n \"origin\": \"a\"\n \"rpId\": \"b\"}",
                "line 3, column 2: a comma is missing before this"
            ),
            ("{\"response\": {\n  \"id\": 3}}", "`response.id` is not a text (line 2, column 9)"),
            (
                "{\"response\": {\"id\": \"<Buffer 49 96 0d e5 ... 42 more bytes>\"}}",
                "`response.id` is not whole, because the log cut"
            ),
            ("{\"response\": {\"id\": \"<Buffer 49 96 0d e5 … 42 more bytes>\"}}", "buffer.toString('base64url')"),
            ("{ response: { id: <Buffer 49 96 0d e5 ... 42 more bytes> } }", "bytes are cut off; print all of it with"),
        ])
    func aFileOfAnotherFormIsAnError(text: String, words: String) {
        let error = #expect(throws: CaptureError.self) {
            try Capture(parsing: Array(text.utf8), CaptureSettings(now: CaptureTests.now))
        }
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }

    @Test func anAssertionWithoutTheStoredCredentialIsDecoded() async throws {
        let (_, assertion) = try await Self.responses(of: "pixel-fingerprint")
        let known: [String: JSONValue] = [
            "response": try JSONValue(encoding: assertion), "options": try JSONValue(encoding: Self.request),
            "origin": .text(Self.origin),
        ]
        let report = try await Capture(parsing: file(known), CaptureSettings(now: Self.now)).verify()
        #expect(report.result == .unverified)
        #expect(report.missing.map(\.words).joined().contains("--record"))
        #expect(report.ledger[.assertionClientData] == .passed && report.ledger[.signature] == .notReached)
        #expect(report.authenticator.first { $0.name == "flags" }?.meaning?.contains("(UP)") == true)

        var lone = try #require(try JSONValue(encoding: assertion).object)
        var inner = try #require(lone["response"]?.object)
        inner["userHandle"] = JSONValue.null
        lone["response"] = .object(inner)
        lone["type"] = nil
        let decoded = try await Capture(parsing: file(lone), CaptureSettings(now: Self.now)).verify()
        #expect(decoded.missing == [.challenge, .origin, .relyingPartyID, .record])
        #expect(decoded.relyingPartyID == "example.org")
        #expect(decoded.ledger.failures.isEmpty, "\(decoded.ledger.failures)")
        #expect(decoded.notes.contains { $0.contains("no user handle, which is allowed") })
        #expect(decoded.notes.contains("`type` is missing; it is taken as public-key"))

        // A mistake is a refusal, whatever else is missing.
        inner["clientDataJSON"] = "e30"
        lone["response"] = .object(inner)
        let wrong = try await Capture(parsing: file(lone), CaptureSettings(now: Self.now)).verify()
        #expect(wrong.result == .refused && wrong.ledger.failures.map(\.step) == [.assertionClientData])
    }

    @Test func theMomentAndTheDatesOfCertificatesAreISO8601() async throws {
        let members = try await registrationFile("yubikey-5-nfc-5.7")
        let report = try await Capture(parsing: file(members), CaptureSettings(now: Self.now)).verify()
        let json = try JSONValue(encoding: report)
        #expect(json["judgedAt"] == "2026-01-01T00:00:00Z" && json["result"] == "accepted")
        let certificate = try #require(json["certificates"]?.array?.first)
        #expect(certificate["notBefore"] == "2020-01-01T00:00:00Z", "\(certificate)")
        #expect(certificate["notAfter"]?.text?.hasSuffix("Z") == true)
    }

    @Test(
        "Certificates are judged at the moment of the settings",
        arguments: [(1_767_225_600, nil), (1_500_000_000, "notYetValid"), (9_000_000_000, "expired")]
            as [(Int, String?)])
    func certificatesAreJudgedAtTheMoment(seconds: Int, problem: String?) async throws {
        let members = try await registrationFile("yubikey-5-nfc-5.7")
        var settings = CaptureSettings(now: .seconds(seconds))
        settings.attestation = AttestationPolicy(
            acceptsNone: false, acceptsSelf: false,
            trustAnchors: TrustAnchors(forAllModels: [try AttestationAuthority().rootCertificate]))
        let ledger = try await Capture(parsing: file(members), settings).verify().ledger
        #expect(
            ledger[.attestationTrust]?.reasons.first?.label.rawValue == problem.map { "attestation.certificate.\($0)" })
    }

    @Test(
        "A wrong record is an error with its member",
        arguments: [
            (#"{"publicKey": "oA"}"#, "`signCount` is missing"), (#"{"signCount": 1}"#, "`publicKey` is missing"),
            (#"{"publicKey": "oA", "signCount": 1, "signcount": 2}"#, "did you mean signCount?"),
            (#"{"publicKey": "oA", "signCount": -1}"#, "is not a whole number from 0 to 4294967295"),
            (#"{"record": {"publicKey": "a+b=", "signCount": 1}}"#, "`record.publicKey` is not base64url"),
            (#"{"ledger": {}}"#, "was refused"),
            (#"{"rawId": "AQ", "response": {"attestationObject": "oA"}}"#, "is a captured registration"),
            (
                #"{"challenge": "AA", "response": {"response": {"attestationObject": "oA"}}}"#,
                "is a captured registration"
            ),
        ])
    func aWrongRecordIsAnError(text: String, words: String) {
        let error = #expect(throws: CaptureError.self) { try CapturedRecord(parsing: Array(text.utf8)) }
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }

    @Test(
        "A member of the wrong type is named",
        arguments: [
            ("origin", JSONValue.integer(5), "`origin` is not a text"),
            ("challenge", JSONValue.integer(5), "`challenge` is not a text"),
            (
                "options",
                JSONValue.object(["excludeCredentials": [["type": "public-key", "id": "M6L1Pvuc0NeI0W9H113DkQxPcf0="]]]
                ),
                "`options.excludeCredentials[0].id` is not base64url"
            ),
            (
                "options",
                JSONValue.object(["excludeCredentials": [["id": "AAAA"], ["id": "wtHzWP5Mav6bQ+CH2241jg=="]]]),
                "`options.excludeCredentials[1].id` is not base64url"
            ),
            (
                "options", JSONValue.object(["extensions": ["prf": ["eval": ["first": "AAAA", "second": "AA=="]]]]),
                "`options.extensions.prf.eval.second` is not base64url"
            ),
            (
                "options", JSONValue.object(["extensions": ["prf": ["evalByCredential": ["A+==": ["first": "AAAA"]]]]]),
                "`options.extensions.prf.evalByCredential` has the key \"A+==\""
            ),
            (
                "options", JSONValue.object(["extensions": ["credBlob": "+/8="]]),
                "`options.extensions.credBlob` is not base64url"
            ),
            ("options", JSONValue.text("{}"), "`options` is not an object"),
            ("options", JSONValue.object(["challenge": "a+b="]), "`options.challenge` is not base64url"),
            (
                "options",
                JSONValue.object(["challenge": "AAAA", "authenticatorSelection": ["userVerification": "always"]]),
                "is not one of required, preferred, discouraged"
            ),
        ])
    func aMemberOfTheWrongTypeIsNamed(member: String, value: JSONValue, words: String) async throws {
        var members = try await registrationFile()
        members[member] = value
        let error = #expect(throws: CaptureError.self) {
            try Capture(parsing: file(members), CaptureSettings(now: CaptureTests.now))
        }
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }
}
