import Foundation
import TestSupport
import Testing

/// Every Swift sample of the pages, of the DocC catalogues and of the sources' comments is code that the tests compile.
@Suite("Samples in documents")
struct SamplePagesTests {
    struct Sample: Sendable, CustomStringConvertible {
        let file: String
        let text: String
        var description: String { "\(file): \(text.prefix(60))" }
    }

    static let samples: [Sample] = {
        let root = PackageRoot.url
        let places = [
            "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs", "clients/python", "clients/javascript",
            "Sources",
        ]
        let files = places.flatMap { place -> [String] in
            let below = (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: place).path)) ?? []
            return below.isEmpty ? [place] : below.map { "\(place)/\($0)" }
        }.filter { ($0.hasSuffix(".md") || $0.hasSuffix(".swift")) && !$0.contains("node_modules") }
        return files.flatMap { file -> [Sample] in
            guard let text = try? String(contentsOf: root.appending(path: file), encoding: .utf8),
                text.contains("```swift")
            else { return [] }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                file.hasSuffix(".swift") ? String(line.replacing(/^ *\/\/\/ ?/, with: "")) : String(line)
            }
            return lines.split(separator: "```swift").dropFirst().map { part in
                Sample(file: file, text: part.prefix { $0 != "```" }.joined(separator: "\n"))
            }
        }
    }()

    private static let compiled: [String] = [
        "LibraryTests/LibrarySamples.swift", "LibraryTests/PhoneSamples.swift",
        "LibraryTests/PhoneTutorialSamples.swift", "SampleTests/PackageSamples.swift",
    ]
    .compactMap {
        try? String(contentsOf: PackageRoot.url.appending(path: "Tests/EndToEnd/\($0)"), encoding: .utf8)
    }
    .map(withoutBlanks)

    private static func withoutBlanks(_ text: some StringProtocol) -> String {
        String(text.filter { !$0.isWhitespace })
    }

    /// The code without the imports and without the manifest of a package, which are not statements of a test.
    private static func code(_ sample: Sample) -> String {
        let lines = sample.text.split(separator: "\n").filter { line in
            !["import ", "@testable import ", "#if canImport(", "#else", "#endif"].contains(where: line.hasPrefix)
        }
        return withoutBlanks(lines.joined(separator: "\n"))
    }

    @Test func theSamplesAreFound() {
        #expect(Self.samples.count >= 15)
    }

    @Test(arguments: samples.filter { !$0.text.contains("import PackageDescription") })
    func aSampleIsCompiled(sample: Sample) {
        let code = Self.code(sample)
        #expect(Self.compiled.contains { $0.contains(code) }, "\(sample.text)")
    }

    @Test func theManifestOfAnotherPackageNamesProducts() throws {
        let manifest = try #require(Self.samples.first { $0.text.contains("import PackageDescription") })
        let own = try String(contentsOf: PackageRoot.url.appending(path: "Package.swift"), encoding: .utf8)
        let names = manifest.text.matches(of: /\.product\(name: "(\w+)"/).map(\.output.1)
        #expect(names.count == 6)
        for name in names { #expect(own.contains(".library(name: \"\(name)\""), "\(name)") }
        #expect(manifest.text.contains(try #require(own.split(separator: "\n").first)))
        let imports = try #require(Self.samples.first { $0.text.contains("import VirtualAuthenticator") })
        #expect(
            Set(imports.text.matches(of: /import (\w+)/).map(\.output.1)) == Set(names + ["Testing"]))
    }
}
