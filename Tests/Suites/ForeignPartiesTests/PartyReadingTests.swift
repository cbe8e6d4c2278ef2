import Documents
import ForeignParties
import Foundation
import TestSupport
import Testing

@Suite("Descriptions of relying parties")
struct PartyReadingTests {
    @Test func theShippedSchemaEqualsTheProgramsOutput() throws {
        let file = try String(contentsOf: Parties.folder.appending(path: "schema.json"), encoding: .utf8)
        #expect(file == PartySchema.json, "touchstone relying-party schema > relying-parties/schema.json")
    }

    @Test func everyShippedDescriptionIsReadAndFitsTheSchema() async throws {
        let files = try Parties.files
        #expect(files.count >= 3)
        for file in files { #expect(throws: Never.self, "\(file)") { try PartyLibrary.read(file) } }
        let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
        let verdicts = try await SchemaValidator.verdicts(on: texts, schema: PartySchema.json)
        #expect(verdicts == files.map { _ in "ok" })
    }

    @Test func theReferenceNamesEveryKey() throws {
        let text = try String(contentsOf: PackageRoot.url.appending(path: "docs/your-server.md"), encoding: .utf8)
        func names(_ outline: SectionOutline) -> [String] {
            outline.keys.flatMap { [$0.name] + ($0.section.map(names) ?? []) }
        }
        for name in names(PartySchema.outline) + PartyPlaceholder.allCases.map(\.rawValue) {
            #expect(text.contains("`\(name)`") || text.contains("`{\(name)}`"), "\(name)")
        }
    }

    /// A description with a mistake: the line that replaces one of the good text, and the error.
    static let mistakes: [(line: String, by: String, error: String)] = [
        ("name: Example", "title: Example", "rp.yaml:1:1: unknown key title; expected one of"),
        ("name: Example", "", "rp.yaml:2:1: name is missing"),
        ("url: http://localhost:1", "url: localhost", "rp.yaml:2:6: url: \"localhost\" is not a URL; write one"),
        (
            "url: http://localhost:1", "url: ftp://localhost",
            "rp.yaml:2:6: url: ftp is not supported; give an address on http or https"
        ),
        ("url: http://localhost:1", "url: http://localhost:1/?a=b", "rp.yaml:2:6: url: a URL of a relying party has"),
        ("bytes: base64url", "bytes: base32", "rp.yaml:3:8: bytes: expected one of base64url, base64, array"),
        (
            "  options: /publicKey", "  options: publicKey",
            "rp.yaml:6:12: registration.options: expected a JSON Pointer"
        ),
        (
            "  begin: { path: /begin, body: { name: \"{account}\" } }", "  begin: { path: begin }",
            "rp.yaml:5:18: registration.begin.path: expected a path that begins with /"
        ),
        (
            "  begin: { path: /begin, body: { name: \"{account}\" } }",
            "  begin: { path: /begin, body: { name: \"{acount}\" } }",
            "rp.yaml:5:40: {acount} has no value; expected one of"
        ),
        (
            "  begin: { path: /begin, body: { name: \"{account}\" } }",
            "  begin: { path: /begin, body: \"{credential}\" }", "rp.yaml:5:32: {credential} is known once the client"
        ),
        (
            "  begin: { path: /begin, body: { name: \"{account}\" } }",
            "  begin: { path: /begin, body: {}, form: { a: b } }", "a request has a body or a form; remove one"
        ),
        (
            "  complete: { path: /complete, body: \"{credential}\", status: 201 }", "  complete: { path: /complete }",
            "rp.yaml:7:13: registration.complete: the request does not send the response"
        ),
        (
            "  complete: { path: /complete, body: \"{credential}\", status: 201 }",
            "  complete: { path: /complete, body: \"{credential}\", status: 99 }",
            "rp.yaml:7:62: registration.complete.status: expected 100 to 599, found 99"
        ),
        (
            "csrf: { cookie: token, send-header: X-Token }", "csrf: { cookie: token }",
            "rp.yaml:8:7: csrf: no request sends the token; add send-header or send-field, or write {csrf} into a body"
        ),
        (
            "csrf: { cookie: token, send-header: X-Token }",
            "csrf: { cookie: token, json: /token, send-header: X-Token }",
            "rp.yaml:8:7: csrf: expected one of cookie, answer-header, json, input"
        ),
        (
            "  complete: { path: /in, body: \"{credential}\", success: { /ok: true } }",
            "  complete: { path: /in, body: \"{credential}\", success: { ok: true } }",
            "rp.yaml:11:59: expected a JSON Pointer such as /status, found \"ok\""
        ),
        (
            "sign-out: { path: /out }", "passkeys: { list: { path: /keys }, id: /id, delete: { path: /keys } }",
            "rp.yaml:12:53: the request does not name the passkey; write {passkey}"
        ),
        ("sign-out: { path: /out }", "sign-out: { path: /out, method: FETCH }", "sign-out.method: expected one of GET"),
        (
            "sign-out: { path: /out }", "headers: { X-Key: \"a\\r\\nX-Admin: 1\" }",
            "rp.yaml:12:19: headers.X-Key: the value of the field X-Key has a line break or a control character"
        ),
        (
            "sign-out: { path: /out }", "sign-out: { path: /out, headers: { X-Key: \"a\\nb\" } }",
            "rp.yaml:12:43: sign-out.headers.X-Key: the value of the field X-Key has a line break"
        ),
        (
            "sign-out: { path: /out }", "headers: { \"X-Key\\r\\nX-Admin\": a }",
            "is not the name of a header field; write letters, digits and hyphens"
        ),
        (
            "sign-out: { path: /out }", "headers: { \"X Key\": a }",
            "rp.yaml:12:12: \"X Key\" is not the name of a header"
        ),
        ("sign-out: { path: /out }", "headers: { \"X-Key:\": a }", "is not the name of a header field"),
        ("sign-out: { path: /out }", "headers: { \"\": a }", "is not the name of a header field"),
        (
            "sign-out: { path: /out }", "headers: { Content-Length: 5 }",
            "rp.yaml:12:12: the client writes the field Content-Length itself; remove it"
        ),
        (
            "sign-out: { path: /out }", "headers: { content-length: 5 }",
            "the client writes the field content-length itself"
        ),
        (
            "sign-out: { path: /out }", "headers: { Transfer-Encoding: chunked }",
            "writes the field Transfer-Encoding itself"
        ),
        ("sign-out: { path: /out }", "headers: { Host: evil.example }", "writes the field Host itself"),
        (
            "csrf: { cookie: token, send-header: X-Token }", "csrf: { cookie: token, send-header: Content-Length }",
            "rp.yaml:8:37: csrf.send-header: the client writes the field Content-Length itself"
        ),
        (
            "sign-out: { path: /out }", "existing-accounts: []",
            "rp.yaml:12:20: existing-accounts: expected at least one account; list one, or remove the key"
        ),
        (
            "sign-out: { path: /out }", "existing-accounts: [{ name: a }, { name: a }]",
            "rp.yaml:12:34: a is listed twice; keep one"
        ),
        (
            "sign-out: { path: /out }", "existing-accounts: [{ name: a, password: b }]",
            "rp.yaml:12:21: no request sends the password; write {password} into one, or remove the password"
        ),
        (
            "sign-out: { path: /out }",
            "existing-accounts: [{ name: a }]\naccount: [{ path: /in, form: { p: \"{password}\" } }]",
            "rp.yaml:12:21: a request sends {password}; add the password of a"
        ),
        (
            "sign-out: { path: /out }", "existing-accounts: [{ name: a }]\nunique-names: true",
            "rp.yaml:13:15: unique-names: existing accounts keep their names; remove unique-names"
        ),
        (
            "sign-out: { path: /out }", "existing-accounts: [{ name: a, display-name: Ada }]",
            "rp.yaml:12:21: no request sends the display name; write {display-name} into one, or remove it"
        ),
        (
            "csrf: { cookie: token, send-header: X-Token }", "headers: { X-Token: \"{csrf}\" }",
            "rp.yaml:8:21: {csrf} has no value; add csrf with the place of the token"
        ),
        (
            "csrf: { cookie: token, send-header: X-Token }", "csrf: { cookie: token, send-field: token }",
            "rp.yaml:8:36: csrf.send-field: no request has a form; add send-header, or write {csrf} into a body"
        ),
        (
            "csrf: { cookie: token, send-header: X-Token }",
            "csrf: { cookie: token, fetch: \"/{tocken}\", send-header: X-Token }", "rp.yaml:8:31: {tocken} has no value"
        ),
        (
            "sign-out: { path: /out }", "account: [{ path: \"/keys/{passkey}\" }]",
            "rp.yaml:12:19: {passkey} belongs under delete of passkeys"
        ),
        (
            "sign-out: { path: /out }", "account: [{ path: /in, body: { uv: \"{user-verification}\" } }]",
            "rp.yaml:12:36: {user-verification} belongs under begin of a ceremony"
        ),
        (
            "sign-out: { path: /out }", "account: [{ path: \"/in/{credential}\" }]",
            "rp.yaml:12:19: {credential} belongs under complete of a ceremony"
        ),
        (
            "sign-out: { path: /out }", "sign-out: { path: /out, keep: { next: /next } }",
            "rp.yaml:12:39: no request uses {next}; write it into one, or remove it under keep"
        ),
        (
            "sign-out: { path: /out }", "sign-out: { path: /out, keep: { account: /next } }",
            "rp.yaml:12:42: {account} is the name of a built-in placeholder; choose another name"
        ),
        (
            "sign-out: { path: /out }", "sign-out: { path: /out, status: [] }",
            "rp.yaml:12:33: sign-out.status: the list is empty; give it an item, or remove it"
        ),
        (
            "sign-out: { path: /out }", "sign-out: { path: /out, success: {} }",
            "rp.yaml:12:34: sign-out.success: the mapping is empty; give it a key, or remove it"
        ),
        (
            "sign-out: { path: /out }", "sign-out: { path: /out, keep: {} }",
            "rp.yaml:12:31: sign-out.keep: the mapping is empty"
        ),
        (
            "sign-out: { path: /out }", "sign-out: { path: /out, headers: {} }",
            "rp.yaml:12:34: sign-out.headers: the mapping is empty"
        ),
        (
            "sign-out: { path: /out }", "sign-out: { path: /out, unless-location: [] }",
            "rp.yaml:12:42: sign-out.unless-location: the list is empty"
        ),
        ("sign-out: { path: /out }", "headers: {}", "rp.yaml:12:10: headers: the mapping is empty"),
        ("sign-out: { path: /out }", "account: []", "rp.yaml:12:10: account: the list is empty"),
        ("  options: /publicKey", "  change: {}", "rp.yaml:6:11: registration.change: the mapping is empty"),
        (
            "sign-out: { path: /out }", "certificate-authorities: /etc/hosts",
            "rp.yaml:12:26: certificate-authorities: a url on http has no certificate; write https:// in url"
        ),
        (
            "url: http://localhost:1", "url: https://localhost:1\ncertificate-authorities: x.pem",
            "rp.yaml:3:26: certificate-authorities: the file "
        ),
    ]

    static let good = """
        name: Example
        url: http://localhost:1
        bytes: base64url
        registration:
          begin: { path: /begin, body: { name: "{account}" } }
          options: /publicKey
          complete: { path: /complete, body: "{credential}", status: 201 }
        csrf: { cookie: token, send-header: X-Token }
        sign-in:
          begin: { path: /in }
          complete: { path: /in, body: "{credential}", success: { /ok: true } }
        sign-out: { path: /out }
        """

    @Test func aGoodDescriptionIsRead() throws {
        let party = try ForeignParty(parsing: Self.good, file: "rp.yaml")
        #expect(party.origin == "http://localhost:1")
    }

    @Test func aTokenInABodyNeedsNoOtherPlace() throws {
        let text = Self.good.replacing("send-header: X-Token", with: "fetch: /t").replacing(
            "begin: { path: /in }", with: "begin: { path: /in, body: { token: \"{csrf}\" } }")
        #expect(throws: Never.self) { try ForeignParty(parsing: text, file: "rp.yaml") }
    }

    @Test(arguments: [
        ("existing-accounts: [{ name: a }]", "13:20: existing-accounts: no request names an account; write {account}"),
        ("unique-names: false", "13:15: unique-names: no request names an account; write {account}"),
    ])
    func accountsThatNoRequestNamesAreAMistake(line: String, words: String) {
        let text = Self.good.replacing(", body: { name: \"{account}\" }", with: "") + "\n\(line)"
        let error = #expect(throws: SourceError.self) { try ForeignParty(parsing: text, file: "rp.yaml") }
        #expect(error?.description.contains("rp.yaml:\(words)") == true, "\(error.map(\.description) ?? "")")
    }

    @Test func allMistakesAreReported() throws {
        let text = Self.good.replacing("body: { name:", with: "bodi: { name:").replacing(
            "status: 201", with: "status: x"
        )
        .replacing("send-header: X-Token", with: "header: X-Token")
        let error = try #require(throws: SourceError.self) { try ForeignParty(parsing: text, file: "rp.yaml") }
        let messages = error.each.map(\.message)
        for part in ["unknown key bodi", "status", "unknown key header"] {
            #expect(messages.contains { $0.contains(part) }, "\(part): \(messages)")
        }
    }

    @Test(arguments: mistakes)
    func aMistakeIsReportedWithItsPlace(_ mistake: (line: String, by: String, error: String)) throws {
        #expect(Self.good.contains(mistake.line))
        let text = Self.good.replacing(mistake.line, with: mistake.by)
        let error = #expect(throws: SourceError.self) {
            try ForeignParty(parsing: text, file: "rp.yaml").checkAddress()
        }
        #expect(error?.description.contains(mistake.error) == true, "\(error.map(\.description) ?? "none")")
    }
}
