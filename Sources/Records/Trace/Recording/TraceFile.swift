internal import Foundation
internal import Machine
internal import Synchronization

/// A trace file: JSON Lines with mode 0600, written line by line.
package final class TraceFile: Sendable {
    /// The reason that a trace cannot be written.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let path: String
        package let reason: String

        package var description: String { "\(path) cannot be written: \(reason)" }
    }

    private let path: String
    private let descriptor: Int32
    private let hasFailed = Mutex(false)
    private let onFailure: @Sendable (Failure) -> Void

    /// Creates the file, or overwrites an existing trace.
    ///
    /// - Parameter onFailure: is called when a line cannot be written; no further line is written then.
    /// - Throws: ``Failure`` when the file cannot be created, or is anything but a trace.
    package convenience init(
        creating path: String, onFailure: @escaping @Sendable (Failure) -> Void = { _ in }
    ) throws(Failure) {
        do {
            self.init(path, descriptor: try OutputFile(path, .trace).opened(), onFailure: onFailure)
        } catch {
            throw Failure(path: path, reason: "\(error)")
        }
    }

    /// Takes over a file that is open for writing.
    init(_ path: String, descriptor: Int32, onFailure: @escaping @Sendable (Failure) -> Void) {
        self.path = path
        self.descriptor = descriptor
        self.onFailure = onFailure
    }

    deinit {
        close(descriptor)
    }

    /// Writes one line without buffering, so that a killed process loses no record.
    @Sendable package func write(_ record: TraceRecord) {
        guard let line = try? TraceLine.encode(record) else { return }
        hasFailed.withLock { hasFailed in
            guard !hasFailed else { return }
            do {
                try OwnFile.write(line + [UInt8(ascii: "\n")], to: descriptor)
            } catch {
                hasFailed = true
                onFailure(Failure(path: path, reason: "\(error)"))
            }
        }
    }
}

extension OutputFile.Kind {
    /// A trace, by its first line; one that is cut off, by a kill or by the head of the file, shows its beginning.
    fileprivate static let trace = OutputFile.Kind("a trace") { head in
        let end = head.firstIndex(of: UInt8(ascii: "\n"))
        do throws(TraceFormatError) {
            _ = try TraceLine.decode(head[..<(end ?? head.endIndex)])
            return true
        } catch {
            return end == nil && error == .notJSON && head.starts(with: Array("{\"at\":".utf8))
        }
    }
}
