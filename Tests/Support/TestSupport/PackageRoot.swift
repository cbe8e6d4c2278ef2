public import Foundation

/// The package's folder, for tests that read its files or run its tools.
public enum PackageRoot {
    /// The folder with `Package.swift`.
    public static let url = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
