public import Foundation

/// A private folder of a test, with mode 0700; it is removed with the value.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let url: URL

    /// Makes a folder with a short random name, since socket paths are limited to 107 bytes.
    ///
    /// - Throws: the file system's error.
    public init(_ prefix: String = "touchstone") throws {
        url = FileManager.default.temporaryDirectory.appending(path: "\(prefix)-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in the folder.
    public func path(_ name: String) -> String { url.appending(path: name).path }
}
