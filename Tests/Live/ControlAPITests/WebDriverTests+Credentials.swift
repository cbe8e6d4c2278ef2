import Documents
import Foundation
import Testing
import WebAuthn

@testable import ControlAPI

/// Credentials of virtual authenticators, as browsers have them.
extension WebDriverTests {
    @Test(
        "An added credential's RP ID is a domain",
        arguments: [
            ("example.org", 200), ("localhost", 200), ("login.example.org", 200), ("xn--bcher-kva.example", 200),
            ("a-b.example1", 200), ("https://example.org", 400), ("http://localhost:3000", 400),
            ("example.org:443", 400), ("example.org/", 400), ("example org", 400), (" example.org", 400),
            ("example.org ", 400), ("example.org.", 400), (".example.org", 400), ("a..b", 400), (".", 400), ("", 400),
            ("127.0.0.1", 400), ("[::1]", 400), ("::1", 400), ("1", 400), ("Example.org", 400), ("bücher.example", 400),
            ("my_host.example", 400), ("-a.example", 400), ("user@example.org", 400), ("example.org\n", 400),
            (String(repeating: "a", count: 64) + ".example", 400),
        ])
    func relyingPartyIDIsADomain(rpID: String, status: Int) async throws {
        try await withAuthenticator { control, path, _ in
            let answer = try await control.post(
                "\(path)/credential", try Self.credential(changes: ["rpId": .text(rpID)]))
            #expect(answer.status == status)
            if status == 400 { #expect(answer.webDriverError == "invalid argument") }
        }
    }

    @Test("Each backup flag is set by itself, as in Chromium", arguments: [false, true])
    func backupStateNeedsNoEligibility(strict: Bool) async throws {
        try await withAuthenticator(strict: strict) { control, path, id in
            let flags: [String: JSONValue] = ["backupEligibility": false, "backupState": true]
            let added = try await control.post("\(path)/credential", try Self.credential(changes: flags))
            #expect(added.status == 200)
            func signedFlags() async throws -> UInt8? {
                let signed = try await control.post("/v1/devices/\(id)/ceremonies/get", Options.get())
                let data = signed.json["credential"]?["response"]?["authenticatorData"]?.text.flatMap(Base64URL.decode)
                return data.map { $0[32] & 0x18 }
            }
            // BE is 0x08, BS is 0x10 (WebAuthn L3 §6.1).
            #expect(try await signedFlags() == 0x10)
            for (change, expected) in [
                (["backupEligibility": true], 0x18), (["backupEligibility": false], 0x10), (["backupState": false], 0),
                (["backupState": true], 0x10),
            ] as [(JSONValue, UInt8)] {
                #expect(try await control.post("\(path)/credentials/AQIDBA/props", change).status == 200)
                #expect(try await signedFlags() == expected)
            }
        }
    }

    @Test("The backup flags of new credentials are set each by itself, as in Chromium")
    func defaultBackupStateNeedsNoEligibility() async throws {
        try await withAuthenticator(["defaultBackupState": true]) { control, path, id in
            let made = try await control.post("/v1/devices/\(id)/ceremonies/create", Options.create())
            let data = made.json["credential"]?["response"]?["authenticatorData"]?.text.flatMap(Base64URL.decode)
            #expect(data.map { $0[32] & 0x18 } == 0x10)
            let listed = try await control.get("\(path)/credentials").json["value"]?.array?.first
            #expect(listed?["backupState"] == true && listed?["backupEligibility"] == false)
        }
    }

    @Test("A new credential begins at 1 as in Chromium, and an added one goes on from its own counter")
    func countersBeginAsInChromium() async throws {
        try await withAuthenticator { control, path, id in
            func counts() async throws -> [JSONValue?] {
                let listed = try await control.get("\(path)/credentials").json["value"]?.array ?? []
                return listed.map { $0["signCount"] }
            }
            let made = try await control.post("/v1/devices/\(id)/ceremonies/create", Options.create())
            #expect(made.status == 200)
            #expect(try await counts() == [1])
            #expect(try await control.post("/v1/devices/\(id)/ceremonies/get", Options.get()).status == 200)
            #expect(try await counts() == [2])
            try await control.send("DELETE", "\(path)/credentials")
            try await control.post("\(path)/credential", try Self.credential(changes: ["signCount": 0]))
            #expect(try await control.post("/v1/devices/\(id)/ceremonies/get", Options.get()).status == 200)
            #expect(try await counts() == [1])
        }
    }
}
