import Foundation
import Machine
import Wording

/// The source of the bytes to decode: a file, standard input, or the argument itself.
enum DecodeSource {
    private static let longestInput = 1 << 20

    /// The content; an existing file comes first.
    static func content(of path: String) throws -> (name: String?, content: [UInt8]) {
        guard path == "-" || FileManager.default.fileExists(atPath: path) else {
            guard !namesFile(path) else {
                throw CommandError(
                    "\(path): there is no such file" + nearNames(path, orElse: "check its name"), .badInput)
            }
            return (nil, Array(path.utf8))
        }
        guard let bytes = BoundedFile.read(path == "-" ? "/dev/stdin" : path, limit: longestInput) else {
            throw CommandError("\(path): the file cannot be read; check its permissions", .badInput)
        }
        guard bytes.count <= longestInput else {
            throw CommandError(
                "\(path): the input is longer than 1 MiB, the most that is read; give a part of it", .badInput)
        }
        return (path == "-" ? nil : path, bytes)
    }

    /// The end of an error about an argument that has no structure, and may be the name of a file.
    static func absence(of argument: String) -> String? {
        guard argument != "-", !argument.isEmpty, isName(argument) else { return nil }
        return "; and no file has this name" + nearNames(argument, orElse: nil)
    }

    /// Whether an argument is the path of a file, and not bytes: with an extension, or in an existing folder.
    private static func namesFile(_ argument: String) -> Bool {
        guard isName(argument) else { return false }
        let name = argument.split(separator: "/").last ?? ""
        if let dot = name.lastIndex(of: "."), dot != name.startIndex {
            let ending = name[name.index(after: dot)...]
            if (1...8).contains(ending.count), ending.first?.isLetter ?? false,
                ending.allSatisfy({ $0.isLetter || $0.isNumber })
            {
                return true
            }
        }
        if ["./", "../", "~/"].contains(where: argument.hasPrefix) { return true }
        // Base64 has slashes, too.
        let folder = argument.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return !folder.isEmpty && FileManager.default.fileExists(atPath: folder)
    }

    private static func isName(_ argument: String) -> Bool {
        !["{", "[", "-----BEGIN"].contains(where: argument.hasPrefix) && argument.utf8.count <= 255
            && argument.allSatisfy { $0.isLetter || $0.isNumber || "._-/~+ ".contains($0) }
    }

    private static func nearNames(_ path: String, orElse advice: String?) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let folder = parts.dropLast().joined(separator: "/")
        let place = parts.count == 1 ? "." : folder.isEmpty ? "/" : folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place))?.sorted() ?? []
        return NearestNames.question(parts.last ?? path, among: names, orElse: advice)
    }
}
