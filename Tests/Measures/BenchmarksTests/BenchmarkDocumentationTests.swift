import Foundation
import TestSupport
import Testing

@testable import Benchmarks

/// The tables of docs/performance.md.
@Suite struct BenchmarkDocumentationTests {
    private let page: [[String]]

    init() throws {
        let file = PackageRoot.url.appending(path: "docs/performance.md")
        page = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
            .map { line in
                line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
    }

    @Test("It lists every row with its baseline and its limit")
    func rows() {
        let declared = Benchmarks.Topic.allCases.flatMap { topic in
            topic.benchmark.rows.map { row in
                [
                    "`\(topic.rawValue)`", row.subject, row.baseline,
                    row.limit.map { $0.formatted(.number.grouping(.never).locale(Locale(identifier: "en"))) } ?? "-",
                ]
            }
        }
        #expect(page.map { Array($0.prefix(4)) } == declared)
    }

    @Test("No two rows have the same subject and baseline")
    func unique() {
        let rows = Benchmarks.Topic.allCases.flatMap { $0.benchmark.rows }.map { [$0.subject, $0.baseline] }
        #expect(Set(rows).count == rows.count)
    }
}
