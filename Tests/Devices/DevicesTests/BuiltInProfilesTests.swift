import Documents
import Foundation
import PlatformErrors
import ProfileFiles
import TestSupport
import Testing
import VirtualAuthenticator
import YAMLFiles

@testable import DeviceProfiles

@Suite("The profiles and platform errors inside the libraries")
struct BuiltInProfilesTests {
    @Test(arguments: CompiledDocuments.allCases)
    func theSourceEqualsTheProgramsOutput(documents: CompiledDocuments) throws {
        let pattern = PackageRoot.url.appending(path: documents.origin).path
        let files =
            pattern.hasSuffix("/*.yaml")
            ? try ResourceFiles.yamlFiles(in: String(pattern.dropLast("/*.yaml".count))) : [pattern]
        let source = try String(contentsOf: PackageRoot.url.appending(path: documents.file), encoding: .utf8)
        #expect(try documents.source(of: files) == source, "\(documents.command)")
    }

    @Test func theNamesAreThoseOfTheFiles() {
        #expect(DeviceProfile.builtInNames == Shop.names)
    }

    /// Everything but the text, which is JSON here and YAML there.
    private static func values(of profile: DeviceProfile) -> String {
        var profile = profile
        profile.text = ""
        var values = ""
        dump(profile, to: &values)
        // The order of sets and dictionaries depends on their addresses.
        return values.split(separator: "\n").sorted().joined(separator: "\n")
    }

    @Test(arguments: Shop.names)
    func aBuiltInProfileIsTheFilesProfile(name: String) throws {
        let (own, file) = (try DeviceProfile.builtIn(named: name), try Shop.library.profile(name))
        #expect(Self.values(of: own) == Self.values(of: file))
        #expect(own.failures == file.failures)
        // A stored device is restored from the text.
        let again = try DeviceProfile(parsing: own.text, file: "stored")
        #expect(again.bases.isEmpty)
        #expect(again.failures == file.failures)
        #expect(again.authenticator.aaguid == file.authenticator.aaguid)
    }

    @Test func anUnknownNameIsAnsweredWithTheNearestOnes() {
        let near = #expect(throws: SourceError.self) { try DeviceProfile.builtIn(named: "iphone-faceid") }
        #expect(near?.message.contains("unknown profile \"iphone-faceid\"; did you mean iphone-face-id") == true)
        let far = #expect(throws: SourceError.self) { try DeviceProfile.builtIn(named: "zzzz") }
        #expect(far?.message.contains("choose one of 1password, ") == true)
    }

    @Test func theTableInsideIsTheFilesTable() throws {
        let path = PackageRoot.url.appending(path: CompiledDocuments.platformErrors.origin).path
        let file = try PlatformErrorTable(reading: .parse(ResourceFiles.text(of: path), file: path))
        let own = try PlatformErrorTable.load()
        #expect(own.interfaces == file.interfaces)
        #expect(own.outcomes == file.outcomes)
        #expect(own.hints == file.hints)
        #expect(own.settings == file.settings)
        #expect(own.sources == file.sources)
        #expect(own.outcomes.count > 80)
    }
}
