import CTAP
import DeviceProfiles
import Faults
import Foundation
import TestSupport
import Testing

/// docs/faults.md is complete.
@Suite("The documentation of faults") struct FaultDocumentationTests {
    /// The names in the first column of the table under a heading.
    private static func names(under heading: String) throws -> [String] {
        let text = try String(contentsOf: PackageRoot.url.appending(path: "docs/faults.md"), encoding: .utf8)
        let sections = text.components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix(heading) })
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { line in
            line.split(separator: "`").dropFirst().first.map(String.init)
        }
    }

    @Test func describesEveryTransportFault() throws {
        let names = try Self.names(under: "How a client handles broken packets")
        #expect(names == Fault.catalogue.filter { $0.layer == .transport }.map(\.name))
    }

    @Test func listsEveryProfileWithAQuirk() throws {
        let library = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
        let quirky = try library.files().map(ProfileLibrary.read).filter { !$0.faults.isEmpty }.map(\.name)
        #expect(try Self.names(under: "Quirks of known keys").sorted() == quirky)
    }
}
