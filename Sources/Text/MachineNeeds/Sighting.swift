/// The result of a look at a part of the computer, before its judgement.
///
/// The texts name what was seen, as the rest of a report's line.
package enum Sighting: Hashable, Sendable {
    /// It can be used.
    case usable(String)
    /// A program on `PATH`, with the first line that it prints about its version; nil where it prints none.
    case program(path: String, version: String?)
    /// It was not found; the text says where.
    case absent(String)
    /// It was not found, and a program on `PATH` stands in for it; the text says where it was not found.
    case replaceable(String, by: String)
    /// It is installed and at rest: a service that does not run, or an adapter that is off.
    case resting(String)
    /// This user has no access to the file or folder.
    case refused(path: String)
    /// A folder that other users can enter, a symbolic link, or a full disk.
    case unsuitable(path: String, String)
    /// A port that a program uses; nil where its name cannot be read.
    case taken(by: String?)
    /// The operating system has nothing of the kind.
    case foreign(String)

    /// The version's numbers in a program's line, such as 142, 0, 7444 in `Chromium 142.0.7444.59 built on Debian`.
    static func numbers(inVersion line: String) -> [Int]? {
        let words = line.split { !($0.isNumber || $0 == ".") }
        return words.lazy
            .map { $0.split(separator: ".").compactMap { Int($0) } }
            .first { !$0.isEmpty }
    }
}
