internal import CredentialExchange
internal import Wording

/// An act's word with its help and its parameters, for scenarios, the command line and the control API alike.
package struct DeviceVerb: Sendable {
    /// A parameter of an act.
    package struct Parameter: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case text
            /// A document in JSON, which a terminal's user gives as a file.
            case document
            case number(ClosedRange<Int>)
            case choice([String])
        }

        /// The length of a text, in Unicode scalars.
        package static let textLength = 1...4096
        /// The length of a document in bytes of UTF-8.
        package static let documentLength = 1...PasskeyDocumentReader.longestDocument

        package let name: String
        package let kind: Kind
        package let isRequired: Bool
        /// One line of help.
        package let meaning: String
    }

    /// The word, such as `enrol`.
    package let word: String
    /// One line of help.
    package let meaning: String
    /// The parameters; the first argument may stand beside the word without its name.
    package let parameters: [Parameter]
    /// Whether the act reads or makes a document, which terminals keep in files and scenarios under names.
    package let movesDocument: Bool
    let read: @Sendable ([String: String]) throws(DeviceActError) -> DeviceAct

    init<Act: DeclaredAct>(_ type: Act.Type) {
        let (form, parameters) = (Act.form, Act.form.parameters.map(\.form))
        word = form.word
        meaning = form.help
        self.parameters = parameters
        movesDocument = Act.movesDocument
        read = { arguments throws(DeviceActError) in
            for name in arguments.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
                let names = parameters.map(\.name)
                let expectation =
                    names.isEmpty ? "\(form.word) takes none" : "expected \(names.joined(separator: ", "))"
                throw DeviceActError(
                    parameter: name,
                    "unknown parameter \"\(name)\" of \(form.word); \(expectation)"
                        + NearestNames.question(name, among: names))
            }
            var act = Act()
            for parameter in form.parameters {
                if let argument = arguments[parameter.form.name] {
                    if let other = parameters.first(where: { $0.takes(argument, inPlaceOf: parameter.form) }) {
                        throw DeviceActError(
                            valueOf: parameter.form.name, "\"\(argument)\" is a value of \(other.name); give it there")
                    }
                    try parameter.read(argument, &act)
                } else if parameter.form.isRequired {
                    let (name, meaning) = (parameter.form.name, parameter.form.meaning)
                    throw DeviceActError(parameter: name, "\(name) is missing: \(meaning)")
                }
            }
            try act.validate()
            return DeviceAct(act, given: Set(arguments.keys))
        }
    }
}

extension DeviceVerb.Parameter {
    /// Whether a value that another parameter does not have is one of this one's choices.
    fileprivate func takes(_ value: String, inPlaceOf other: Self) -> Bool {
        guard case .choice(let own) = kind, case .choice(let others) = other.kind else { return false }
        return own.contains(value) && !others.contains(value)
    }

    func check(_ value: String) throws(DeviceActError) {
        switch kind {
        case .text:
            let (length, limits) = (value.unicodeScalars.count, Self.textLength)
            guard limits.contains(length) else {
                throw DeviceActError(
                    valueOf: name,
                    "expected text of \(limits.lowerBound) to \(limits.upperBound) characters, found \(length)")
            }
        case .document:
            guard Self.documentLength.contains(value.utf8.count) else {
                throw DeviceActError(
                    valueOf: name, "expected a document of 1 to \(Self.documentLength.upperBound) bytes of JSON")
            }
        case .number(let range):
            guard let number = Int(value), range.contains(number) else {
                throw DeviceActError(
                    valueOf: name,
                    "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \"\(value)\"")
            }
        case .choice(let choices):
            guard choices.contains(value) else {
                throw DeviceActError(
                    valueOf: name,
                    "expected one of \(choices.joined(separator: ", ")), found \"\(value)\""
                        + NearestNames.question(value, among: choices))
            }
        }
    }
}

/// An act whose text cannot be read; nothing happened.
package struct DeviceActError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The wrong or missing parameter; nil when the act's word is unknown.
    package let parameter: String?
    /// The problem and the expectation, for a reader who sees the parameter.
    package let problem: String
    /// The problem and the expectation.
    package let description: String

    init(parameter: String?, _ description: String) {
        self.parameter = parameter
        problem = description
        self.description = description
    }

    init(valueOf parameter: String, _ problem: String) {
        self.parameter = parameter
        self.problem = problem
        description = "\(parameter): \(problem)"
    }
}
