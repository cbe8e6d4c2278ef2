import COSE
import Captures
import Documents
import Foundation
import RelyingParty
import Testing
import WebAuthn

/// The stored credential of an assertion, in full and in part.
struct CaptureRecordTests {
    /// The file of an assertion with a record of the two required members and more.
    private static func assertion(
        key: JSONValue, _ members: [String: JSONValue] = [:], origin: String = CaptureTests.origin,
        withoutUserHandle: Bool = false, listed: Bool = true
    ) async throws -> [UInt8] {
        let (_, assertion) = try await CaptureTests.responses(of: "pixel-fingerprint")
        var response = try #require(try JSONValue(encoding: assertion).object)
        if withoutUserHandle {
            var inner = try #require(response["response"]?.object)
            inner["userHandle"] = nil
            response["response"] = .object(inner)
        }
        let record: [String: JSONValue] = ["publicKey": key, "signCount": 0]
        var options = try #require(try JSONValue(encoding: CaptureTests.request).object)
        if withoutUserHandle, listed {
            let id = try #require(response["id"])
            options["allowCredentials"] = .array([.object(["type": "public-key", "id": id])])
        }
        return try JSONValue.object([
            "response": .object(response), "options": .object(options),
            "origin": .text(origin), "record": .object(record.merging(members) { _, new in new }),
        ]).bytes()
    }

    /// The key as `toJSON()` gives it: SPKI.
    private static func info() async throws -> String {
        let (registration, _) = try await CaptureTests.responses(of: "pixel-fingerprint")
        return try #require(try JSONValue(encoding: registration)["response"]?["publicKey"]?.text)
    }

    private static func pem(_ kind: String = "PUBLIC KEY") async throws -> String {
        let der = Data(try #require(Base64URL.decode(try await info())))
        let body = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(kind)-----\n\(body)\n-----END \(kind)-----\n"
    }

    @Test("A stored key is also SPKI or PEM", arguments: [false, true])
    func otherFormsAreRead(isPEM: Bool) async throws {
        let key = isPEM ? try await Self.pem() : try await Self.info()
        for algorithm: JSONValue? in [nil, -7] {
            let members = algorithm.map { ["publicKeyAlgorithm": $0] } ?? [:]
            let bytes = try await Self.assertion(key: .text(key), members)
            let report = try await Capture(parsing: bytes, CaptureSettings(now: CaptureTests.now)).verify()
            #expect(report.accepted, "\(report.ledger.failures)")
            #expect(report.ledger[.signature] == .passed)
            // The report has the key as COSE, which the next run reads.
            #expect(report.record?.publicKey.bytes.first == 0xA5)
        }
    }

    @Test("The lines of a stored key's PEM may have any length")
    func aPEMHasLinesOfAnyLength() async throws {
        let body = Data(try #require(Base64URL.decode(try await Self.info()))).base64EncodedString()
        let (begin, end) = ("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----")
        for key in [
            begin + body + end, "\(begin)\\n\(body)\\n\(end)",
            "\(begin)\n\(body.prefix(76))\n\(body.dropFirst(76))\n\(end)",
        ] {
            let bytes = try await Self.assertion(key: .text(key))
            #expect(try await Capture(parsing: bytes, CaptureSettings(now: CaptureTests.now)).verify().accepted)
        }
    }

    @Test("A member in the words of another library has its name here")
    func anotherLibrarysNameIsExplained() async throws {
        for (name, own) in [("counter", "signCount"), ("credential_public_key", "publicKey"), ("credentialID", "id")] {
            let bytes = try await Self.assertion(key: .text(try await Self.info()), [name: 0])
            let error = #expect(throws: CaptureError.self) {
                try Capture(parsing: bytes, CaptureSettings(now: CaptureTests.now))
            }
            #expect(
                error?.description.hasPrefix("`record.\(name)` is unknown; its name here is `\(own)`") == true,
                "\(error as Any)")
        }
    }

    @Test("A stored key that cannot be read is an error of the input, not of the response")
    func unreadableKeysAreErrors() async throws {
        let info = try await Self.info()
        let cut = try #require(Base64URL.decode(info)).dropLast()
        let cases: [(key: String, members: [String: JSONValue], says: String)] = [
            (
                info, ["publicKeyAlgorithm": -257],
                "not the SPKI of a public key for RS256, which publicKeyAlgorithm names"
            ),
            (Base64URL.encode(Array(cut)), [:], "is not the SPKI of a public key for a supported algorithm"),
            (try await Self.pem("RSA PUBLIC KEY"), [:], "is a PEM of RSA PUBLIC KEY; give one of PUBLIC KEY"),
            ("-----BEGIN PUBLIC KEY-----\n", [:], "is not PEM"),
            ("oQEC", [:], "is not a public key"), ("AA", [:], "is not a public key"),
        ]
        for (key, members, says) in cases {
            let bytes = try await Self.assertion(key: .text(key), members)
            let error = #expect(throws: CaptureError.self) {
                try Capture(parsing: bytes, CaptureSettings(now: CaptureTests.now))
            }
            #expect(error?.description.hasPrefix("`record.publicKey` ") == true, "\(error as Any)")
            #expect(error?.description.contains(says) == true, "\(error as Any)")
        }
    }

    @Test("Steps of which a file has no evidence do not pass; they do not apply, with the reason")
    func stepsWithoutEvidence() async throws {
        let key = JSONValue.text(try await Self.info())
        func ledger(_ bytes: [UInt8]) async throws -> Ledger {
            try await Capture(parsing: bytes, CaptureSettings(now: CaptureTests.now)).verify().ledger
        }
        let bare = try await ledger(Self.assertion(key: key))
        #expect(bare[.userHandle] == .notApplicable("the record has no user handle"))
        let handle = JSONValue.text(Base64URL.encode(CaptureTests.handle))
        let known = try await ledger(Self.assertion(key: key, ["userHandle": handle]))
        #expect(known[.userHandle] == .passed)
        let other = try await ledger(Self.assertion(key: key, ["userHandle": "AAAA"]))
        #expect(other.failures.map(\.step) == [.userHandle])
        let silent = try await ledger(Self.assertion(key: key, withoutUserHandle: true))
        #expect(silent[.knownUser] == .notApplicable("a file does not tell which user was known before the ceremony"))
        let open = try await ledger(Self.assertion(key: key, withoutUserHandle: true, listed: false))
        #expect(open.failures.map(\.step) == [.userHandle])
        let stranger = try await ledger(Self.assertion(key: key, ["id": "AAAA"], withoutUserHandle: true))
        #expect(stranger.failures.map(\.step).contains(.knownUser))

        let (registration, _) = try await CaptureTests.responses(of: "pixel-fingerprint")
        let made = try await ledger(
            JSONValue.object([
                "response": try JSONValue(encoding: registration),
                "options": try JSONValue(encoding: CaptureTests.creation), "origin": .text(CaptureTests.origin),
            ]).bytes())
        #expect(made.isAccepted)
        #expect(
            made[.credentialIDUniqueness] == .notApplicable("a file does not tell which credential IDs are registered"))
        #expect(made[.account] == .notApplicable("a file does not tell which account completes the registration"))
    }

    @Test(
        "An origin that no page has is an error of the input",
        arguments: ["https://example.org/", "https://example.org/path", "example.org", "", "https://EXAMPLE.org"])
    func wrongOriginsAreErrors(origin: String) async throws {
        let bytes = try await Self.assertion(key: .text(try await Self.info()), origin: origin)
        let error = #expect(throws: CaptureError.self) {
            try Capture(parsing: bytes, CaptureSettings(now: CaptureTests.now))
        }
        #expect(error?.description.hasPrefix("\"\(origin)\" is not an origin: an origin") == true, "\(error as Any)")
        let app = try await Self.assertion(
            key: .text(try await Self.info()), origin: "android:apk-key-hash:2jmj7l5rSw0yVb_vlWAYkK_YBwk")
        let report = try await Capture(parsing: app, CaptureSettings(now: CaptureTests.now)).verify()
        #expect(report.ledger.failures.map(\.step) == [.assertionClientData])
    }
}
