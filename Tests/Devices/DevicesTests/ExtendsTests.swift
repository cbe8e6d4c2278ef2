import Biometrics
import DeviceProfiles
import Documents
import Faults
import Foundation
import PlatformErrors
import ProfileFiles
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Profiles that extend others")
struct ExtendsTests {
    /// Writes files into a temporary directory and reads one.
    private static func reading<Result>(
        _ files: [String: String], _ name: String = "child", _ body: (DeviceProfile, URL) throws -> Result
    ) throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "extends-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in files {
            let path = directory.appending(path: "\(name).yaml")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
        }
        return try body(try ProfileLibrary.read(directory.appending(path: "\(name).yaml").path), directory)
    }

    private static func error(_ files: [String: String], _ name: String = "child") throws -> SourceError {
        let error = #expect(throws: SourceError.self) { try reading(files, name) { _, _ in } }
        return try #require(error)
    }

    static let base = """
        name: base
        title: A base
        summary: It has everything.
        platform: android
        authenticator:
          aaguid: 01020304-0506-0708-0102-030405060708
          attachment: platform
          transports: [internal, hybrid]
          counter: global
          limits: { message: 2048, list: 10 }
          backup: { eligible: true, state: true }
        sensor: { modality: face, class: 2, templates: [owner], max-templates: 3 }
        device-credential: pin
        lockout: { timed-every: 5, timed-duration: 30 s, permanent-at: 20, invalidation: anyChange }
        faults: [signature]
        unverified: [authenticator.limits, authenticator.counter, sensor.class, lockout, device-credential]
        sources: [the base's]
        """

    private static func child(_ rest: String) -> [String: String] {
        ["base": base, "child": "name: child\ntitle: A child\nextends: base\n" + rest]
    }

    @Test func aProfileInheritsTheKeysItDoesNotSet() throws {
        try Self.reading(Self.child("")) { profile, _ in
            #expect(profile.name == "child")
            #expect(profile.title == "A child")
            #expect(profile.summary == "", "a summary is a profile's own")
            #expect(profile.bases == ["base"])
            #expect(profile.platform == .android)
            #expect(profile.authenticator.maxMsgSize == 2048)
            #expect(profile.sensor?.strengthClass == .class2)
            #expect(profile.lockout?.lockout.permanentAt == 20)
            #expect(profile.faults.map(\.spelling) == ["signature"])
            #expect(profile.sources == ["the base's"])
        }
    }

    @Test func mappingsAreMergedAtEveryDepthAndListsReplaced() throws {
        try Self.reading(
            Self.child(
                """
                authenticator:
                  transports: [internal]
                  limits: { list: 20 }
                sensor: { modality: fingerprint }
                lockout: { permanent-at: 10 }
                sources: [the child's, the base's]
                """)
        ) { profile, _ in
            #expect(profile.authenticator.transports == [.internal])
            #expect(profile.authenticator.maxMsgSize == 2048)
            #expect(profile.authenticator.maxCredentialCountInList == 20)
            #expect(profile.sensor?.modality == .fingerprint)
            #expect(profile.sensor?.maxTemplates == 3)
            #expect(profile.lockout?.lockout.permanentAt == 10)
            #expect(profile.lockout?.lockout.timedEvery == 5)
            #expect(profile.sources == ["the base's", "the child's"])
        }
    }

    @Test(arguments: ["~", "", "null"])
    func anEmptyValueRemovesTheBasesValue(nothing: String) throws {
        try Self.reading(
            Self.child(
                "faults: \(nothing)\nlockout:\n  timed-every: \(nothing)\n  timed-duration: \(nothing)\n"
                    + "authenticator:\n  backup: \(nothing)\n")
        ) { profile, _ in
            #expect(profile.faults.isEmpty)
            #expect(profile.lockout?.lockout.timedEvery == nil)
            #expect(profile.lockout?.lockout.permanentAt == 20)
            #expect(!profile.authenticator.isBackupEligible)
        }
        // A quoted tilde is text.
        let error = try Self.error(Self.child("device-credential: \"~\"\n"))
        #expect(error.message.hasPrefix("device-credential: expected one of"))
    }

    @Test func unverifiedSettingsAreInheritedExceptReplacedOnes() throws {
        try Self.reading(
            Self.child(
                """
                authenticator:
                  counter: none
                  limits: { list: 20 }
                device-credential: password
                sensor: ~
                unverified: [authenticator.counter]
                """)
        ) { profile, _ in
            // Part of the limits and the whole lockout come from the base.
            #expect(Set(profile.unverified) == ["authenticator.limits", "lockout", "authenticator.counter"])
        }
    }

    @Test func aChainOfBasesIsMergedInOrder() throws {
        var files = Self.child("lockout: { permanent-at: 10 }\n")
        files["grandchild"] = "name: grandchild\ntitle: Third\nextends: child\nlockout: { timed-every: 2 }\n"
        try Self.reading(files, "grandchild") { profile, _ in
            #expect(profile.bases == ["child", "base"])
            #expect(profile.lockout?.lockout.permanentAt == 10)
            #expect(profile.lockout?.lockout.timedEvery == 2)
            #expect(profile.lockout?.lockout.timedDuration == .seconds(30))
        }
    }

    @Test func aBaseCanBeAPathOrAShippedProfile() throws {
        let files = [
            "family/base": Self.base, "child": "name: child\ntitle: A child\nextends: family/base.yaml\n",
            "phone": "name: phone\ntitle: A phone\nextends: iphone-face-id\nsensor: { templates: [me] }\n",
        ]
        try Self.reading(files) { profile, _ in #expect(profile.bases == ["base"]) }
        try Self.reading(files, "phone") { profile, _ in
            #expect(profile.sensor?.templates.map(\.name) == ["me"])
            #expect(profile.authenticator.aaguid.description == "fbfc3007-154e-4ecc-8c0b-6e020557d7bd")
        }
    }

    @Test func theMergedTextIsSelfContained() throws {
        let (text, profile) = try Self.reading(Self.child("summary: 'A: \"child\"'\n")) { profile, _ in
            (profile.text, profile)
        }
        #expect(!text.contains("extends"))
        let again = try DeviceProfile(parsing: text, file: "elsewhere.yaml")
        #expect(again.name == profile.name && again.summary == "A: \"child\"")
        #expect(again.authenticator == profile.authenticator)
        #expect(again.sensor == profile.sensor && again.lockout == profile.lockout)
        #expect(again.faults.map(\.spelling) == profile.faults.map(\.spelling))
        #expect(again.unverified == profile.unverified && again.sources == profile.sources)
        #expect(again.text == text)
    }

    @Test(arguments: Shop.names)
    func everyShippedProfileSurvivesWritingAndReading(name: String) throws {
        let profile = try Shop.library.profile(name)
        let again = try DeviceProfile(parsing: profile.text, file: "stored")
        #expect(again.authenticator == profile.authenticator)
        #expect(again.sensor == profile.sensor && again.lockout == profile.lockout)
        #expect(again.platform == profile.platform && again.kind == profile.kind)
        #expect(again.platformErrors.choices == profile.platformErrors.choices)
        #expect(again.unverified == profile.unverified && again.sources == profile.sources)
        #expect(again.bases.isEmpty)
    }

    // MARK: Refused profiles

    @Test func aMissingBaseIsReportedWithItsLine() throws {
        let error = try Self.error(["child": "name: child\ntitle: A child\nextends: missing\n"])
        #expect(error.line == 3)
        #expect(error.message.hasPrefix("extends: unknown profile \"missing\"; searched"))
        let path = try Self.error(["child": "name: child\ntitle: A child\nextends: ./missing.yaml\n"])
        #expect(path.message.hasPrefix("extends: the file "))
        let list = try Self.error(["child": "name: child\nextends: [a, b]\n"])
        #expect(list.message == "extends: expected text, found a list")
    }

    @Test func aProfileThatExtendsItselfIsRefused() throws {
        let itself = try Self.error(["child": "name: child\ntitle: A child\nextends: child\n"])
        #expect(itself.message.contains("extends"))
        #expect(itself.line == 3)
        let circle = try Self.error([
            "child": "name: child\ntitle: A\nextends: other\n",
            "other": "name: other\ntitle: B\nextends: ./child.yaml\n",
        ])
        #expect(circle.file.hasSuffix("other.yaml"))
        #expect(circle.line == 3)
        #expect(circle.message.contains("child"))
    }

    @Test func aMistakeIsReportedInTheFileThatContainsIt() throws {
        // In the base, when the child is read.
        var files = Self.child("lockout: { permanent-at: 10 }\n")
        files["base"] = Self.base.replacingOccurrences(of: "message: 2048", with: "message: 1")
        let inBase = try Self.error(files)
        #expect(inBase.file.hasSuffix("base.yaml"))
        #expect(inBase.line == 10)
        // In the child, for its own settings.
        let inChild = try Self.error(Self.child("authenticator:\n  limits: { list: 0 }\n"))
        #expect(inChild.file.hasSuffix("child.yaml"))
        #expect(inChild.line == 5)
        // A key that both refuse.
        let unknown = try Self.error(Self.child("authenticator:\n  colour: red\n"))
        #expect(unknown.file.hasSuffix("child.yaml"))
        #expect(unknown.line == 5)
        files["base"] = Self.base.replacingOccurrences(of: "title: A base", with: "titel: A base")
        let unknownKey = try Self.error(files)
        #expect(unknownKey.file.hasSuffix("base.yaml") && unknownKey.line == 2)
        // A base that is not YAML.
        files["base"] = "title: \"x"
        #expect(try Self.error(files).file.hasSuffix("base.yaml"))
        // A title is not inherited.
        let nameless = try Self.error(["base": Self.base, "child": "name: child\nextends: base\n"])
        #expect(nameless.message == "title is missing")
    }
}
