package import Documents
internal import Foundation

/// Reads traces from disk.
package enum TraceReader {
    /// A trace that was read.
    package struct Trace: Sendable {
        /// Its records, in order.
        package let records: [TraceRecord]
        /// What was wrong with it and could be put up with.
        package let warnings: [String]
    }

    /// Why a trace could not be read.
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file is not there or may not be read.
        case unreadable(path: String, reason: String)
        /// A line is not one of a trace.
        case malformed(SourceError)

        package var description: String {
            switch self {
            case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
            case .malformed(let error): error.description
            }
        }
    }

    /// Reads a file.
    package static func read(_ path: String) throws(Failure) -> Trace {
        guard access(path, R_OK) == 0 else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw .unreadable(path: path, reason: "it is no file of lines")
        }
        do {
            return try parse(Array(data), file: path)
        } catch {
            throw .malformed(error)
        }
    }

    /// Reads the content of a file.
    ///
    /// A last line that breaks off is what a process that was killed leaves behind; it becomes a warning.
    ///
    /// - Parameter file: what errors call it.
    /// - Throws: `SourceError` with the line.
    package static func parse(_ bytes: [UInt8], file: String) throws(SourceError) -> Trace {
        var records: [TraceRecord] = []
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = lines.removeLast()
        for (index, line) in lines.enumerated() {
            // A record per line; a blank one between traces put together does no harm.
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
            // Cut short it is no JSON; anything else was written as it is.
            guard error == .notJSON else {
                throw SourceError(file: file, line: lines.count + 1, message: error.description)
            }
            let warning = "\(file):\(lines.count + 1): the last line breaks off and is left out"
            return Trace(records: records, warnings: [warning])
        }
        return Trace(records: records, warnings: [])
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
}
