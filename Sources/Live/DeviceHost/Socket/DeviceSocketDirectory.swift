internal import Foundation
internal import Machine

/// The directory of the sockets of running devices; only its owner can enter it.
package struct DeviceSocketDirectory: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The user's ``RuntimeDirectory``.
    package static var standard: DeviceSocketDirectory { DeviceSocketDirectory(path: RuntimeDirectory.standardPath) }

    /// The socket of a device.
    package func socketPath(of name: String) throws(DeviceHostError) -> String {
        // The socket replaces a file at this path; a device's name does not lead out of the directory.
        try DeviceName.check(name)
        return "\(path)/\(name).sock"
    }

    /// Creates the directory; throws when another user can enter it.
    package func prepare() throws(DeviceHostError) {
        do {
            try PrivateDirectory.make(path)
        } catch {
            throw refusal(error)
        }
    }

    /// Checks the directory before a request goes to one of its sockets: in another user's directory they may be that
    /// user's devices.
    func check() throws(DeviceHostError) {
        do {
            _ = try PrivateDirectory.check(path)
        } catch {
            throw refusal(error)
        }
    }

    private func refusal(_ problem: FileProblem) -> DeviceHostError {
        .cannotListen("the directory \(path) cannot be used for the sockets of devices: \(problem)")
    }

    /// The names of the sockets in the directory; the socket of a killed process remains.
    package func names() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }.sorted()
    }
}
