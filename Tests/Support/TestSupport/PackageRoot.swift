public import Foundation

/// Where the package lies on disk, for tests that read its files or run its tools.
public enum PackageRoot {
    /// The folder that holds `Package.swift`.
    public static let url = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
