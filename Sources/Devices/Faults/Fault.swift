package import CTAP
package import CTAPHID
package import VirtualAuthenticator
internal import Wording

/// Any fault, whatever the layer it is applied at.
package enum Fault: Sendable {
    case authenticator(AuthenticatorFault)
    case ctap(CTAPFault)
    case transport(TransportFault)

    /// What can be made to go wrong, layer by layer.
    package static let catalogue: [FaultDescription] =
        AuthenticatorFault.all.map(\.description) + CTAPFault.catalogue + TransportFault.catalogue

    /// Reads a fault as people write it: its name, perhaps with a value behind a colon, perhaps with the command it is
    /// meant for: `counter-stuck`, `status:KEY_STORE_FULL on MakeCredential`, perhaps with what one of the request's
    /// parameters must be: `refused:MISSING_PARAMETER on MakeCredential where 0x08=empty`.
    ///
    /// - Throws: ``FaultSyntaxError`` that says what was expected.
    package init(parsing text: String) throws(FaultSyntaxError) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        guard let first = words.first, words.count == 1 || (words.count >= 3 && words[1] == "on"),
            words.count <= 3 || (words.count == 5 && words[3] == "where")
        else {
            throw FaultSyntaxError(
                "expected a fault's name, \"NAME on COMMAND\" or \"NAME on COMMAND where KEY=VALUE\", found \"\(text)\""
            )
        }
        let command = try words.count >= 3 ? Self.command(words[2]) : nil
        let condition = try words.count == 5 ? CTAPFault.Condition(parsing: words[4]) : nil
        let parts = first.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let argument = parts.count > 1 ? parts[1] : nil
        if argument == nil, command == nil, let fault = AuthenticatorFault.named(parts[0]) {
            self = .authenticator(fault)
        } else if let fault = try CTAPFault.named(parts[0], argument: argument, on: command, where: condition) {
            self = .ctap(fault)
        } else if command == nil, let fault = try TransportFault.named(parts[0], argument: argument) {
            self = .transport(fault)
        } else if AuthenticatorFault.named(parts[0]) != nil {
            throw FaultSyntaxError("\(parts[0]) is a fault of the authenticator and takes no value and no command")
        } else if TransportFault.catalogue.contains(where: { $0.name == parts[0] }) {
            throw FaultSyntaxError("\(parts[0]) is a fault of the transport, which knows no commands")
        } else {
            let question = NearestNames.question(parts[0], among: Self.catalogue.map(\.name))
            throw FaultSyntaxError(
                "\"\(parts[0])\" is no fault, and touchstone faults list names them all\(question)")
        }
    }

    /// A command's name in one word.
    static func spelling(_ command: CTAPCommand) -> String? {
        let preview = " (preview)"
        return command.name.map { $0.hasSuffix(preview) ? $0.dropLast(preview.count) + "Preview" : $0 }
    }

    private static func command(_ word: String) throws(FaultSyntaxError) -> CTAPCommand {
        let known = (UInt8.min...UInt8.max).map(CTAPCommand.init(rawValue:)).filter { $0.name != nil }
        guard let command = known.first(where: { spelling($0) == word }) else {
            let names = known.compactMap(spelling).joined(separator: ", ")
            throw FaultSyntaxError("\"\(word)\" is no command; expected one of \(names)")
        }
        return command
    }
}

/// A fault that is not written as it should be.
package struct FaultSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
