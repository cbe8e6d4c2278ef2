internal import Foundation

/// Where running devices keep their control sockets: a directory only their owner can enter.
package struct ControlDirectory: Sendable {
    /// The directory's path.
    package let path: String

    /// A directory at a path.
    package init(path: String) {
        self.path = path
    }

    /// `$TOUCHSTONE_RUNTIME`, `$XDG_RUNTIME_DIR/touchstone`, or `touchstone-UID` among the temporary files.
    package static var standard: ControlDirectory {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["TOUCHSTONE_RUNTIME"], !path.isEmpty { return ControlDirectory(path: path) }
        if let path = environment["XDG_RUNTIME_DIR"], !path.isEmpty {
            return ControlDirectory(path: path + "/touchstone")
        }
        return ControlDirectory(path: "/tmp/touchstone-\(getuid())")
    }

    /// The socket of a device.
    ///
    /// - Throws: ``DeviceHostError/invalidName(_:)`` for a name that cannot be a file's here.
    package func socketPath(of name: String) throws(DeviceHostError) -> String {
        // What is at this path is removed and made anew, so a name must not lead out of the directory.
        let isPlain = name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
        guard isPlain, let first = name.unicodeScalars.first, first != "." else { throw .invalidName(name) }
        return "\(path)/\(name).sock"
    }

    /// Makes the directory.
    ///
    /// - Throws: ``DeviceHostError`` when it cannot be made, or belongs to somebody else.
    package func prepare() throws(DeviceHostError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotListen("\(path) cannot be made: \(error.localizedDescription)")
        }
        // Another user's directory of this name could hand our commands to their device.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.ownerAccountID] as? NSNumber == NSNumber(value: getuid()) else {
            throw .cannotListen("\(path) belongs to another user")
        }
    }

    /// The names of the devices that have a socket here, running or left over.
    package func names() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }.sorted()
    }
}

/// Why a device could not be started or reached.
package enum DeviceHostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The control socket or the UDP port could not be opened.
    case cannotListen(String)
    /// A device cannot be called so.
    case invalidName(String)
    /// A device of that name is running already.
    case nameTaken(String)
    /// No running device answers; with the names there are.
    case notRunning(String)
    /// Several devices run and none was named.
    case ambiguous([String])
    /// The device refused the command.
    case refused(String)
    /// The act was understood, and came to nothing; with the cause.
    case cameToNothing(String)
    /// The state the device should come back with cannot be read.
    case unreadableState(String)
    /// The state could not be written when the device was switched off.
    case unwritableState(String)

    package var description: String {
        switch self {
        case .cannotListen(let detail): detail
        case .invalidName(let name):
            "\"\(name)\" cannot be a device's name: it has a \"/\" or a control character, begins with \".\", or is empty"
        case .nameTaken(let name): "a device named \(name) is running already; choose another with --name"
        case .notRunning(let detail): detail
        case .ambiguous(let names):
            "several devices run (\(names.joined(separator: ", "))); say which with --name"
        case .refused(let detail): detail
        case .cameToNothing(let cause): "refused: \(cause)"
        case .unreadableState(let detail), .unwritableState(let detail): detail
        }
    }
}
