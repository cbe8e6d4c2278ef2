import DeviceProfiles
import Documents
import Foundation
import ProfileFiles
import TestSupport
import Testing
import YAMLFiles

/// Files that are found by name: the user's own, then those built into the program.
struct ResourceLibraryTests {
    static let folders: [ResourceLibrary.Kind] = [.profile, .scenario, .knownKey]

    /// Writes files into a temporary directory.
    private func withDirectory(_ files: [String: String], _ use: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in files { try Data(text.utf8).write(to: directory.appending(path: "\(name).yaml")) }
        try use(directory.path)
    }

    @Test(arguments: folders)
    func theBuiltInFilesAreTheShippedOnes(kind: ResourceLibrary.Kind) throws {
        let shipped = ResourceLibrary(kind, directories: [PackageRoot.url.appending(path: kind.folder).path])
        let builtIn = ResourceLibrary(kind, directories: ["built-in:\(kind.folder)"])
        let files = try shipped.files()
        #expect(!files.isEmpty)
        #expect(try builtIn.files().map(ResourceName.name(ofFile:)) == files.map(ResourceName.name(ofFile:)))
        for (file, copy) in try zip(files, builtIn.files()) {
            #expect(try ResourceFiles.text(of: copy) == ResourceFiles.text(of: file))
        }
    }

    @Test func theUsersOwnFilesComeFirst() throws {
        try withDirectory(["solo-1": "mine", "my-key": "mine"]) { directory in
            let library = ResourceLibrary(.profile, directories: [directory, "built-in:profiles"])
            #expect(try library.file("solo-1") == "\(directory)/solo-1.yaml")
            #expect(try library.file("my-key") == "\(directory)/my-key.yaml")
            #expect(try library.file("solo-2") == "built-in:profiles/solo-2.yaml")
            let names = try library.files().map(ResourceName.name(ofFile:))
            #expect(names.contains("my-key") && names.count { $0 == "solo-1" } == 1)
            #expect(names == names.sorted())
        }
    }

    @Test func aPathIsNotLookedUp() throws {
        let library = ResourceLibrary(.scenario, directories: ["built-in:scenarios"])
        for path in ["./tour.yaml", "tour.yml", "tour.json"] { #expect(try library.file(path) == path) }
        let error = #expect(throws: SourceError.self) { try library.file("quartz") }
        #expect(error?.message == "unknown scenario \"quartz\"; `touchstone scenario list` lists them")
        let exchanged = #expect(throws: SourceError.self) { try library.file("tuor") }
        #expect(exchanged?.message == "unknown scenario \"tuor\"; did you mean tour?")
        let near = #expect(throws: SourceError.self) { try library.file("airplane-mod") }
        #expect(near?.message == "unknown scenario \"airplane-mod\"; did you mean airplane-mode?")
        #expect(near?.description.hasPrefix("scenarios: unknown scenario") == true)
    }

    @Test func aMistakeInABuiltInFileNamesItInWords() {
        let error = SourceError(file: "built-in:profiles/solo-2.yaml", line: 3, message: "unknown key titel")
        #expect(error.description == "built-in profiles/solo-2.yaml:3: unknown key titel")
    }

    @Test func aProfileExtendsTheBuiltInProfileOfTheSameName() throws {
        try withDirectory(["solo-1": "name: solo-1\ntitle: My Solo\nextends: solo-1\n"]) { directory in
            let profile = try ProfileLibrary.read("\(directory)/solo-1.yaml")
            #expect(profile.title == "My Solo")
            #expect(profile.bases.first == "solo-1")
        }
    }
}
