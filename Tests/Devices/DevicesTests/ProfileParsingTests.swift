import Biometrics
import COSE
import DeviceProfiles
import Documents
import Foundation
import PlatformErrors
import ProfileFiles
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Profile files")
struct ProfileParsingTests {
    static let good = """
        name: test
        title: A test
        platform: ios
        authenticator:
          aaguid: 01020304-0506-0708-0102-030405060708
          attachment: platform
          transports: [internal]
          algorithms: [ES256, EdDSA]
          client-pin: true
          backup: { eligible: true, state: true }
          limits:
            message: 2048
        sensor:
          modality: face
          templates:
            - owner
            - other
        device-credential: passcode
        lockout:
          attempts-per-prompt: 2
          permanent-at: 5
          credential-fallback: true
          prompt-timeout: 60 s
          invalidation: anyChange
        """

    static func error(in text: String) -> SourceError? {
        do {
            _ = try DeviceProfile(parsing: text, file: "p.yaml")
            return nil
        } catch {
            return error
        }
    }

    @Test func aGoodProfileIsReadInFull() throws {
        let profile = try DeviceProfile(parsing: Self.good, file: "p.yaml")
        #expect(profile.name == "test")
        #expect(profile.platform == .ios)
        #expect(profile.authenticator.isPlatform)
        #expect(profile.authenticator.algorithms == [.es256, .edDSA])
        #expect(profile.authenticator.supportsClientPIN)
        #expect(profile.authenticator.isBackupEligible && profile.authenticator.isBackedUp)
        #expect(profile.authenticator.maxMsgSize == 2048)
        #expect(profile.sensor?.templates.map(\.name) == ["owner", "other"])
        #expect(profile.sensor?.templates.map(\.id) == [[1], [2]])
        #expect(profile.deviceCredential == .passcode)
        #expect(profile.lockout?.promptTimeout == .seconds(60))
        #expect(profile.gate?.isConfigured == true)
    }

    /// One change to the good profile, its line, and the expected part of the message.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let line: Int?
        let says: String

        init(_ old: String, _ new: String, _ line: Int?, _ says: String) {
            self.old = old
            self.new = new
            self.line = line
            self.says = says
        }

        var testDescription: String { new }
    }

    @Test(arguments: [
        // Unknown keys, at every level.
        Wrong("title: A test", "titel: A test", 2, "unknown key titel; expected one of authenticator, "),
        Wrong("  client-pin: true", "  client-pins: true", 9, "unknown key client-pins in authenticator"),
        Wrong("    message: 2048", "    mesage: 2048", 12, "unknown key mesage in authenticator.limits"),
        Wrong("eligible: true", "eligable: true", 10, "unknown key eligable in authenticator.backup"),
        Wrong("  modality: face", "  modalty: face", 14, "unknown key modalty in sensor"),
        Wrong("  permanent-at: 5", "  permanent: 5", 21, "unknown key permanent in lockout"),
        // Missing keys: the mapping that lacks them begins on the line after its own key.
        Wrong("name: test\n", "", 1, "name is missing"),
        Wrong("platform: ios\n", "", 1, "platform is missing"),
        Wrong("  transports: [internal]\n", "", 5, "authenticator: transports is missing"),
        Wrong("  attachment: platform\n", "", 5, "authenticator: attachment is missing"),
        Wrong("eligible: true, ", "", 10, "authenticator.backup: eligible is missing"),
        Wrong("  invalidation: anyChange", "", 20, "lockout: invalidation is missing"),
        Wrong("name: test", "name:", 1, "name is missing"),
        Wrong("name: test", "name: ~", 1, "name is missing"),
        // Wrong types.
        Wrong("title: A test", "title: [a]", 2, "title: expected text, found a list"),
        Wrong(
            "  client-pin: true", "  client-pin: yes", 9,
            "authenticator.client-pin: expected true or false, found \"yes\""),
        Wrong("  client-pin: true", "  client-pin: \"true\"", 9, "expected true or false"),
        Wrong(
            "    message: 2048", "    message: two", 12,
            "authenticator.limits.message: expected a whole number, found \"two\""),
        Wrong("    message: 2048", "    message: 2048.5", 12, "expected a whole number"),
        Wrong("    message: 2048", "    message: \"2048\"", 12, "expected a whole number"),
        Wrong("[ES256, EdDSA]", "ES256", 8, "authenticator.algorithms: expected a list, found \"ES256\""),
        Wrong("[internal]", "[[internal]]", 7, "authenticator.transports[0]: expected text, found a list"),
        Wrong(
            "backup: { eligible: true, state: true }", "backup: true", 10, "authenticator.backup: expected a mapping"),
        Wrong(
            "  prompt-timeout: 60 s", "  prompt-timeout: 60", 23,
            "lockout.prompt-timeout: expected a span such as \"30 s\""),
        Wrong("  prompt-timeout: 60 s", "  prompt-timeout: 60 h m", 23, "expected a span"),
        Wrong("  prompt-timeout: 60 s", "  prompt-timeout: 60 y", 23, "expected ms, s, min, h or d"),
        Wrong("  prompt-timeout: 60 s", "  prompt-timeout: -1 s", 23, "expected a span"),
        // Out of range.
        Wrong("    message: 2048", "    message: 1023", 12, "expected 1024 to 7609, found 1023"),
        Wrong("    message: 2048", "    message: 7610", 12, "expected 1024 to 7609, found 7610"),
        Wrong("    message: 2048", "    message: 99999999999999999999", 12, "expected a whole number"),
        Wrong("    message: 2048", "    list: 0", 12, "expected 1 to 1000, found 0"),
        Wrong("    message: 2048", "    credential-id: 1024", 12, "expected 128 to 1023"),
        Wrong("  client-pin: true", "  min-pin-length: 3", 9, "expected 4 to 63, found 3"),
        Wrong("  client-pin: true", "  max-pin-retries: 9", 9, "expected 1 to 8, found 9"),
        Wrong("  client-pin: true", "  pin-protocols: [3]", 9, "authenticator.pin-protocols[0]: expected 1 or 2"),
        Wrong("  permanent-at: 5", "  permanent-at: 26", 21, "permanent-at is 26, but must lie between 1 and 25"),
        Wrong("  permanent-at: 5", "  permanent-at: 0", 21, "permanent-at is 0"),
        Wrong(
            "  attempts-per-prompt: 2", "  attempts-per-prompt: 0", 20,
            "attempts-per-prompt is 0, but must be at least 1"
        ),
        Wrong("  attempts-per-prompt: 2", "  timed-every: 6", 20, "timed-every is 6"),
        Wrong(
            "  prompt-timeout: 60 s", "  prompt-timeout: 367 d", 23, "prompt-timeout must be positive, at most 366 days"
        ),
        Wrong("  prompt-timeout: 60 s", "  prompt-timeout: 0 s", 23, "prompt-timeout must be positive"),
        // Unknown names.
        Wrong(
            "platform: ios", "platform: beos", 3,
            "platform: expected one of ios, macos, android, windows, security-key, found \"beos\""),
        Wrong("attachment: platform", "attachment: roaming", 6, "authenticator.attachment: expected one of"),
        Wrong("[internal]", "[internal, telepathy]", 7, "authenticator.transports[1]: expected one of usb, nfc"),
        Wrong("[ES256, EdDSA]", "[ES256, RS1]", 8, "authenticator.algorithms[1]: expected one of ES256"),
        Wrong(
            "modality: face", "modality: gait", 14, "sensor.modality: expected one of fingerprint, face, iris, voice"),
        Wrong("device-credential: passcode", "device-credential: song", 18, "device-credential: expected one of"),
        Wrong("  client-pin: true", "  discoverable: sometimes", 9, "expected one of onRequest, always, never"),
        Wrong("  client-pin: true", "  counter: weekly", 9, "expected one of none, perCredential, global"),
        Wrong(
            "  client-pin: true", "  attestation: [safetynet]", 9,
            "authenticator.attestation[0]: expected one of none, packed"),
        Wrong("  client-pin: true", "  versions: [FIDO_2_2]", 9, "authenticator.versions[0]"),
        Wrong("  client-pin: true", "  versions: [FIDO_2_1]", 9, "FIDO_2_1 needs the extension credProtect"),
        // AAGUIDs.
        Wrong("-0102-030405060708", "-0102-03040506070", 5, "authenticator.aaguid: expected an AAGUID such as"),
        Wrong("01020304-0506", "0102030405-06", 5, "expected an AAGUID"),
        Wrong("01020304-0506", "0102030g-0506", 5, "expected an AAGUID"),
        // Contradictions between settings.
        Wrong("eligible: true", "eligible: false", 5, "backup.state is true, but backup.eligible is not"),
        Wrong("  client-pin: true", "  no-pin-for-credentials: true", 5, "no-pin-for-credentials needs client-pin"),
        Wrong("    - other", "    - owner", 17, "\"owner\" is enrolled twice"),
        Wrong("  templates:", "  max-templates: 1\n  templates:", 18, "the sensor holds at most 1 template"),
        // Empty lists and impossible values.
        Wrong("[ES256, EdDSA]", "[]", 8, "authenticator.algorithms: expected an algorithm"),
        Wrong("[internal]", "[]", 7, "authenticator.transports: expected a transport"),
        Wrong("  permanent-at: 5", "  permanent-at: 5\n  timed-at: []", 22, "lockout.timed-at: expected numbers"),
        Wrong(
            "  permanent-at: 5", "  permanent-at: 5\n  timed-duration: 10 s", 22,
            "lockout.timed-duration: has no effect without timed-every or timed-at; add one of them, or remove timed-duration"
        ),
        Wrong("  permanent-at: 5", "  timed-at: [7, 9]\n  permanent-at: 5", 21, "timed-at is 9, but permanent-at is 5"),
        Wrong(
            "    message: 2048", "    credential-id: 128\n  credential-id-length: 129", 13,
            "authenticator.credential-id-length: is 129, but limits.credential-id is 128"),
        Wrong(
            "platform: ios", "platform: ios\nhardware: ../../../etc/passwd", 4,
            "hardware: expected a name in hardware/keys"),
        Wrong("platform: ios", "platform: ios\nhardware: ..", 4, "hardware: expected a name in hardware/keys"),
        Wrong(
            "platform: ios", "platform: ios\nunverified: [lockout, authenticator.nothing]", 4,
            "unverified[1]: this profile has no setting \"authenticator.nothing\"; correct the path or remove it"),
        Wrong("    - other", "    - \"\"", 17, "sensor.templates[1]: expected text, found nothing"),
        Wrong("    - other", "    - \"a\\tb\"", 17, "expected one line without control characters"),
        Wrong("title: A test", "title: \"\"", 2, "title: expected text, found nothing"),
        Wrong("title: A test", "title: \"A\\ntest\"", 2, "title: expected one line without control characters"),
        Wrong("title: A test", "title: \"A\\etest\"", 2, "title: expected one line without control characters"),
        Wrong(
            "platform: ios", "platform: android\nfaces: { no-credential: notInteractive }", 4,
            "faces.no-credential: has no effect on Android; choose one of "),
        // YAML itself.
        Wrong("name: test", "name: test\nname: other", 1, "name is given twice"),
        Wrong("  client-pin: true", "  client-pin: true\n  client-pin: false", 9, "client-pin is given twice"),
        Wrong("title: A test", "title: [A test", 3, "not YAML"),
        Wrong("title: A test", "title: \"A test", nil, "not YAML"),
        Wrong("title: A test", "\ttitle: A test", 2, "not YAML"),
        Wrong("title: A test", "title: A\u{1}test", 2, "not YAML"),
        Wrong("title: A test", "? [a]\n: b", 2, "keys must be plain text"),
        Wrong("title: A test", "title: &a A test", 2, "YAML anchors and aliases are not allowed; repeat the value"),
        Wrong("title: A test", "title: *a", 2, "YAML anchors and aliases are not allowed; repeat the value"),
    ])
    func aMistakeIsReportedWithItsLine(wrong: Wrong) throws {
        try #require(Self.good.contains(wrong.old))
        let text = Self.good.replacingOccurrences(of: wrong.old, with: wrong.new)
        let error = try #require(Self.error(in: text))
        #expect(error.message.contains(wrong.says), "\(error)")
        if let line = wrong.line { #expect(error.line == line, "\(error)") }
        let place = [error.line, error.column].compactMap { $0.map(String.init) }
        #expect(error.description == (["p.yaml"] + place).joined(separator: ":") + ": \(error.message)")
    }

    // MARK: USB

    private static func usb(_ section: String, transports: String = "[usb]") throws(SourceError) -> USBIdentity? {
        try DeviceProfile(
            parsing: """
                name: key
                title: A key
                platform: security-key
                usb: \(section)
                authenticator:
                  aaguid: 01020304-0506-0708-0102-030405060708
                  attachment: cross-platform
                  transports: \(transports)
                """, file: "k.yaml"
        ).usb
    }

    @Test func aUSBIdentityIsReadInHexadecimalAndDecimal() throws {
        let name = "Yubico YubiKey FIDO"
        let expected = USBIdentity(vendorID: 0x1050, productID: 0x0402, name: name)
        #expect(try Self.usb("{ vendor: 0x1050, product: 0x0402, name: \(name) }") == expected)
        #expect(try Self.usb("{ vendor: 4176, product: 1026, name: \(name) }") == expected)
        #expect(expected.id == "1050:0402")
        #expect(USBIdentity(vendorID: 0xFFFF, productID: 0, name: "").id == "ffff:0000")
        #expect(try DeviceProfile(parsing: Self.good, file: "p.yaml").usb == nil)
    }

    @Test(arguments: [
        ("{ vendor: 0x10000, product: 1, name: a }", "usb.vendor: expected 1 to 65535, found 0x10000"),
        ("{ vendor: 0, product: 1, name: a }", "usb.vendor: expected 1 to 65535, found 0"),
        ("{ vendor: 1, product: 0x1FFFF, name: a }", "usb.product: expected 0 to 65535, found 0x1FFFF"),
        ("{ vendor: 1, product: 0x, name: a }", "usb.product: expected a whole number, found \"0x\""),
        ("{ vendor: 1, product: 0x-1, name: a }", "expected a whole number"),
        ("{ vendor: 1, product: 0xFG, name: a }", "expected a whole number"),
        ("{ vendor: 1, product: \"0x0402\", name: a }", "expected a whole number"),
        ("{ vendor: 1, product: 0xFFFFFFFFFFFFFFFFFF, name: a }", "expected a whole number"),
        ("{ product: 1, name: a }", "usb: vendor is missing"),
        ("{ vendor: 1, name: a }", "usb: product is missing"),
        ("{ vendor: 1, product: 1 }", "usb: name is missing"),
        ("{ vendor: 1, product: 1, name: a, serial: 1 }", "unknown key serial in usb"),
        ("{ vendor: 1, product: 1, name: \"a\\nb\" }", "usb.name: a name must not contain control characters"),
        (
            "{ vendor: 1, product: 1, name: \(String(repeating: "é", count: 64)) }",
            "usb.name: expected at most 127 bytes, found 128"
        ),
        ("1050:0402", "usb: expected a mapping"),
    ])
    func aWrongUSBIdentityIsReportedWithItsLine(section: String, says: String) {
        let error = #expect(throws: SourceError.self) { try Self.usb(section) }
        #expect(error?.message.contains(says) == true, "\(String(describing: error))")
        #expect(error?.line == 4)
    }

    @Test func aUSBIdentityNeedsTheTransport() {
        let error = #expect(throws: SourceError.self) {
            try Self.usb("{ vendor: 1, product: 1, name: a }", transports: "[nfc]")
        }
        #expect(
            error?.description
                == "k.yaml:4:6: usb: usb needs the transport usb; add it to authenticator.transports, or remove usb")
    }

    @Test func aKeyHasNoProtectionOfStolenDevices() throws {
        let error = #expect(throws: SourceError.self) {
            try Self.usb("{ vendor: 1, product: 1, name: a }\ntheft-protection: false")
        }
        #expect(error?.line == 5)
        #expect(error?.message == "theft-protection: has an effect on iOS and Android only; remove theft-protection")
    }

    @Test func aSensorNeedsALockoutAndALockoutNeedsASensor() throws {
        let lockout = try #require(Self.good.range(of: "lockout:"))
        let without = String(Self.good[..<lockout.lowerBound])
        #expect(Self.error(in: without)?.message.contains("needs a lockout section") == true)
        let sensor = try #require(without.range(of: "sensor:"))
        let credentialOnly = without[..<sensor.lowerBound] + "device-credential: pin\n"
        #expect(
            Self.error(in: String(credentialOnly))
                == SourceError(
                    file: "p.yaml", line: 13, column: 20,
                    message:
                        "device-credential: a device credential needs a lockout section; add lockout, or remove device-credential"
                )
        )
        let nothing = without[..<sensor.lowerBound] + Self.good[lockout.lowerBound...]
        #expect(Self.error(in: String(nothing))?.line == 14)
        #expect(Self.error(in: String(nothing))?.message.contains("needs a sensor or a device credential") == true)
        #expect(Self.error(in: String(without[..<sensor.lowerBound])) == nil)
    }

    @Test func allMistakesAreReportedInTheOrderOfTheFile() throws {
        let several = Self.good
            .replacing("title: A test", with: "title: [a]").replacing("platform: ios", with: "platform: beos")
            .replacing("  client-pin: true", with: "  client-pins: true").replacing("face", with: "gait")
        let error = try #require(Self.error(in: several))
        #expect(error.line == 2)
        let messages = error.each.map(\.message)
        for part in ["title", "platform", "unknown key client-pins in authenticator", "gait"] {
            #expect(messages.contains { $0.contains(part) }, "\(part): \(messages)")
        }
        #expect(error.each.map { $0.line ?? 0 } == error.each.map { $0.line ?? 0 }.sorted())
        #expect(error.description.split(separator: "\n").count == error.each.count)
        let fewer = several.replacing("title: [a]", with: "title: A test").replacing("beos", with: "ios")
        #expect(Self.error(in: fewer)?.message.contains("unknown key client-pins in authenticator") == true)
    }

    @Test(arguments: ["", "\n\n", "# only a comment\n", "---\n"])
    func anEmptyFileIsReported(text: String) throws {
        let error = try #require(Self.error(in: text))
        #expect(error.message.contains("empty") || error.message.contains("expected a mapping, found nothing"))
    }

    @Test func aFileThatIsNotAMappingOrHasSeveralDocumentsIsRefused() {
        #expect(Self.error(in: "- a\n- b\n")?.message == "expected a mapping, found a list")
        #expect(Self.error(in: "text")?.message == "expected a mapping, found \"text\"")
        #expect(Self.error(in: Self.good + "\n---\nname: second\n")?.message.contains("not YAML") == true)
    }

    @Test func onlyTheBeginningOfAnotherKindOfFileIsRepeated() throws {
        let error = try #require(
            Self.error(in: "root of all\n  and its password\n" + String(repeating: "x", count: 99)))
        #expect(error.message.count < 100)
        let text = try #require(Self.error(in: "one: \(String(repeating: "x", count: 99))\n".dropFirst(5).description))
        #expect(text.message == "expected a mapping, found \"\(String(repeating: "x", count: 60))…\"")
    }

    @Test func nestedAliasesAreRefusedBeforeTheyGrow() throws {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...60 {
            let alias = "*a\(level - 1)"
            text += "a\(level): &a\(level) [\(Array(repeating: alias, count: 9).joined(separator: ", "))]\n"
        }
        #expect(Self.error(in: text)?.message.contains("anchors and aliases") == true)
    }

    // MARK: Files

    /// Runs a test in a temporary directory.
    private static func inDirectory(_ body: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "profiles-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory)
    }

    @Test func aFileThatIsNotUTF8OrIsMissingIsReported() throws {
        try Self.inDirectory { directory in
            let path = directory.appending(path: "test.yaml")
            try Data([0x6E, 0xFF, 0xFE]).write(to: path)
            #expect(throws: SourceError(file: path.path, line: nil, message: "the file is not UTF-8")) {
                try ProfileLibrary.read(path.path)
            }
            let absent = directory.appending(path: "absent.yaml").path
            let contents = "the file was not found; its folder has test.yaml"
            #expect(throws: SourceError(file: absent, line: nil, message: contents)) {
                try ProfileLibrary.read(absent)
            }
            let misspelt = directory.appending(path: "tests.yaml").path
            let question = "the file was not found; did you mean test.yaml?"
            #expect(throws: SourceError(file: misspelt, line: nil, message: question)) {
                try ProfileLibrary.read(misspelt)
            }
        }
    }

    @Test func aFileHasTheNameOfItsProfile() throws {
        try Self.inDirectory { directory in
            let path = directory.appending(path: "other.yaml")
            try Data(Self.good.utf8).write(to: path)
            let error = #expect(throws: SourceError.self) { try ProfileLibrary.read(path.path) }
            #expect(error?.message == "the file is named other, but its profile is named test")
        }
    }

    @Test(arguments: [
        ("nokia", "unknown profile \"nokia\"; `touchstone profiles list` lists them"),
        (
            "iphone-15",
            "unknown profile \"iphone-15\"; did you mean iphone-face-id, iphone-face-id-older, iphone-touch-id?"
        ),
    ])
    func anUnknownNameIsAnsweredWithTheNearestNames(name: String, message: String) throws {
        let error = #expect(throws: SourceError.self) { try Shop.library.profile(name) }
        #expect(error?.message == message)
        let nowhere = ProfileLibrary(directory: "/nowhere/at/all")
        #expect(throws: SourceError(file: "/nowhere/at/all", line: nil, message: "the directory cannot be read")) {
            try nowhere.profile("nokia")
        }
    }
}
