package import Foundation

/// A folder in the directory for temporary files, with files that only their owner can read.
package struct PrivateFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "touchstone-browser-\(UUID().uuidString.suffix(12))")
        try Self.make(url)
    }

    /// The longest path of a folder in which Chromium has room for its socket, whose path has at most 103 bytes.
    private static let longestPath = 56

    /// The environment of a browser, which puts its temporary files here: one that is killed leaves them.
    package var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        if url.path.utf8.count <= Self.longestPath { environment["TMPDIR"] = url.path }
        return environment
    }

    /// Makes a folder that does not exist yet.
    static func make(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    package static func write(_ content: [UInt8], to file: URL) throws {
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: Data(content), attributes: [.posixPermissions: 0o600])
        else { throw BrowserError("\(file.path) cannot be written") }
    }

    /// Deletes the folder; the processes of an ended browser may still write for a moment.
    package func delete() {
        for _ in 0..<20 where FileManager.default.fileExists(atPath: url.path) {
            try? FileManager.default.removeItem(at: url)
        }
    }
}

/// The reason why the browser does not run.
package struct BrowserError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
