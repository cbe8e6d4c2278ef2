import Documents
import Foundation
import Wording
internal import YAMLFiles

/// A YAML file that a command writes for the user.
struct NewFile {
    let path: String

    /// - Parameter noun: the content, such as "scenario".
    /// - Throws: `CommandError` for a name that does not end as YAML, with one that does.
    init(_ path: String, of noun: String) throws(CommandError) {
        guard ResourceName.isYAML(path), !ResourceName.name(ofFile: path).isEmpty else {
            let stem = path.hasSuffix("/") ? path + "NAME" : path
            throw CommandError(
                "\(path): the file of a \(noun) ends in .yaml; write \(Wording.shellWord(stem + ".yaml"))", .badInput)
        }
        self.path = path
    }

    /// The path as an argument of a command.
    var argument: String { Wording.shellWord(path.hasPrefix("-") ? "./" + path : path) }

    /// Writes the file with the folders that are missing; an existing file is not changed.
    func write(_ text: String) throws(CommandError) {
        let file = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw CommandError("\(path) exists; choose another name", .badInput)
        } catch {
            throw CommandError.unwritable(path, SystemProblem.words(error))
        }
    }
}
