import Captures
import Foundation
import Machine
import RelyingParty

/// The responses of an argument of `verify`.
struct CaptureInput {
    /// One response, and the name of its place.
    struct Document {
        let name: String
        let bytes: Result<[UInt8], Problem>

        init(name: String, line: [UInt8]) {
            self.name = name
            bytes = line.count <= CaptureInput.longest ? .success(LoggedLine.document(in: line)) : .failure(.longLine)
        }

        init(file: String) {
            name = file
            let place = file == "-" ? "/dev/stdin" : file
            bytes =
                switch BoundedFile.read(place, limit: CaptureInput.longest) {
                case nil: .failure(FileManager.default.fileExists(atPath: place) ? .unreadable : .missing)
                case let bytes? where bytes.isEmpty: .failure(.empty)
                case let bytes? where bytes.count > CaptureInput.longest: .failure(.longFile)
                case let bytes?: .success(bytes)
                }
        }
    }

    /// The reason that there are no bytes.
    enum Problem: Error, CustomStringConvertible {
        case missing, unreadable, empty, longFile, longLine

        var description: String {
            switch self {
            case .missing: "the file does not exist; check its name"
            case .unreadable: "the file cannot be read; check its permissions"
            case .empty: "the file is empty; give JSON"
            case .longFile: "the file is longer than 1 MiB, the most that is read"
            case .longLine: "the line is longer than 1 MiB, the most that is read; the lines after it are not read"
            }
        }
    }

    private static let longest = 1 << 20

    private let file: String
    private let isOfLines: Bool

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// A file, or the files of a folder in the order of their names.
    static func all(_ path: String, ofLines: Bool) throws -> [CaptureInput] {
        guard isFolder(path) else { return [CaptureInput(file: path, isOfLines: ofLines)] }
        let endings = ofLines ? [".json", ".jsonl", ".ndjson"] : [".json"]
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw CommandError("\(path): the folder cannot be read; check its permissions", .badInput)
        }
        let files = names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
        guard !files.isEmpty else {
            throw CommandError("\(path): no name in the folder ends in \(endings.joined(separator: " or "))", .badInput)
        }
        return files.map { CaptureInput(file: path.hasSuffix("/") ? path + $0 : "\(path)/\($0)", isOfLines: ofLines) }
    }

    /// The responses as they arrive; of lines, those that are not blank.
    var documents: AnySequence<Document> {
        guard isOfLines, let lines = BoundedLines(file == "-" ? "/dev/stdin" : file, limit: Self.longest) else {
            return AnySequence([Document(file: file)])
        }
        return AnySequence(
            lines.lazy.enumerated().filter { _, line in !line.allSatisfy { $0 <= 0x20 } }.map { index, line in
                Document(name: "\(file):\(index + 1)", line: line)
            })
    }
}

/// The verdict on one response of several, in a line.
struct CaptureVerdict: Encodable {
    enum Result: String, Encodable, CaseIterable {
        case accepted, refused, unverified, unreadable

        var words: String { self == .unverified ? "not verified" : rawValue }
    }

    let input: String
    let result: Result
    let error: String?
    let report: CaptureReport?

    init(_ document: CaptureInput.Document, _ settings: CaptureSettings) async {
        input = document.name
        do {
            let report = try await Capture(parsing: try document.bytes.get(), settings).verify()
            self.report = report
            (result, error) = (Result(rawValue: report.result.rawValue) ?? .unverified, nil)
        } catch {
            (report, result, self.error) = (nil, .unreadable, "\(error)")
        }
    }

    var line: String {
        guard let report else { return "\(input): \(result.words): \(error ?? "")" }
        let flagged = report.ledger.flagged
        let detail: String =
            switch report.result {
            case .accepted: flagged.isEmpty ? "" : ", flagged at \(CaptureDescription.reasons(flagged))"
            case .refused: " at \(CaptureDescription.reasons(report.ledger.failures))"
            case .unverified: ": \(CaptureDescription.remedies(report))"
            }
        return "\(input): \(result.words)\(detail)" + report.notes.map { "; note: \($0)" }.joined()
    }
}
