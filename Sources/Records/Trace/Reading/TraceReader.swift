package import Documents
internal import Foundation

/// Reads traces from disk.
package enum TraceReader {
    /// The content of a trace file.
    package struct Trace: Sendable {
        package let records: [TraceRecord]
        /// Tolerated defects of the file.
        package let warnings: [String]
    }

    /// The reason that a trace cannot be read.
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        case unreadable(path: String, reason: String)
        case malformed(SourceError)

        package var description: String {
            switch self {
            case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
            case .malformed(let error): error.description
            }
        }
    }

    package static func read(_ path: String) throws(Failure) -> Trace {
        guard access(path, R_OK) == 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw .unreadable(path: path, reason: "it is not a regular file")
        }
        do {
            return try parse(Array(data), file: path)
        } catch {
            throw .malformed(error)
        }
    }

    /// Reads the content of a file; the incomplete last line that a killed process leaves gives a warning.
    package static func parse(_ bytes: [UInt8], file: String) throws(SourceError) -> Trace {
        var records: [TraceRecord] = []
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = lines.removeLast()
        for (index, line) in lines.enumerated() {
            // Concatenated traces may have blank lines between them.
            if isBlank(line) { continue }
            do {
                records.append(try TraceLine.decode(line))
            } catch {
                throw SourceError(file: file, line: index + 1, message: error.description)
            }
        }
        guard !isBlank(last) else { return Trace(records: records, warnings: []) }
        do {
            records.append(try TraceLine.decode(last))
        } catch {
            // An incomplete line is not JSON; any other error is the file's own.
            guard error == .notJSON else {
                throw SourceError(file: file, line: lines.count + 1, message: error.description)
            }
            let warning = "\(file):\(lines.count + 1): the last line is incomplete and was skipped"
            return Trace(records: records, warnings: [warning])
        }
        return Trace(records: records, warnings: [])
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
}
