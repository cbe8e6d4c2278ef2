import Documents
import Wording

/// The check of files that are not run.
enum FileCheck {
    /// Prints a line for each file: the result of reading it, or its first mistake.
    ///
    /// - Parameters:
    ///   - noun: The kind of file, for the count of wrong ones.
    ///   - read: Reads a file and describes it in a few words.
    /// - Throws: `CommandError` when a file is wrong.
    static func run(_ files: [String], _ noun: String, read: (String) throws(SourceError) -> String) throws {
        var failures = 0
        for file in files {
            do {
                Terminal.write("\(file): ok, \(try read(file))")
            } catch {
                failures += 1
                Terminal.writeError(error.description)
            }
        }
        guard failures == 0 else {
            let verb = failures == 1 ? "is" : "are"
            throw CommandError("\(failures) of \(Wording.counted(files.count, noun)) \(verb) wrong", .badInput)
        }
    }
}
