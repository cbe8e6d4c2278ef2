internal import Foundation
internal import Machine
internal import MachineNeeds

/// A folder into which the program writes.
enum FolderLook {
    /// Looks at a folder; one that is missing is made at its first use, if the folder above it permits that.
    ///
    /// - Parameter isPrivate: whether the program refuses a folder that other users can enter.
    static func sighting(of path: String, isPrivate: Bool) -> Sighting {
        if isPrivate {
            do {
                _ = try PrivateDirectory.check(path)
            } catch .system(let number) where number == EACCES {
                return .refused(path: path)
            } catch {
                return .unsuitable(path: path, error.description)
            }
        }
        var folder = URL(filePath: path).standardizedFileURL.path
        let isMissing = access(folder, F_OK) != 0
        while access(folder, F_OK) != 0 {
            guard errno == ENOENT, folder != "/" else { return .refused(path: path) }
            folder = URL(filePath: folder).deletingLastPathComponent().path
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            return .unsuitable(path: folder, String(cString: strerror(ENOTDIR)))
        }
        guard access(folder, W_OK | X_OK) == 0 else { return .refused(path: path) }
        guard let space = FreeSpace.bytes(at: folder) else { return .usable(path) }
        guard space > 0 else { return .unsuitable(path: folder, "its file system is full") }
        let megabytes = space >> 20
        let free = megabytes < 1024 ? "\(megabytes) MB free" : "\(megabytes >> 10) GB free"
        return .usable("\(path), \(isMissing ? "made at the first use, " : "")\(free)")
    }
}
