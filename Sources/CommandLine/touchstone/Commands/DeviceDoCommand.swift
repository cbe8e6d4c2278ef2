import ArgumentParser
import DeviceActs
import Tables

/// `touchstone device do`.
struct DeviceDoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "do",
        abstract: "Perform a scenario's act on a running device.",
        discussion: HelpTable.text(acts))

    private static var acts: TextTable {
        var table = TextTable()
        for verb in DeviceAct.vocabulary where !verb.movesDocument {
            table.add("  " + verb.word, verb.meaning)
            for parameter in verb.parameters { table.add(["", words(parameter)]) }
        }
        return table
    }

    @Argument(help: "The act: one of the words above.", completion: .deviceActs)
    var act: String

    @Argument(help: "The act's arguments as name=value; the first may be the value alone, unless the value has a '='.")
    var arguments: [String] = []

    @OptionGroup var target: DeviceCommand.Target

    func run() async throws {
        guard DeviceAct.verb(act)?.movesDocument != true else {
            throw CommandError("\(act) needs a file; use `touchstone device \(act) FILE`", .badInput)
        }
        try await target.perform(act, try Self.values(arguments, of: act))
    }

    private static func values(_ arguments: [String], of act: String) throws -> [String: String] {
        // An unknown act is reported before its arguments.
        guard let parameters = DeviceAct.verb(act)?.parameters else { return [:] }
        var values: [String: String] = [:]
        for (index, argument) in arguments.enumerated() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = parts.count == 2 ? parts[0] : index == 0 ? parameters.first?.name : nil else {
                throw CommandError(
                    "\"\(argument)\": expected name=value"
                        + (parameters.isEmpty ? "; \(act) takes no arguments" : ", with a name from device do --help"),
                    .badInput)
            }
            guard values.updateValue(parts[parts.count - 1], forKey: name) == nil else {
                throw CommandError("\(name) is given twice", .badInput)
            }
        }
        return values
    }

    private static func words(_ parameter: DeviceVerb.Parameter) -> String {
        "\(parameter.name)=…  \(parameter.meaning)\(parameter.choices)"
    }
}

extension DeviceVerb.Parameter {
    /// The choices in parentheses, after a space; empty for any text.
    var choices: String {
        switch kind {
        case .choice(let choices): " (\(choices.joined(separator: ", ")))"
        case .number(let range): " (\(range.lowerBound) to \(range.upperBound))"
        case .text, .document: ""
        }
    }
}
