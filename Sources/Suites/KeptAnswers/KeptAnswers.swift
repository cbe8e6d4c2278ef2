package import Conformance
internal import Foundation

/// The answers of the virtual twins of known keys to the suite of authenticators.
///
/// A run on a real key is compared with them, without a second run. `touchstone conformance answers --make` writes them.
package struct KeptAnswers: Codable, Sendable {
    /// The known keys, which are the columns of the table.
    package let keys: [String]
    /// The different answers, which the table names by their numbers.
    let outcomes: [RunComparison.Side]
    /// For each case the numbers of the answers, in the order of the keys.
    private let cases: [String: [Int]]

    /// The answers that are part of the program; without keys where they cannot be read.
    package static let shared =
        (try? JSONDecoder().decode(KeptAnswers.self, from: Data(EmbeddedText.authenticator_json.utf8)))
        ?? KeptAnswers([:])

    /// - Parameter answers: for each key its answers by case.
    package init(_ answers: [String: [String: RunComparison.Side]]) {
        keys = answers.keys.sorted()
        var numbers: [RunComparison.Side: Int] = [:]
        var outcomes: [RunComparison.Side] = []
        var cases: [String: [Int]] = [:]
        for id in Set(answers.values.flatMap(\.keys)).sorted() {
            cases[id] = keys.map { key in
                let answer = answers[key]?[id] ?? RunComparison.Side(verdict: .notRun, seen: [])
                if let number = numbers[answer] { return number }
                numbers[answer] = outcomes.count
                outcomes.append(answer)
                return outcomes.count - 1
            }
        }
        self.outcomes = outcomes
        self.cases = cases
    }

    package var identifiers: [String] { cases.keys.sorted() }

    /// The answers of a key by case; nil for a key without kept answers.
    package func answers(of key: String) -> [String: RunComparison.Side]? {
        guard let column = keys.firstIndex(of: key) else { return nil }
        return cases.compactMapValues { numbers in
            guard numbers.indices.contains(column), outcomes.indices.contains(numbers[column]) else { return nil }
            return outcomes[numbers[column]]
        }
    }

    /// The known key as the other side of a comparison.
    package static func subject(_ key: String) -> ConformanceSubject {
        ConformanceSubject(
            title: "the known \(key)", facts: [:],
            command: "touchstone conformance authenticator --device 'virtual:\(key)'")
    }

    /// The file's text: one line for each answer and each case, so that versions can be compared line by line.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func line(_ value: some Encodable) throws -> String {
            String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        let rows = try cases.sorted { $0.key < $1.key }.map { "\(try line($0.key)):\(try line($0.value))" }
        return """
            {"keys":\(try line(keys)),
            "outcomes":[
            \(try outcomes.map(line).joined(separator: ",\n"))
            ],
            "cases":{
            \(rows.joined(separator: ",\n"))
            }}

            """
    }
}
