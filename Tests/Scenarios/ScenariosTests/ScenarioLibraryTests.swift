import Documents
import Foundation
import Scenarios
import Testing

/// The scenarios that command-line arguments name.
struct ScenarioLibraryTests {
    /// Makes a folder with files for as long as `use` needs it.
    private static func folder(_ names: [String], _ use: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "scenarios-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in names { try Data().write(to: folder.appending(path: name)) }
        try use(folder.path)
    }

    @Test("A folder and a pattern stand for their files, by name")
    func folderAndPatternNameTheirFiles() throws {
        try Self.folder(["b.yaml", "a.yaml", "ab.yaml", "notes.txt"]) { folder in
            let library = ScenarioLibrary(directory: folder)
            let all = ["a", "ab", "b"].map { "\(folder)/\($0).yaml" }
            let rows = [
                ([], all), ([folder], all), (["\(folder)/a*.yaml", "b"], all),
                (["-", "\(folder)/b.yaml"], ["-", "\(folder)/b.yaml"]),
            ]
            for (arguments, expected) in rows {
                let files = try library.files(matching: arguments)
                #expect(files == expected)
            }
        }
    }

    @Test(
        "An argument that names no scenario is refused",
        arguments: [
            ("aple", "did you mean apple?"), ("FOLDER/*.yml", "no file matches"), ("FOLDER/empty", "no scenario"),
        ])
    func unknownArgumentIsRefused(argument: String, says: String) throws {
        try Self.folder(["apple.yaml"]) { folder in
            try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
            let library = ScenarioLibrary(directory: folder)
            let argument = argument.replacing("FOLDER", with: folder)
            let error = #expect(throws: SourceError.self) { _ = try library.files(matching: [argument]) }
            #expect(error?.message.contains(says) == true, "\(String(describing: error))")
        }
    }
}
