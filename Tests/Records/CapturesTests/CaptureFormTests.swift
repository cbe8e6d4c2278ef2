import Captures
import Documents
import Foundation
import RelyingParty
import Testing
import WebAuthn

/// The forms in which programs log a response's bytes.
struct CaptureFormTests {
    private static func numbers(_ bytes: [UInt8]) -> JSONValue { .array(bytes.map { .integer(Int($0)) }) }

    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let write: @Sendable ([UInt8]) -> JSONValue

        init(_ name: String, _ write: @escaping @Sendable ([UInt8]) -> JSONValue) {
            (testDescription, self.write) = (name, write)
        }

        static func text(_ name: String, _ write: @escaping @Sendable ([UInt8]) -> String) -> Form {
            Form(name) { .text(write($0)) }
        }
    }

    /// Each with the words of its note.
    static let forms: [(Form, String)] = [
        (
            Form("object") { bytes in
                .object(Dictionary(uniqueKeysWithValues: bytes.enumerated().map { ("\($0)", .integer(Int($1))) }))
            }, "an object of numbers"
        ),
        (Form("list", numbers), "a list of numbers"),
        (Form("signed list") { .array($0.map { .integer(Int(Int8(bitPattern: $0))) }) }, "a list of numbers"),
        (Form("Node buffer") { ["type": "Buffer", "data": numbers($0)] }, "a Node buffer"),
        (.text("hex") { Hex.encode($0) }, "hexadecimal"), (.text("HEX") { Hex.encode($0).uppercased() }, "hexadecimal"),
        (.text("0x") { "0x" + Hex.encode($0) }, "hexadecimal"),
        (.text("colons") { $0.map { Hex.encode([$0]) }.joined(separator: ":") }, "hexadecimal"),
        (.text("Buffer") { "<Buffer " + $0.map { Hex.encode([$0]) }.joined(separator: " ") + ">" }, "hexadecimal"),
        (.text("list as text") { "[" + $0.map { "\($0)" }.joined(separator: ", ") + "]" }, "a list of numbers"),
        (
            .text("typed array") { "Uint8Array(\($0.count)) [" + $0.map { "\($0)" }.joined(separator: ",") + "]" },
            "a list of numbers"
        ),
        (Form("typed array with its type") { ["type": "Uint8Array", "data": numbers($0)] }, "a typed array"),
        (Form("texts of numbers") { .array($0.map { .text("\($0)") }) }, "a list of numbers"),
        (
            Form("extended JSON") { ["$binary": ["base64": .text(Data($0).base64EncodedString()), "subType": "00"]] },
            "MongoDB's extended JSON"
        ),
        (
            Form("former extended JSON") { ["$binary": .text(Data($0).base64EncodedString()), "$type": "00"] },
            "MongoDB's extended JSON"
        ),
        (
            .text("ArrayBuffer") { bytes in
                let hex = bytes.map { Hex.encode([$0]) }.joined(separator: " ")
                return "ArrayBuffer { [Uint8Contents]: <\(hex)>, byteLength: \(bytes.count) }"
            }, "Node's description of an ArrayBuffer"
        ),
        (.text("Python") { "b'" + $0.map { "\\x" + Hex.encode([$0]) }.joined() + "'" }, "a literal of Python"),
        (
            .text("data URL") { "data:application/octet-stream;base64," + Data($0).base64EncodedString() }, "a data URL"
        ),
        (.text("quoted") { "\"\(Base64URL.encode($0))\"" }, "a text in quotation marks"),
        (
            .text("base64 with escaped line breaks") {
                Data($0).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
                    .replacing("\n", with: "\\n") + "\\n"
            }, "base64"
        ),
        (.text("standard base64") { Data($0).base64EncodedString() }, "base64"),
        (
            .text("base64 in lines") {
                Data($0).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]) + "\n"
            }, "base64"
        ),
    ]

    private static func changed(
        _ response: JSONValue, _ names: [String], _ write: ([UInt8]) -> JSONValue
    ) throws -> JSONValue {
        var whole = try #require(response.object)
        var inner = try #require(whole["response"]?.object)
        for name in names {
            if name == "rawId" {
                whole[name] = write(try #require(whole[name]?.text.flatMap(Base64URL.decode)))
            } else if let text = inner[name]?.text {
                inner[name] = write(try #require(Base64URL.decode(text)))
            }
        }
        whole["response"] = .object(inner)
        return .object(whole)
    }

    private static let names = [
        "rawId", "clientDataJSON", "attestationObject", "authenticatorData", "signature", "publicKey",
    ]

    @Test("Each form is read, and a note says so", arguments: forms)
    func eachFormIsRead(form: Form, words: String) async throws {
        let (registration, assertion) = try await CaptureTests.responses(of: "pixel-fingerprint")
        let first = try await Capture(
            parsing: JSONValue.object([
                "response": try Self.changed(JSONValue(encoding: registration), Self.names, form.write),
                "challenge": form.write(CaptureTests.challenge), "origin": .text(CaptureTests.origin),
                "rpId": "example.org",
            ]).bytes(), CaptureSettings(now: CaptureTests.now)
        ).verify()
        #expect(first.accepted && first.ledger.flagged.isEmpty, "\(first.ledger)")
        #expect(first.notes.contains { $0.contains("`response.rawId`") && $0.contains(words) }, "\(first.notes)")
        let key = try #require(first.record?.publicKey.bytes)
        let second = try await Capture(
            parsing: JSONValue.object([
                "response": try Self.changed(JSONValue(encoding: assertion), Self.names, form.write),
                "challenge": form.write(CaptureTests.challenge), "origin": .text(CaptureTests.origin),
                "rpId": "example.org", "record": ["publicKey": form.write(key), "signCount": 0],
            ]).bytes(), CaptureSettings(now: CaptureTests.now)
        ).verify()
        #expect(second.accepted, "\(second.ledger)")
        #expect(second.notes.contains { $0.contains("`record.publicKey`") }, "\(second.notes)")
    }

    /// The control API answers a ceremony with `credential`.
    @Test(arguments: ["response", "credential"])
    func base64urlNeedsNoNote(name: String) async throws {
        let (registration, _) = try await CaptureTests.responses(of: "pixel-fingerprint")
        let report = try await Capture(
            parsing: JSONValue.object([
                name: try JSONValue(encoding: registration),
                "options": try JSONValue(encoding: CaptureTests.creation),
                "origin": .text(CaptureTests.origin),
            ]).bytes(), CaptureSettings(now: CaptureTests.now)
        ).verify()
        #expect(report.accepted && report.notes.isEmpty)
        #expect(try JSONValue(encoding: report)["notes"] == nil)
    }

    @Test func optionsWithTypedArraysAreReadAndTheirTextsAreBase64URLOnly() async throws {
        let (registration, _) = try await CaptureTests.responses(of: "pixel-fingerprint")
        var file: [String: JSONValue] = [
            "response": try JSONValue(encoding: registration), "origin": .text(CaptureTests.origin),
            "options": [
                "rp": ["id": "example.org"], "challenge": Self.numbers(CaptureTests.challenge),
                "user": ["id": ["0": 1, "1": 2, "2": 3]],
                "excludeCredentials": [["id": ["type": "Buffer", "data": [9]]]],
            ],
        ]
        let report = try await Capture(
            parsing: JSONValue.object(file).bytes(), CaptureSettings(now: CaptureTests.now)
        ).verify()
        #expect(report.accepted && report.record?.userHandle?.bytes == CaptureTests.handle, "\(report.ledger)")
        #expect(report.notes.count == 3, "\(report.notes)")
        // A browser would read these digits as base64url.
        file["options"] = ["rp": ["id": "example.org"], "challenge": .text(Hex.encode(CaptureTests.challenge))]
        let hex = try await Capture(
            parsing: JSONValue.object(file).bytes(), CaptureSettings(now: CaptureTests.now)
        ).verify()
        #expect(hex.ledger.failures.map(\.step) == [.challenge])
    }

    @Test func aChallengeThatTheClientDataRepeatsIsBase64URL() async throws {
        // The client took a challenge's hexadecimal digits for base64url.
        let digits = String(repeating: "0123456789abcdef", count: 2)
        let clientData = CollectedClientData(
            type: CollectedClientData.getType, challenge: try #require(Base64URL.decode(digits)),
            origin: CaptureTests.origin, crossOrigin: false)
        let (_, assertion) = try await CaptureTests.responses(of: "pixel-fingerprint")
        let response = try Self.changed(JSONValue(encoding: assertion), ["clientDataJSON"]) { _ in
            .text(Base64URL.encode(clientData.encoded))
        }
        let report = try await Capture(
            parsing: JSONValue.object([
                "response": response, "challenge": .text(digits), "origin": .text(CaptureTests.origin),
                "rpId": "example.org",
            ]).bytes(), CaptureSettings(now: CaptureTests.now)
        ).verify()
        #expect(report.ledger[.assertionClientData] == .passed)
    }

    @Test(
        "A member without readable bytes is an error that says what to log",
        arguments: [
            ("clientDataJSON", JSONValue.object([:]), "has no bytes; log credential.toJSON()"),
            ("attestationObject", .text("[object ArrayBuffer]"), "has no bytes; log credential.toJSON()"),
            ("clientDataJSON", ["type": "webauthn.create", "challenge": "AAAA"], "is the decoded object"),
            ("attestationObject", [1, 256], "has no bytes"), ("attestationObject", [-1, 200], "has no bytes"),
            ("attestationObject", ["0": 1, "2": 3], "has no bytes: its index 1 is missing"),
            ("attestationObject", [1, 300], "has no bytes: its item 1, 300, is not a byte"),
            (
                "attestationObject", .text(String(repeating: "a3", count: 20) + "6"),
                "has 41 hexadecimal digits, an odd number; add the missing digit"
            ), ("attestationObject", .text(String(repeating: "a3", count: 21) + "6"), "has 43 hexadecimal digits"),
            ("attestationObject", "not bytes!", "is not base64url; give its bytes in base64url"),
            ("attestationObject", "o2Nm+bX_k", "is not base64url"), ("attestationObject", true, "is not a text"),
        ] as [(String, JSONValue, String)])
    func unreadableBytesAreErrors(member: String, value: JSONValue, words: String) async throws {
        let (registration, _) = try await CaptureTests.responses(of: "pixel-fingerprint")
        let response = try Self.changed(JSONValue(encoding: registration), [member]) { _ in value }
        let error = #expect(throws: CaptureError.self) {
            try Capture(parsing: response.bytes(), CaptureSettings(now: CaptureTests.now))
        }
        #expect(error?.description.hasPrefix("`response.\(member)` \(words)") == true, "\(error as Any)")
    }

    @Test("An ID may have the form of the other bytes", arguments: forms)
    func anIDInAnotherFormIsRead(form: Form, words: String) async throws {
        let (registration, _) = try await CaptureTests.responses(of: "pixel-fingerprint")
        var response = try #require(
            try Self.changed(JSONValue(encoding: registration), Self.names, form.write).object)
        response["id"] = response["rawId"]
        let report = try await Capture(
            parsing: JSONValue.object(response).bytes(), CaptureSettings(now: CaptureTests.now)
        )
        .verify()
        #expect(report.ledger[.registrationResponse] == .passed, "\(report.ledger)")
    }

    @Test func aShortTextBesideHexadecimalMembersIsNoted() async throws {
        let (_, assertion) = try await CaptureTests.responses(of: "pixel-fingerprint")
        for handle in ["757365722d31", "0x757365722d31", "AQIDBA"] {
            let changed = try Self.changed(JSONValue(encoding: assertion), ["authenticatorData", "signature"]) {
                .text(Hex.encode($0))
            }
            var whole = try #require(changed.object)
            var inner = try #require(whole["response"]?.object)
            inner["userHandle"] = .text(handle)
            whole["response"] = .object(inner)
            let report = try await Capture(
                parsing: JSONValue.object(whole).bytes(), CaptureSettings(now: CaptureTests.now)
            ).verify()
            let isNoted = report.notes.contains {
                $0.contains("`response.userHandle` is read as base64url, of 9 bytes")
                    && $0.contains("write 0x before them")
            }
            #expect(isNoted == (handle == "757365722d31"), "\(report.notes)")
        }
    }

    @Test func theObjectAtTheEndOfALogsLineIsItsDocument() {
        let object = #"{"id":"AQ","response":{}}"#
        for prefix in ["", "2026-11-27 18:00:01 INFO ", #"[web] {"level":"info"} "#, "a { b "] {
            #expect(LoggedLine.document(in: Array((prefix + object).utf8)) == Array(object.utf8))
        }
        #expect(LoggedLine.document(in: Array("no object { here".utf8)) == Array("no object { here".utf8))
    }

    @Test func membersWithOnePossibleValueMayBeMissingOrNull() async throws {
        let (registration, _) = try await CaptureTests.responses(of: "pixel-fingerprint")
        let whole = try #require(try JSONValue(encoding: registration).object)
        let settings: CaptureSettings = {
            var settings = CaptureSettings(now: CaptureTests.now)
            (settings.challenge, settings.origins) = (Base64URL.encode(CaptureTests.challenge), [CaptureTests.origin])
            settings.relyingPartyID = "example.org"
            return settings
        }()
        for name in ["id", "rawId", "type", "clientExtensionResults", "authenticatorAttachment"] {
            for value in [nil, JSONValue.null] {
                var members = whole
                members[name] = value
                let report = try await Capture(parsing: JSONValue.object(members).bytes(), settings).verify()
                #expect(report.accepted, "\(name): \(report.ledger.failures)")
                #expect(report.notes.contains { $0.hasPrefix("`\(name)`") } == (name != "authenticatorAttachment"))
            }
        }
        var flat = try #require(whole["response"]?.object)
        (flat["id"], flat["userHandle"]) = (whole["id"], "")
        #expect(try await Capture(parsing: JSONValue.object(flat).bytes(), settings).verify().accepted)

        var padded = whole
        let id = registration.rawId.bytes
        padded["id"] = .text(Data(id).base64EncodedString() + (id.count.isMultiple(of: 3) ? "=" : ""))
        let refused = try await Capture(parsing: JSONValue.object(padded).bytes(), settings).verify()
        #expect(refused.ledger.failures.map(\.step) == [.registrationResponse])
    }

    @Test func clientDataMayBeItsText() async throws {
        let (registration, _) = try await CaptureTests.responses(of: "pixel-fingerprint")
        let response = try Self.changed(JSONValue(encoding: registration), ["clientDataJSON"]) {
            .text(String(decoding: $0, as: UTF8.self))
        }
        let report = try await Capture(parsing: response.bytes(), CaptureSettings(now: CaptureTests.now)).verify()
        #expect(report.result == .unverified && report.ledger[.clientDataJSON] == .passed)
        #expect(report.notes.contains { $0.contains("plain text") })
    }

    @Test("A bare point whose first byte is that of a SEQUENCE is a point")
    func aPointIsNoSequence() async throws {
        let (_, assertion) = try await CaptureTests.responses(of: "pixel-fingerprint")
        let point = try #require(
            Hex.decode(
                "3000000000000000000000000000000000000000000000000000000000000004"
                    + "1ef8a16296de65f27bc2d51fdd84b94f4128df2c935684e9efd78bf4c5c7957c"))
        let capture = try Capture(
            parsing: JSONValue.object([
                "response": JSONValue(encoding: assertion), "options": JSONValue(encoding: CaptureTests.request),
                "origin": .text(CaptureTests.origin),
                "record": ["publicKey": .text(Base64URL.encode(point)), "signCount": 0],
            ]).bytes(), CaptureSettings(now: CaptureTests.now))
        let report = await capture.verify()
        #expect(report.notes.contains { $0.contains("a bare point of P-256") })
        #expect(report.ledger[.signature] != .passed)
    }

    @Test(
        "A stored key without its format is read as P-256, or explained",
        arguments: [
            (64, nil), (65, nil), (33, "is a compressed point"), (32, "is a bare key or coordinate of 32 bytes"),
        ] as [(Int, String?)])
    func aBarePointIsReadOrExplained(count: Int, words: String?) async throws {
        let (registration, assertion) = try await CaptureTests.responses(of: "pixel-fingerprint")
        let info = try #require(registration.response.publicKey?.bytes)
        let point = Array(info.suffix(65))
        let key: [UInt8] =
            switch count {
            case 64: Array(point.dropFirst())
            case 65: point
            case 33: [2] + point[1...32]
            default: Array(point[1...32])
            }
        func parse(_ key: [UInt8]) throws -> Capture {
            try Capture(
                parsing: JSONValue.object([
                    "response": JSONValue(encoding: assertion), "options": JSONValue(encoding: CaptureTests.request),
                    "origin": .text(CaptureTests.origin),
                    "record": ["publicKey": .text(Base64URL.encode(key)), "signCount": 0],
                ]).bytes(), CaptureSettings(now: CaptureTests.now))
        }
        if let words {
            let error = #expect(throws: CaptureError.self) { try parse(key) }
            #expect(error?.description.hasPrefix("`record.publicKey` \(words)") == true, "\(error as Any)")
        } else {
            let report = try await parse(key).verify()
            #expect(report.ledger[.signature] == .passed)
            #expect(report.notes.contains { $0.contains("a bare point of P-256") })
            let error = #expect(throws: CaptureError.self) { try parse(key.dropLast() + [(key.last ?? 0) ^ 1]) }
            #expect(error?.description.contains("is not a point of P-256") == true, "\(error as Any)")
        }
    }
}
