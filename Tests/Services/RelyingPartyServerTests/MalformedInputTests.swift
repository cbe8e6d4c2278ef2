import Foundation
import Testing

@Suite struct MalformedInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let method: String
        let path: String
        let body: String?
        let fields: [String: String]
        let status: Int
        let code: String

        var testDescription: String { name }

        init(
            _ name: String, _ method: String, _ path: String, _ body: String? = nil, fields: [String: String] = [:],
            gives status: Int, _ code: String
        ) {
            (self.name, self.method, self.path, self.body) = (name, method, path, body)
            (self.fields, self.status, self.code) = (fields, status, code)
        }
    }

    private static let assertion = """
        {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "clientExtensionResults": {}, "response":
        {"clientDataJSON": "AAAA", "authenticatorData": "AAAA", "signature": "%"}}
        """

    static let cases: [Case] = [
        Case("no JSON", "POST", "accounts", "{", gives: 400, "json.malformed"),
        Case("nothing", "POST", "accounts", "", gives: 400, "json.malformed"),
        Case("stray text", "POST", "password/sign-in", "\u{FF}{", gives: 400, "json.malformed"),
        Case("an array", "POST", "accounts", "[]", gives: 400, "json.invalidMember"),
        Case(
            "a repeated member", "POST", "accounts", #"{"username": "a", "username": "b", "displayName": "A"}"#,
            gives: 400, "json.repeated"),
        Case("a missing member", "POST", "accounts", #"{"username": "a"}"#, gives: 400, "json.invalidMember"),
        Case(
            "a null", "POST", "accounts", #"{"username": null, "displayName": "A"}"#, gives: 400,
            "json.invalidMember"),
        Case(
            "a number for text", "POST", "accounts", #"{"username": 1, "displayName": "A"}"#, gives: 400,
            "json.invalidMember"),
        Case(
            "an unknown choice", "POST", "passkeys/register/begin", #"{"userVerification": "sometimes"}"#, gives: 400,
            "json.invalidMember"),
        Case(
            "an unknown purpose", "POST", "passkeys/authenticate/begin", #"{"purpose": "pay"}"#, gives: 400,
            "json.invalidMember"),
        Case("no response", "POST", "passkeys/authenticate/complete", "{}", gives: 400, "json.invalidMember"),
        Case("no attestation", "POST", "passkeys/register/complete", "{}", gives: 400, "json.invalidMember"),
        Case(
            "no base64url", "POST", "passkeys/authenticate/complete", assertion, gives: 400, "base64url.malformed"),
        Case("no base64url in the path", "DELETE", "passkeys/A=", gives: 400, "base64url.malformed"),
        Case(
            "text", "POST", "accounts", "{}", fields: ["Content-Type": "text/plain"], gives: 415,
            "contentType.unsupported"),
        Case(
            "a form", "POST", "passkeys/register/begin", "a=b",
            fields: ["Content-Type": "application/x-www-form-urlencoded"], gives: 415, "contentType.unsupported"),
        Case(
            "a huge body", "POST", "accounts", String(repeating: " ", count: (1 << 20) + 1), gives: 413,
            "body.tooLarge"),
        Case("an unknown path", "GET", "nothing", gives: 404, "route.notFound"),
        Case("another root", "GET", "../../../favicon.ico", gives: 404, "route.notFound"),
        Case("a wrong method", "GET", "accounts", gives: 405, "method.notAllowed"),
        Case("another wrong method", "PATCH", "passkeys", "{}", gives: 405, "method.notAllowed"),
        Case("a method of another protocol", "PROPFIND", "passkeys", gives: 405, "method.notAllowed"),
    ]

    @Test(arguments: cases)
    func badInputGetsAClearError(input: Case) async throws {
        try await Site.run { site in
            let browser = try await site.browser(of: "ada")
            let answer = try await browser.send(
                input.method, browser.api(input.path), input.body.map { Data($0.utf8) }, fields: input.fields)
            #expect(answer.status == input.status)
            #expect(answer.code == input.code)
            #expect(answer.error?.message.hasSuffix(".") == true)
            #expect(answer.field("Content-Type") == "application/json")
            #expect(answer.field("X-Content-Type-Options") == "nosniff")
            #expect(answer.field("Cache-Control") == "no-store")
        }
    }

    @Test func aWrongMethodGetsTheAllowedMethods() async throws {
        try await Site.run { site in
            let answer = try await site.browser().send("DELETE", "/api/v1/auth/accounts")
            #expect(answer.field("Allow") == "POST")
        }
    }

    @Test func headIsAnsweredLikeGet() async throws {
        try await Site.run { site in
            let answer = try await site.browser().send("HEAD", "/healthz")
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            #expect(try await site.browser().send("POST", "/healthz").field("Allow") == "GET, HEAD")
        }
    }

    @Test func aMessageNamesTheInvalidMember() async throws {
        try await Site.run { site in
            let browser = try await site.browser(of: "ada")
            let body = Data(Self.assertion.utf8)
            let answer = try await browser.send("POST", browser.api("passkeys/authenticate/complete"), body)
            #expect(answer.error?.message == "“response.signature” is not unpadded base64url.")
        }
    }

    @Test func aParameterOfTheContentTypeIsIgnored() async throws {
        try await Site.run { site in
            let browser = try await site.browser(of: "ada")
            let answer = try await browser.send(
                "POST", browser.api("passkeys/register/begin"), Data("{}".utf8),
                fields: ["Content-Type": "Application/JSON; charset=utf-8"])
            #expect(answer.status == 200)
        }
    }
}
