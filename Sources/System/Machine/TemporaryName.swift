internal import Foundation

/// Names of files that get their own name when they are complete.
///
/// The name is random, so that no other file has it; the file is created exclusively.
package enum TemporaryName {
    private static let digits = 32
    private static let end = "-new"

    /// A new name in the directory of a path.
    package static func beside(_ path: String) -> String {
        let number = (0..<2).map { _ in String(UInt64.random(in: .min ... .max) | 1 << 63, radix: 16) }.joined()
        return "\(path)-\(number)\(end)"
    }

    /// The files that an interrupted creation of a path has left.
    package static func remains(of path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { name in
            guard name.hasPrefix(url.lastPathComponent + "-"), name.hasSuffix(end) else { return false }
            let middle = name.dropFirst(url.lastPathComponent.count + 1).dropLast(end.count)
            return middle.count == digits && middle.allSatisfy { $0.isHexDigit && !$0.isUppercase }
        }.map { folder.appendingPathComponent($0).path }
    }
}
