import Foundation

/// An empty folder of a test, removed afterwards.
final class Folder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "machine-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
        return path(name)
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

/// A file of another user at a place where the program expects a file of its own.
enum Trap: CaseIterable {
    case link, danglingLink, hardLink, pipe, directory, socket, device

    /// Makes the trap beside a file "victim" and returns its path.
    func make(in folder: Folder) throws -> String {
        let path = folder.path("trap")
        try folder.write("precious", to: "victim")
        let victim = folder.path("victim")
        switch self {
        case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
        case .danglingLink:
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path("made"))
        case .hardLink: try FileManager.default.linkItem(atPath: victim, toPath: path)
        case .pipe: mkfifo(path, 0o600)
        case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .socket: try bind(path)
        case .device: return "/dev/null"
        }
        return path
    }

    private func bind(_ path: String) throws {
        let descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.bind(descriptor, $0, length) }
        }
        guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EINVAL) }
    }

    /// The reason of the refusal.
    var problem: String {
        switch self {
        case .link, .danglingLink: "it is a symbolic link; name the file itself"
        case .hardLink: "it has several names (hard links); remove the others"
        case .pipe, .directory, .socket, .device: "it is not a regular file; choose another name"
        }
    }
}
