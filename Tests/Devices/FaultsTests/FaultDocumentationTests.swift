import Faults
import Foundation
import TestSupport
import Testing

/// The page about faults, docs/faults.md.
@Suite("The documentation of faults") struct FaultDocumentationTests {
    @Test func describesEveryTransportFault() throws {
        let text = try String(contentsOf: PackageRoot.url.appending(path: "docs/faults.md"), encoding: .utf8)
        let sections = text.components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("How a client handles broken packets") })
        let names = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { line in
            line.split(separator: "`").dropFirst().first.map(String.init)
        }
        #expect(names == Fault.catalogue.filter { $0.layer == .transport }.map(\.name))
    }
}
