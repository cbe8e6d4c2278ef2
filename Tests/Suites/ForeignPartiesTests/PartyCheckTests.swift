import Conformance
import Documents
import ForeignParties
import Foundation
import RelyingPartyServer
import RelyingPartySuite
import TestSupport
import Testing

@Suite("The check of a relying party")
struct PartyCheckTests {
    /// The lines that every relying party needs.
    static let needed: [PartyFinding.Subject] = [
        .account, .registrationBegin, .registrationComplete, .signInBegin, .signInComplete, .wrongSignature,
        .usedChallenge,
    ]

    @Test func everythingWorksAtTouchstonesOwn() async throws {
        try await Parties.withServer { port in
            let findings = try await Parties.check(try Parties.shipped("touchstone", port: port))
            #expect(findings.subjects(.works) == PartyFinding.Subject.allCases.filter { $0 != .csrf }, "\(findings)")
        }
    }

    @Test func theFIDOInterfaceWorks() async throws {
        try await PythonSite.with("py_webauthn") { site in
            let findings = try await Parties.check(try Parties.shipped("fido-conformance", port: site.port))
            #expect(Set(findings.subjects(.works)) == Set(Self.needed + [.error]), "\(findings)")
            #expect(findings.subjects(.fails).isEmpty)
        }
    }

    @Test func theExampleServerOfPythonFIDO2Works() async throws {
        try await PythonSite.with("python_fido2") { site in
            let findings = try await Parties.check(try Parties.shipped("python-fido2", port: site.port))
            #expect(Set(findings.subjects(.works)) == Set(Self.needed + [.cookies]), "\(findings)")
            #expect(findings.subjects(.fails).isEmpty)
        }
    }

    @Test(arguments: ["iphone-face-id", "pixel-fingerprint", "windows-hello-pin", "security-key-bio"])
    func thePagesOfDjangoAllauthWork(device: String) async throws {
        try await PythonSite.with("django_allauth", variant: #"{"verification": "none"}"#) { site in
            let findings = try await Parties.check(
                try Parties.shipped("django-allauth", port: site.port), device: device)
            #expect(
                Set(findings.subjects(.works))
                    == Set(Self.needed + [.reauthentication, .cookies, .csrf, .signOut]), "\(findings)")
            #expect(findings.subjects(.fails).isEmpty)
        }
    }

    @Test func aServerThatVerifiesNothingFails() async throws {
        try await PythonSite.with("py_webauthn", variant: #"{"accepts": "anything"}"#) { site in
            let findings = try await Parties.check(try Parties.shipped("fido-conformance", port: site.port))
            #expect(findings.subjects(.fails) == [.wrongSignature, .usedChallenge], "\(findings)")
        }
    }

    @Test func aServerThatKeepsTheChallengeFails() async throws {
        try await PythonSite.with("py_webauthn", variant: #"{"accepts": "replays"}"#) { site in
            let findings = try await Parties.check(try Parties.shipped("fido-conformance", port: site.port))
            #expect(findings.subjects(.fails) == [.usedChallenge], "\(findings)")
            let finding = findings.first { $0.subject == .usedChallenge }
            #expect(finding?.detail.contains("accepts two responses for one challenge") == true)
        }
    }

    /// The refusal has the right status, and the user is signed in all the same.
    @Test func aServerThatSignsInBeforeItVerifiesFails() async throws {
        let text = Self.description.replacing(
            "identity: { at: /username }", with: "identity: { request: { path: /user }, at: /username }")
        for variant in ["{}", #"{"signs-in": "early"}"#] {
            try await PythonSite.with("py_webauthn", variant: variant) { site in
                let party = try Parties.party(text, port: site.port)
                let findings = try await Parties.check(party)
                #expect(findings.subjects(.fails) == (variant == "{}" ? [] : [.wrongSignature]), "\(findings)")
                var selection = CaseSelection()
                selection.identifiers = ["assertion.signature.refusedNotSignedIn"]
                let bench = try await RelyingPartyBench.open(party, told: ToldFacts())
                let run = ConformanceRun(RelyingPartySuite.all, on: bench, permission: RunPermission()) { .zero }
                let results = try await run.results(of: selection).uninterrupted()
                #expect(results.map(\.verdict) == [variant == "{}" ? .passed : .failed], "\(results)")
            }
        }
    }

    @Test func aServerThatStartsLaterIsWaitedFor() async throws {
        let port = try await Parties.withServer { $0 }
        let start = PartyStart(of: try Parties.shipped("touchstone", port: port))
        var configuration = RelyingPartyConfiguration()
        configuration.port = port
        var server: RelyingPartyServer?
        _ = try await start.wait(atMost: .seconds(300)) { server = try await RelyingPartyServer.start(configuration) }
        #expect(server != nil)
        await server?.stop()
    }

    @Test func aServerThatDoesNotAnswerIsUnreachable() async throws {
        let party = try Parties.shipped("touchstone", port: 1)
        await #expect { try await Parties.check(party) } throws: { error in
            if case .unreachable? = error as? PartyError { true } else { false }
        }
    }

    /// A description of the site `py_webauthn.py`, and a change to it with which one line fails.
    static let failures: [(text: String, by: String, subject: PartyFinding.Subject, detail: String)] = [
        ("/attestation/options", "/nowhere", .registrationBegin, "404"),
        ("path: /attestation/result,", "path: /assertion/result,", .registrationComplete, "400"),
        ("registration:", "registration:\n  options: /publicKey", .registrationBegin, "no options at /publicKey"),
        ("/assertion/options", "/attestation/result", .signInBegin, "400"),
        ("rp-id: localhost", "rp-id: example.com", .registrationBegin, "name the RP ID localhost"),
        ("session-cookie: session", "session-cookie: sid", .cookies, "no sid; seen: session"),
        ("at: /username", "at: /user", .identity, "has nothing at /user"),
        ("identity: { at: /username }", "identity: { request: { path: /me }, at: /user }", .identity, "404"),
        (
            "success: { /status: ok }", "success: { /status: yes }", .registrationComplete,
            #"/status is "ok", the description expects "yes""#
        ),
    ]

    static let description = """
        name: Example
        url: http://localhost:1
        rp-id: localhost
        session-cookie: session
        registration:
          begin: { path: /attestation/options, body: { username: "{account}" } }
          complete: { path: /attestation/result, body: "{credential}", success: { /status: ok } }
        sign-in:
          begin: { path: /assertion/options, body: { username: "{account}" } }
          complete: { path: /assertion/result, body: "{credential}" }
        identity: { at: /username }
        """

    @Test(arguments: failures)
    func aWrongDescriptionFailsAtItsLine(
        _ failure: (text: String, by: String, subject: PartyFinding.Subject, detail: String)
    ) async throws {
        try await PythonSite.with("py_webauthn") { site in
            let text = Self.description.replacing(failure.text, with: failure.by)
            let findings = try await Parties.check(try Parties.party(text, port: site.port))
            let finding = try #require(findings.first { $0.outcome == .fails })
            #expect(finding.subject == failure.subject && finding.detail.contains(failure.detail), "\(findings)")
        }
    }

    /// A change to the description of Touchstone's own relying party, and the line that fails with it.
    static let wrongParts: [(text: String, by: String, subject: PartyFinding.Subject, detail: String)] = [
        ("{ path: /api/v1/auth/session, method: DELETE }", "{ path: /nope }", .signOut, "GET /nope → 404"),
        (
            "{ path: /api/v1/auth/session, method: DELETE }", "{ path: /api/v1/auth/session }", .signOut,
            "still names the user"
        ),
        ("list: { path: /api/v1/auth/passkeys }", "list: { path: /nope }", .passkeys, "GET /nope → 404"),
        ("at: /passkeys", "at: /nope", .passkeys, "has no list at /nope"),
        ("id: /credentialId", "id: /nope", .passkeys, "has no /nope"),
        ("/api/v1/auth/passkeys/{passkey}", "/nope/{passkey}", .deletedPasskey, "→ 404"),
        ("error: /error/code", "error: /nope", .error, "has nothing at /nope"),
        (
            "error: /error/code", "csrf: { json: /nope, send-header: X-CSRF }", .csrf,
            "no answer has a token at this place"
        ),
    ]

    @Test func everyPartOfADescriptionIsExercised() async throws {
        let shipped = try String(contentsOf: Parties.folder.appending(path: "touchstone.yaml"), encoding: .utf8)
        try await Parties.withServer { port in
            for part in Self.wrongParts {
                #expect(shipped.contains(part.text), "\(part.text)")
                let text = shipped.replacing(part.text, with: part.by)
                let findings = try await Parties.check(try Parties.party(text, port: port))
                let failures = findings.filter { $0.outcome == .fails }
                #expect(failures.map(\.subject) == [part.subject], "\(part.by): \(findings)")
                #expect(failures.first?.detail.contains(part.detail) == true, "\(failures)")
            }
        }
    }

    @Test(arguments: ["yubikey-5-nfc-5.7", "security-key-pin", "solo-2", "windows-hello-pin"])
    func aDeviceGetsThePINThatItNeeds(device: String) async throws {
        try await Parties.withServer { port in
            let findings = try await Parties.check(try Parties.shipped("touchstone", port: port), device: device)
            #expect(findings.subjects(.fails).isEmpty, "\(findings)")
            #expect(findings.subjects(.works).contains(.reauthentication), "\(findings)")
        }
    }

    @Test func aDeviceThatCannotVerifyAUserIsRefused() async throws {
        let party = try Parties.shipped("touchstone", port: 1)
        await #expect { try await Parties.check(party, device: "feitian-multipass-u2f") } throws: { error in
            "\(error)".hasPrefix("feitian-multipass-u2f cannot verify a user")
        }
    }

    /// Ways to wrap requests, each as the site's argument and the keys of the description.
    static let variants: [(site: String, keys: String)] = [
        (#"{"bytes": "base64"}"#, "bytes: base64"),
        (#"{"bytes": "array"}"#, "bytes: array"),
        (#"{"csrf": "json"}"#, "csrf: { json: /csrf/token, fetch: /token, send-header: X-CSRF-Token }"),
        (#"{"csrf": "header"}"#, "csrf: { answer-header: X-CSRF-Token, fetch: /token, send-header: X-CSRF-Token }"),
    ]

    @Test(arguments: variants)
    func bytesAndTokensAreWrappedAsDescribed(_ variant: (site: String, keys: String)) async throws {
        try await PythonSite.with("py_webauthn", variant: variant.site) { site in
            let text = Self.description + "\n" + variant.keys + "\n"
            let findings = try await Parties.check(try Parties.party(text, port: site.port))
            #expect(
                Set(findings.subjects(.works))
                    == Set(Self.needed + [.identity, .cookies] + (variant.keys.contains("csrf") ? [.csrf] : [])),
                "\(findings)")
            // Without the keys the site does not understand the client, or the client the site.
            let other = try await Parties.check(try Parties.party(Self.description, port: site.port))
            #expect(!other.subjects(.fails).isEmpty, "\(other)")
        }
    }

    @Test func pagesAndFormsAreUnderstood() async throws {
        let text = """
            name: Example
            url: http://localhost:1
            csrf: { input: token, fetch: /token, send-field: token }
            registration:
              begin: { path: /attestation/options, form: { username: "{account}", displayName: "{display-name} & Åse" } }
              element: options
              options: /publicKey
              complete: { path: /attestation/result, form: { credential: "{credential-text}" } }
            sign-in:
              begin: { path: /assertion/options, form: { username: "{account}" } }
              complete: { path: /assertion/result, form: { credential: "{credential-text}" } }
            identity: { at: /username }
            """
        try await PythonSite.with("py_webauthn", variant: #"{"csrf": "input", "page": true}"#) { site in
            let findings = try await Parties.check(try Parties.party(text, port: site.port))
            #expect(findings.subjects(.fails).isEmpty, "\(findings)")
            #expect(findings.subjects(.works).contains(.identity), "\(findings)")
        }
    }
}
