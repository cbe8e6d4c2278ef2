internal import Wording

/// How an act is written: its word, its parameters and what it means.
///
/// One table for scenarios, the command line and the control API, so that each of them can do what the others can.
package struct DeviceVerb: Sendable {
    /// Something an act needs to be told.
    package struct Parameter: Hashable, Sendable {
        /// What may stand there.
        package enum Kind: Hashable, Sendable {
            case text
            case number(ClosedRange<Int>)
            case choice([String])
        }

        /// How many characters (Unicode scalars) a text may have.
        package static let textLength = 1...1000

        /// Its name, such as `template`.
        package let name: String
        /// What may stand there.
        package let kind: Kind
        /// Whether the act means nothing without it.
        package let isRequired: Bool
        /// One line that says what it is.
        package let meaning: String

        init(_ name: String, of kind: Kind = .text, optional: Bool = false, _ meaning: String) {
            self.name = name
            self.kind = kind
            isRequired = !optional
            self.meaning = meaning
        }
    }

    /// The word, such as `enrol`.
    package let word: String
    /// One line that says what happens.
    package let meaning: String
    /// Its parameters; the first may stand beside the word without its name.
    package let parameters: [Parameter]
    let make: @Sendable (Arguments) throws(DeviceActError) -> DeviceAct

    init(
        _ word: String, _ meaning: String, _ parameters: [Parameter] = [],
        make: @escaping @Sendable (Arguments) throws(DeviceActError) -> DeviceAct
    ) {
        self.word = word
        self.meaning = meaning
        self.parameters = parameters
        self.make = make
    }
}

extension DeviceVerb {
    /// Arguments that have been held against the parameters.
    struct Arguments {
        fileprivate let values: [String: String]

        func text(_ name: String) -> String? { values[name] }

        func number(_ name: String) -> Int? { values[name].flatMap(Int.init) }

        /// The text of a required parameter.
        func required(_ name: String) throws(DeviceActError) -> String {
            guard let value = values[name] else { throw DeviceActError(parameter: name, "\(name) is missing") }
            return value
        }

        /// A value of an enumeration whose cases the parameter's choices are.
        func choice<Choice: RawRepresentable>(
            _ name: String, _ type: Choice.Type
        ) -> Choice? where Choice.RawValue == String {
            values[name].flatMap(Choice.init)
        }
    }

    /// Holds arguments against the parameters.
    func check(_ arguments: [String: String]) throws(DeviceActError) -> Arguments {
        for name in arguments.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
            let names = parameters.map(\.name).joined(separator: ", ")
            let expectation = names.isEmpty ? "\(word) takes none" : "expected \(names)"
            throw DeviceActError(parameter: name, "\(name) is no parameter of \(word); \(expectation)")
        }
        for parameter in parameters {
            guard let value = arguments[parameter.name] else {
                guard parameter.isRequired else { continue }
                throw DeviceActError(parameter: parameter.name, "\(parameter.name) is missing: \(parameter.meaning)")
            }
            try parameter.check(value)
        }
        return Arguments(values: arguments)
    }
}

extension DeviceVerb.Parameter {
    fileprivate func check(_ value: String) throws(DeviceActError) {
        switch kind {
        case .text:
            let (length, limits) = (value.unicodeScalars.count, Self.textLength)
            guard limits.contains(length) else {
                throw DeviceActError(
                    parameter: name,
                    "\(name): expected text of \(limits.lowerBound) to \(limits.upperBound) characters, found \(length)"
                )
            }
        case .number(let range):
            guard let number = Int(value), range.contains(number) else {
                throw DeviceActError(
                    parameter: name,
                    "\(name): expected a whole number from \(range.lowerBound) to \(range.upperBound), found \"\(value)\""
                )
            }
        case .choice(let choices):
            guard choices.contains(value) else {
                throw DeviceActError(
                    parameter: name,
                    "\(name): expected one of \(choices.joined(separator: ", ")), found \"\(value)\""
                        + NearestNames.question(value, among: choices))
            }
        }
    }
}

/// An act that cannot be read; nothing happened.
package struct DeviceActError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The parameter that is wrong or missing; nil when the word itself is.
    package let parameter: String?
    /// What is wrong, and what was expected.
    package let description: String

    init(parameter: String?, _ description: String) {
        self.parameter = parameter
        self.description = description
    }
}
