import Documents
import Wording
internal import YAMLFiles

/// The reading of files one by one; the mistake of a wrong one hides no other file.
struct FileCheck {
    private let noun: String
    private var total = 0
    private var wrong = 0
    private var mistakes: Set<String> = []

    /// - Parameter noun: The kind of file, for the count of wrong ones.
    init(_ noun: String) { self.noun = noun }

    /// Reads files, and prints the mistakes of each wrong one.
    ///
    /// - Returns: The contents of the other ones.
    @discardableResult
    mutating func read<Content>(_ files: [String], as content: (String) throws(SourceError) -> Content) -> [Content] {
        var contents: [Content] = []
        for file in files {
            do {
                contents.append(try content(file))
            } catch {
                wrong += 1
                // A file that several extend is wrong in each.
                for mistake in error.each where mistakes.insert(mistake.description).inserted {
                    Terminal.writeError(mistake.description)
                }
            }
        }
        total += files.count
        return contents
    }

    /// - Throws: `CommandError` when a file was wrong.
    func end() throws {
        guard wrong > 0 else { return }
        let verb = wrong == 1 ? "is" : "are"
        throw CommandError("\(wrong) of \(Wording.counted(total, noun)) \(verb) wrong", .badInput)
    }

    /// Says which files a command reads that was given none.
    static func announce(_ files: [String], _ noun: String, in directories: [String]) {
        let plural = noun.hasSuffix("y") ? String(noun.dropLast()) + "ies" : nil
        let places = directories.map(ResourceLibrary.title(ofDirectory:)).joined(separator: " and ")
        Terminal.writeError("Checking \(Wording.counted(files.count, noun, plural)) in \(places)")
    }

    /// Prints a line for each file: the result of reading it, or its mistakes.
    ///
    /// - Throws: `CommandError` when a file is wrong.
    static func run(_ files: [String], _ noun: String, read: (String) throws(SourceError) -> String) throws {
        var check = FileCheck(noun)
        check.read(files) { file throws(SourceError) in Terminal.write("\(file): ok, \(try read(file))") }
        try check.end()
    }
}
