internal import Foundation

/// Writes the files that an option names: a missing file is created, one of the same kind is replaced, and anything else
/// is refused.
///
/// Private files have mode 0600 whatever the umask.
package struct OutputFile: Sendable {
    /// The kind of an output, known by the beginning of a file.
    package struct Kind: Sendable {
        /// The kind's name with its article, such as "a trace".
        let name: String
        /// Whether other users never read it; otherwise the umask decides about a new file, and an existing one keeps its mode.
        let isPrivate: Bool
        let recognizes: @Sendable (ArraySlice<UInt8>) -> Bool

        package init(
            _ name: String, isPrivate: Bool = true, recognizes: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
        ) {
            self.name = name
            self.isPrivate = isPrivate
            self.recognizes = recognizes
        }
    }

    /// The number of bytes that tell a file's kind.
    private static let headLength = 1 << 16

    private let path: String
    private let kind: Kind

    package init(_ path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// Opens the file, a private one, for writing from its beginning; the caller closes the descriptor.
    package func opened() throws(FileProblem) -> Int32 {
        let descriptor = try OwnFile.open(path, creates: true)
        do throws(FileProblem) {
            try requireKind(descriptor)
            guard ftruncate(descriptor, 0) == 0, fchmod(descriptor, 0o600) == 0 else { throw FileProblem.last }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Checks that ``replace(with:)`` may write the file.
    package func check() throws(FileProblem) {
        guard try OwnFile.check(path) != nil else {
            // Only an attempt tells whether the directory takes a file.
            let trial = TemporaryName.beside(path)
            close(try OwnFile.create(trial))
            unlink(trial)
            return
        }
        let descriptor = try OwnFile.open(path, creates: false)
        defer { close(descriptor) }
        try requireKind(descriptor)
    }

    /// Replaces the file as a whole: a reader sees the old content or the new one.
    package func replace(with bytes: [UInt8]) throws(FileProblem) {
        try check()
        let existing = try OwnFile.check(path)
        let temporary = TemporaryName.beside(path)
        let descriptor = try OwnFile.create(temporary, isPrivate: kind.isPrivate)
        defer { close(descriptor) }
        do throws(FileProblem) {
            try OwnFile.write(bytes, to: descriptor)
            let mode = existing.map { $0.st_mode & 0o777 } ?? FileMask.modeOfReports
            if !kind.isPrivate, let mode, fchmod(descriptor, mode) != 0 { throw FileProblem.last }
            guard rename(temporary, path) == 0 else { throw FileProblem.last }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func requireKind(_ descriptor: Int32) throws(FileProblem) {
        var head = [UInt8](repeating: 0, count: Self.headLength)
        let count = pread(descriptor, &head, head.count, 0)
        guard count >= 0 else { throw .last }
        guard count == 0 || kind.recognizes(head[..<count]) else { throw .otherContent(kind.name) }
    }
}
