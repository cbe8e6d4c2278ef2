package import Documents
internal import Foundation

/// The verdicts of a run with their evidence, as `--json` prints them.
package struct ConformanceReport: Codable, Sendable {
    package let suite: String
    package let subject: ConformanceSubject
    /// The version of the program that ran it.
    package let version: String
    /// The time at which the run began, in UTC (ISO 8601); nil in reports of older versions.
    package let began: String?
    /// The profile of the run; nil for none.
    package let profile: String?
    package let results: [CaseResult]
    /// The descriptions of the cases, in the order of the results.
    package let cases: [CaseDescription]

    /// - Parameter began: the time since the Unix epoch.
    package init(
        suite: String, subject: ConformanceSubject, version: String, began: Duration? = nil, profile: String?,
        results: [CaseResult], cases: [CaseDescription]
    ) {
        let chosen = Dictionary(cases.map { ($0.id, $0) }) { first, _ in first }
        self.suite = suite
        self.subject = subject
        self.version = version
        self.began = began.map {
            Date(timeIntervalSince1970: Double($0.components.seconds)).formatted(.iso8601)
        }
        self.profile = profile
        self.results = results
        self.cases = results.compactMap { chosen[$0.id] }
    }

    /// - Throws: ``SourceError`` for a file that is not such a report.
    package init(file: String) throws(SourceError) {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw SourceError(file: file, line: nil, message: "the file cannot be read")
        }
        do {
            self = try JSONDecoder().decode(ConformanceReport.self, from: data)
        } catch {
            throw SourceError(
                file: file, line: nil,
                message: "the file is not a report of conformance; write it with --json or --report")
        }
    }

    package func count(_ verdict: Verdict) -> Int { results.count { $0.verdict == verdict } }

    /// The number of known failures among the cases with a verdict.
    package func knownCount(_ verdict: Verdict) -> Int {
        results.count { $0.verdict == verdict && $0.known != nil }
    }

    package var entries: [(result: CaseResult, description: CaseDescription)] {
        let descriptions = Dictionary(cases.map { ($0.id, $0) }) { first, _ in first }
        return results.compactMap { result in descriptions[result.id].map { (result, $0) } }
    }

    /// The number of touches that the performed cases take at most.
    package var plannedTouches: Int {
        entries.filter { $0.result.messages > 0 }.reduce(0) { $0 + $1.description.person.count { $0 == .touch } }
    }

    package func bytes() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
}

/// The authenticator or relying party that a run looks at.
package struct ConformanceSubject: Codable, Hashable, Sendable {
    package let title: String
    /// Facts that identify it: an AAGUID, a firmware version, an address.
    package let facts: [String: String]
    /// The command line that repeats a case with it, without the case: `touchstone conformance authenticator --device usb`.
    package let command: String
    /// Whether the command lets each case erase the subject: the run has set a PIN that its user does not know.
    package var mayErase: Bool?

    package init(title: String, facts: [String: String], command: String) {
        self.title = title
        self.facts = facts
        self.command = command
    }

    /// The same subject under another name, and with further words in its command.
    package func named(_ name: String?, adding words: String) -> ConformanceSubject {
        var subject = ConformanceSubject(title: name ?? title, facts: facts, command: command + words)
        subject.mayErase = mayErase
        return subject
    }

    package func command(for description: CaseDescription) -> String {
        "\(command) --case \(description.id)" + (description.isDestructive && mayErase != true ? " --destructive" : "")
    }
}
