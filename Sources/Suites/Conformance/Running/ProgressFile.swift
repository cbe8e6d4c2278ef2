internal import Documents
internal import Foundation
internal import Machine

/// The results of a run line by line, so that an interrupted run can go on.
package final class ProgressFile: Sendable {
    /// The first line: the subject of the run.
    private struct Head: Codable, Equatable {
        let conformance: String
        let facts: [String: String]
        let command: String
        let profile: String?
        let isDestructive: Bool

        /// The differences between the run that began the file and the present one.
        func differences(from now: Head) -> [String] {
            var words: [String] = []
            func add(_ noun: String, _ then: String?, _ now: String?) {
                guard then != now else { return }
                words.append("\(noun) was \(then ?? "missing"), and is \(now ?? "missing") now")
            }
            add("the suite", conformance, now.conformance)
            for name in Set(facts.keys).union(now.facts.keys).sorted() { add(name, facts[name], now.facts[name]) }
            add("the command", command, now.command)
            if command == now.command { add("the profile", profile, now.profile) }
            if isDestructive != now.isDestructive {
                words.append("--destructive was \(isDestructive ? "given, and is not now" : "not given, and is now")")
            }
            return words
        }
    }

    /// The results that the file had when it was opened.
    package let finished: [CaseResult]
    private let descriptor: Int32

    /// Opens the file of a run, or creates it.
    ///
    /// A last line that is not whole, as a killed program leaves it, is dropped.
    ///
    /// - Throws: `SourceError` for a file of another run or of another kind, `FileProblem` for one that cannot be used.
    package init(
        _ path: String, suite: String, subject: ConformanceSubject, profile: RunProfile?, permission: RunPermission
    ) throws {
        let head = Head(
            conformance: suite, facts: subject.facts, command: subject.command, profile: profile?.name,
            isDestructive: permission.isDestructive)
        descriptor = try OwnFile.open(path, creates: true)
        let content: (finished: [CaseResult], end: Int)
        do {
            content = try Self.results(in: descriptor, of: head, path)
        } catch {
            // Without all its members the object is not made, and `deinit` does not run.
            close(descriptor)
            throw error
        }
        finished = content.finished
        if content.end == 0 {
            try append(line: head)
        } else if ftruncate(descriptor, off_t(content.end)) != 0 || lseek(descriptor, 0, SEEK_END) < 0 {
            throw FileProblem.last
        }
    }

    /// The results in a file of the run, and the end of its last whole line; zero for an empty file.
    private static func results(
        in descriptor: Int32, of head: Head, _ path: String
    ) throws -> (finished: [CaseResult], end: Int) {
        let bytes = try content(of: descriptor)
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let lines = bytes[..<end].split(separator: UInt8(ascii: "\n"))
        let decoder = JSONDecoder()
        guard let first = lines.first else {
            guard bytes.isEmpty else { throw foreign(path) }
            return ([], 0)
        }
        guard let found = try? decoder.decode(Head.self, from: Data(first)) else { throw foreign(path) }
        guard found == head else {
            throw SourceError(
                file: path, line: 1,
                message: "the file belongs to another run: \(found.differences(from: head).joined(separator: "; ")); "
                    + "repeat that run's command, or name another file")
        }
        let finished = try lines.dropFirst().enumerated().map { index, line in
            do {
                return try decoder.decode(CaseResult.self, from: Data(line))
            } catch {
                throw SourceError(file: path, line: index + 2, message: "the line is not the result of a case")
            }
        }
        return (finished, end)
    }

    deinit { close(descriptor) }

    /// Writes a result as soon as it is known.
    package func append(_ result: CaseResult) throws { try append(line: result) }

    private func append(line: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try OwnFile.write(Array(try encoder.encode(line)) + [UInt8(ascii: "\n")], to: descriptor)
    }

    private static func content(of descriptor: Int32) throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &part, part.count)
            guard count >= 0 else { throw .last }
            guard count > 0 else { return bytes }
            bytes += part[..<count]
        }
    }

    private static func foreign(_ path: String) -> SourceError {
        SourceError(
            file: path, line: 1, message: "the file is not the progress of a conformance run; name another file")
    }
}
