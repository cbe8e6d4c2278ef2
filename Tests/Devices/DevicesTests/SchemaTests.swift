import DeviceProfiles
import Documents
import Foundation
import ProfileFiles
import TestSupport
import Testing

@Suite("The JSON Schema of profiles")
struct SchemaTests {
    private static let directory = PackageRoot.url.appending(path: "profiles")

    @Test func theShippedFileEqualsTheProgramsOutput() throws {
        let file = try String(contentsOf: Self.directory.appending(path: "schema.json"), encoding: .utf8)
        #expect(file == ProfileSchema.json, "touchstone profiles schema > profiles/schema.json")
    }

    @Test(arguments: Shop.names)
    func everyShippedProfileNamesTheSchema(name: String) throws {
        let text = try String(contentsOf: Self.directory.appending(path: "\(name).yaml"), encoding: .utf8)
        #expect(text.hasPrefix("# yaml-language-server: $schema=./schema.json\n"))
    }

    @Test func theSchemaIsNotListedAsAProfile() throws {
        #expect(try Shop.library.files().allSatisfy { $0.hasSuffix(".yaml") })
    }

    // MARK: The reader's keys and the schema's

    private static func schema() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(ProfileSchema.json.utf8)) as? [String: Any])
    }

    /// The schema at a path of keys.
    private static func node(_ path: [String]) throws -> [String: Any] {
        try path.reduce(try schema()) { node, key in
            let properties = try #require(node["properties"] as? [String: Any])
            return try #require(properties[key] as? [String: Any])
        }
    }

    static let mappings: [String] = [
        "", "usb", "faces", "passkey-exchange", "sensor", "sensor.lockout", "lockout", "authenticator",
        "authenticator.backup",
        "authenticator.limits", "authenticator.hybrid",
        "authenticator.min-pin-length-rp-ids", "authenticator.management", "authenticator.management.bio-enrollment",
        "authenticator.management.enterprise-attestation",
    ]

    /// The reader's error about an unknown key lists the known ones.
    @Test(arguments: mappings)
    func theSchemaHasTheKeysOfTheReader(path: String) throws {
        let keys = path.split(separator: ".").map(String.init)
        let line = keys.reversed().reduce("no-such-key: 1") { "\($1): { \($0) }" }
        let text = "name: test\ntitle: A test\nextends: security-key-complete\n\(line)\n"
        let file = Self.directory.appending(path: "test.yaml").path
        let error = try #require(#expect(throws: SourceError.self) { try DeviceProfile(parsing: text, file: file) })
        let names = try #require(error.message.split(separator: "expected one of ").last).split(separator: ", ")
        let node = try Self.node(keys)
        let properties = try #require(node["properties"] as? [String: Any])
        #expect(Set(names.map(String.init)) == Set(properties.keys))
        #expect(node["additionalProperties"] as? Bool == false)
    }

    @Test func everyMappingIsCompared() throws {
        func paths(_ node: [String: Any], _ path: [String]) -> [String] {
            guard let properties = node["properties"] as? [String: Any] else { return [] }
            return [path.joined(separator: ".")]
                + properties.flatMap { key, value in paths(value as? [String: Any] ?? [:], path + [key]) }
        }
        #expect(Set(paths(try Self.schema(), [])) == Set(Self.mappings))
    }

    @Test func everyKeyIsDescribed() throws {
        func check(_ node: [String: Any], _ path: String) {
            for (key, value) in node["properties"] as? [String: Any] ?? [:] {
                let member = value as? [String: Any] ?? [:]
                #expect((member["description"] as? String)?.isEmpty == false, "\(path).\(key)")
                check(member, "\(path).\(key)")
            }
        }
        check(try Self.schema(), "")
    }

    // MARK: The reference

    @Test func theReferenceHasEveryKeyOfTheSchemaWithItsMeaning() throws {
        // The keys of `faces` are the settings of the table of platform errors.
        func keys(_ node: [String: Any]) -> [(name: String, meaning: String)] {
            let members = (node["properties"] as? [String: Any] ?? [:]).compactMapValues { $0 as? [String: Any] }
            let own = members.compactMap { name, member in (member["description"] as? String).map { (name, $0) } }
            let items = (node["items"] as? [String: Any]).map { [$0] } ?? []
            let forms = node["anyOf"] as? [[String: Any]] ?? []
            let below = members.filter { $0.key != "faces" }.values + items + forms
            return own + below.flatMap(keys)
        }
        let listed = ProfileReference.sections.flatMap(\.keys)
        let declared = keys(try Self.schema())
        #expect(declared.count > 100)
        for (name, meaning) in declared {
            let isListed = listed.contains { key in
                key.name.split(separator: ".").last.map(String.init) == name && meaning.hasPrefix(key.meaning)
            }
            #expect(isListed, "\(name): \(meaning)")
        }
    }

    @Test func theReferencesPageHasTheFormOfEachKey() throws {
        let page = ProfileReference.markdown
        let sections = ProfileReference.sections
        #expect(sections.map(\.path).first == "profile")
        for section in sections {
            #expect(page.contains("## `\(section.path)`\n"))
            for key in section.keys { #expect(page.contains("| `\(key.name)` | \(key.value) | \(key.meaning) |")) }
        }
        #expect(page.contains("| `aaguid` | AAGUID; required | "))
        #expect(page.contains("| `strong-authentication[].since-unlock` | span | "))
        #expect(page.contains("| `limits.message` | 1024 to 7609 | "))
    }

    // MARK: Checked with an independent validator

    /// The validator's verdict on each text.
    private static func verdicts(_ texts: [String]) async throws -> [String] {
        try await SchemaValidator.verdicts(on: texts, schema: ProfileSchema.json)
    }

    @Test func everyShippedProfileIsValidAsItStandsAndMerged() async throws {
        let files = try Shop.names.map {
            try String(contentsOf: Self.directory.appending(path: "\($0).yaml"), encoding: .utf8)
        }
        let merged = try Shop.names.map { try Shop.library.profile($0).text }
        let verdicts = try await Self.verdicts(files + merged)
        #expect(verdicts.count == 2 * Shop.names.count)
        for (name, verdict) in zip(Shop.names + Shop.names, verdicts) { #expect(verdict == "ok", "\(name)") }
    }

    private static let good = """
        name: test
        title: A test
        platform: ios
        authenticator:
          aaguid: 01020304-0506-0708-0102-030405060708
          attachment: platform
          transports: [internal]
          limits: { message: 2048 }
          management: { credentials: yes }
        sensor: { modality: face, class: 3 }
        device-credential: passcode
        faces: { passkey-without-setup: 1004 }
        lockout: { permanent-at: 5, prompt-timeout: 60 s, invalidation: anyChange }
        """

    static let broken: [(old: String, new: String)] = [
        ("platform: ios", "platform: beos"), ("platform: ios", "colour: red"), ("platform: ios", ""),
        ("title: A test", ""), ("title: A test", "title: [A, test]"), ("name: test", ""),
        ("-030405060708", "-03040506070"), ("attachment: platform", "attachment: roaming"),
        ("attachment: platform", ""),
        ("[internal]", "internal"), ("[internal]", "[telepathy]"), ("message: 2048", "message: 1"),
        ("message: 2048", "message: \"2048\""), ("{ message: 2048 }", "2048"),
        ("credentials: yes", "credentials: maybe"),
        ("class: 3", "class: 4"), ("modality: face, ", ""), ("device-credential: passcode", "device-credential: smile"),
        ("passkey-without-setup: 1004", "passkey-without-setup: 1005"), ("passkey-without-setup", "no-such-setting"),
        ("prompt-timeout: 60 s", "prompt-timeout: 60"), ("prompt-timeout: 60 s", "prompt-timeout: a minute"),
        ("permanent-at: 5", "permanent-at: 26"), (", invalidation: anyChange", ""),
        ("lockout:", "sources: one\nlockout:"), ("lockout:", "usb: { vendor: 0 }\nlockout:"),
        ("lockout:", "kind: toaster\nlockout:"),
        ("device-credential: passcode", "device-credential: { delays: [] }"),
        ("device-credential: passcode", "device-credential: { kind: pin, permanently: sulks, permanent-at: 3 }"),
        ("permanent-at: 5", "permanent-at: sometimes"), ("permanent-at: 5", "permanent-at: 5, confirmation: perhaps"),
        ("permanent-at: 5", "permanent-at: 5, strong-authentication: [{ since-lunch: 4 h }]"),
        ("class: 3", "class: 3, latency: soon"), ("class: 3", "class: 3, lockout: { timed-every: none }"),
        ("lockout:", "sensors: { modality: face }\nlockout:"),
    ]

    @Test func brokenProfilesAreRefusedByTheReaderAndTheSchema() async throws {
        _ = try DeviceProfile(parsing: Self.good, file: "p.yaml")
        var texts = [Self.good]
        for (old, new) in Self.broken {
            try #require(Self.good.contains(old))
            let text = Self.good.replacingOccurrences(of: old, with: new)
            texts.append(text)
            #expect(throws: SourceError.self, "\(new)") { try DeviceProfile(parsing: text, file: "p.yaml") }
        }
        let verdicts = try await Self.verdicts(texts)
        #expect(verdicts.first == "ok")
        #expect(verdicts.count == Self.broken.count + 1)
        for ((_, new), verdict) in zip(Self.broken, verdicts.dropFirst()) { #expect(verdict != "ok", "\(new)") }
    }
}
