public import CTAP
public import CTAPHID
public import VirtualAuthenticator

/// Any fault, whatever the layer it is applied at.
public enum Fault: Sendable {
    case authenticator(AuthenticatorFault)
    case ctap(CTAPFault)
    case transport(TransportFault)

    /// What can be made to go wrong, layer by layer.
    public static let catalogue: [FaultDescription] =
        AuthenticatorFault.all.map(\.description) + CTAPFault.catalogue + TransportFault.catalogue

    /// Reads a fault as people write it: its name, perhaps with a value behind a colon, perhaps with the command it is
    /// meant for: `counter-stuck`, `status:KEY_STORE_FULL on MakeCredential`.
    ///
    /// - Throws: ``FaultSyntaxError`` that says what was expected.
    public init(parsing text: String) throws(FaultSyntaxError) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        guard words.count == 1 || (words.count == 3 && words[1] == "on"), let first = words.first else {
            throw FaultSyntaxError("expected a fault's name, or \"NAME on COMMAND\", found \"\(text)\"")
        }
        let command = try words.count == 3 ? Self.command(words[2]) : nil
        let parts = first.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let argument = parts.count > 1 ? parts[1] : nil
        if argument == nil, command == nil, let fault = AuthenticatorFault.named(parts[0]) {
            self = .authenticator(fault)
        } else if let fault = try CTAPFault.named(parts[0], argument: argument, on: command) {
            self = .ctap(fault)
        } else if command == nil, let fault = try TransportFault.named(parts[0], argument: argument) {
            self = .transport(fault)
        } else if AuthenticatorFault.named(parts[0]) != nil {
            throw FaultSyntaxError("\(parts[0]) is a fault of the authenticator and takes no value and no command")
        } else if TransportFault.catalogue.contains(where: { $0.name == parts[0] }) {
            throw FaultSyntaxError("\(parts[0]) is a fault of the transport, which knows no commands")
        } else {
            let names = Self.catalogue.map(\.name).joined(separator: ", ")
            throw FaultSyntaxError("\"\(parts[0])\" is no fault; expected one of \(names)")
        }
    }

    private static func command(_ word: String) throws(FaultSyntaxError) -> CTAPCommand {
        let known = (UInt8.min...UInt8.max).map(CTAPCommand.init(rawValue:)).filter { $0.name != nil }
        guard let command = known.first(where: { $0.name == word }) else {
            let names = known.compactMap(\.name).joined(separator: ", ")
            throw FaultSyntaxError("\"\(word)\" is no command; expected one of \(names)")
        }
        return command
    }
}

/// A fault that is not written as it should be.
public struct FaultSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
