package import CTAPHID
package import VirtualAuthenticator
internal import Wording

/// A fault of a device at one of its layers, with the text it is written as.
package struct Fault: Hashable, Sendable {
    /// The change a fault makes, by layer.
    package enum Change: Hashable, Sendable {
        case authenticator(AuthenticatorFault)
        case ctap(CTAPFault)
        case transport(TransportFault)
        case platform(PlatformFault)
        case hybrid(ConnectionFault)
    }

    package let description: FaultDescription
    /// The fault as it was written, argument, command and condition included.
    package let spelling: String
    package let change: Change

    package var name: String { description.name }
    package var layer: FaultDescription.Layer { description.layer }

    /// The name in the event of an answer that it changes.
    package var nameInEvents: String {
        switch change {
        case .authenticator(let fault): fault.name
        case .ctap(let fault): fault.spelling
        case .transport(let fault): fault.name
        case .platform(let fault): fault.rawValue
        case .hybrid(let fault): fault.spelling
        }
    }

    /// Every fault, layer by layer.
    package static let catalogue: [FaultDescription] =
        AuthenticatorFault.all.map { FaultDescription($0) }
        + CTAPFault.table.map { FaultDescription($0, layer: .ctap) }
        + TransportFault.table.map { FaultDescription($0, layer: .transport) }
        + ConnectionFault.table.map { FaultDescription($0, layer: .hybrid) }
        + PlatformFault.table.map { FaultDescription($0, layer: .platform, noticedBy: .app) }

    /// Reads a fault: `NAME`, `NAME:ARGUMENT`, and for a fault of CTAP `NAME on COMMAND` and
    /// `NAME on COMMAND where KEY=VALUE`.
    ///
    /// Examples are `counter-stuck`, `status:KEY_STORE_FULL on MakeCredential` and
    /// `refused:MISSING_PARAMETER on MakeCredential where 0x08=empty`.
    package init(parsing text: String) throws(FaultSyntaxError) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        guard let first = words.first, words.count == 1 || (words.count >= 3 && words[1] == "on"),
            words.count <= 3 || (words.count == 5 && words[3] == "where")
        else {
            throw FaultSyntaxError(
                "expected a fault's name, \"NAME on COMMAND\" or \"NAME on COMMAND where KEY=VALUE\", found \"\(text)\""
            )
        }
        let parts = first.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (name, argument) = (parts[0], parts.count > 1 ? parts[1] : nil)
        spelling = words.joined(separator: " ")
        if let fault = AuthenticatorFault.named(name) {
            guard argument == nil, words.count == 1 else {
                throw FaultSyntaxError(
                    "\(name) is an authenticator fault and takes neither a value nor a command; write the name alone")
            }
            description = FaultDescription(fault)
            change = .authenticator(fault)
        } else if let row = CTAPFault.table.first(where: { $0.name == name }) {
            description = FaultDescription(row, layer: .ctap)
            change = .ctap(
                CTAPFault(
                    effect: try row.effect(argument), name: name, spelling: spelling,
                    command: try words.count >= 3 ? CTAPFault.command(named: words[2]) : nil,
                    condition: try words.count == 5 ? CTAPFault.Condition(parsing: words[4]) : nil))
        } else if let row = TransportFault.table.first(where: { $0.name == name }) {
            guard words.count == 1 else {
                throw FaultSyntaxError(
                    "\(name) is a transport fault and takes no command; remove the words after the name")
            }
            description = FaultDescription(row, layer: .transport)
            change = .transport(TransportFault(try row.effect(argument), name: name, spelling: spelling))
        } else if let row = ConnectionFault.table.first(where: { $0.name == name }) {
            guard words.count == 1 else {
                throw FaultSyntaxError(
                    "\(name) is a fault of hybrid connections and takes no command; remove the words after the name")
            }
            description = FaultDescription(row, layer: .hybrid)
            change = .hybrid(ConnectionFault(kind: try row.effect(argument), spelling: spelling))
        } else if let row = PlatformFault.table.first(where: { $0.name == name }) {
            guard words.count == 1 else {
                throw FaultSyntaxError(
                    "\(name) is a fault of the system and takes no command; remove the words after the name")
            }
            description = FaultDescription(row, layer: .platform, noticedBy: .app)
            change = .platform(try row.effect(argument))
        } else {
            throw FaultSyntaxError(
                "unknown fault \"\(name)\"; run `touchstone faults list` for all names"
                    + NearestNames.question(name, among: Self.catalogue.map(\.name)))
        }
    }
}

/// An error in the text of a fault.
package struct FaultSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
