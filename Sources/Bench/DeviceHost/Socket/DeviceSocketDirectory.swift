internal import Foundation

/// The directory of the sockets of running devices; only its owner can enter it.
package struct DeviceSocketDirectory: Sendable {
    /// The directory's path.
    package let path: String

    /// A directory at a path.
    package init(path: String) {
        self.path = path
    }

    /// `$TOUCHSTONE_RUNTIME`, `$XDG_RUNTIME_DIR/touchstone`, or `touchstone-UID` among the temporary files.
    package static var standard: DeviceSocketDirectory {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["TOUCHSTONE_RUNTIME"], !path.isEmpty { return DeviceSocketDirectory(path: path) }
        if let path = environment["XDG_RUNTIME_DIR"], !path.isEmpty {
            return DeviceSocketDirectory(path: path + "/touchstone")
        }
        return DeviceSocketDirectory(path: "/tmp/touchstone-\(getuid())")
    }

    /// The socket of a device.
    ///
    /// - Throws: ``DeviceHostError/invalidName(_:)`` for a text that is no device name.
    package func socketPath(of name: String) throws(DeviceHostError) -> String {
        // The socket replaces a file at this path; a device's name does not lead out of the directory.
        try DeviceName.check(name)
        return "\(path)/\(name).sock"
    }

    /// Creates the directory.
    ///
    /// - Throws: ``DeviceHostError`` when it cannot be created or belongs to another user.
    package func prepare() throws(DeviceHostError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotListen("\(path) cannot be created: \(error.localizedDescription)")
        }
        // Another user's directory could route this user's requests to that user's device.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.ownerAccountID] as? NSNumber == NSNumber(value: getuid()) else {
            throw .cannotListen("\(path) belongs to another user")
        }
    }

    /// The names of the sockets in the directory; the socket of a killed process remains.
    package func names() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }.sorted()
    }
}
