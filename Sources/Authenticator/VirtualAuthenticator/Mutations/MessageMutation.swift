internal import CBOR
internal import CTAP
internal import MessageValues
internal import Mutations

/// A mutation run leaves one member out of a response, or ignores one optional parameter of a request.
package enum MessageMutation: Mutation {
    /// The response to a command lacks a member.
    case lacks(CommandMember)
    /// A parameter of a command is ignored.
    case ignores(CommandMember)

    package static let room = "message"

    package var name: String {
        switch self {
        case .lacks(let member): "lacks:\(member.name)"
        case .ignores(let member): "ignores:\(member.name)"
        }
    }

    package static var allCases: [MessageMutation] {
        CommandMember.ofResponses.map(Self.lacks) + CommandMember.ofRequests.map(Self.ignores)
    }

    /// The parameters of a command as the device reads them.
    static func read(_ parameters: CBOR.Value, of command: UInt8?) -> CBOR.Value {
        guard case .ignores(let member)? = active, member.command.rawValue == command else { return parameters }
        return member.removed(from: parameters)
    }

    /// The response to a command as the device writes it.
    static func written(_ response: CBOR.Value?, to command: CTAPCommand) -> CBOR.Value? {
        guard case .lacks(let member)? = active, member.command == command else { return response }
        return response.map(member.removed)
    }
}

/// A member of a command's request or response.
package struct CommandMember: Sendable {
    let command: CTAPCommand
    let member: MessageMember

    /// The command and the member, such as `GetInfo.maxMsgSize`.
    var name: String { "\(command.name ?? "?").\(member.name)" }

    func removed(from item: CBOR.Value) -> CBOR.Value {
        guard case .map(var map) = item else { return item }
        map[member.key] = nil
        return .map(map)
    }

    static let ofResponses: [CommandMember] = members([
        (.makeCredential, MakeCredentialResponse.members), (.getAssertion, GetAssertionResponse.members),
        (.getNextAssertion, GetAssertionResponse.members), (.getInfo, AuthenticatorInfo.members),
        (.clientPIN, ClientPINResponse.members), (.bioEnrollment, BioEnrollmentResponse.members),
        (.credentialManagement, CredentialManagementResponse.members), (.largeBlobs, LargeBlobsResponse.members),
    ])

    /// Without a required parameter a command does nothing: such a change is no single one.
    static let ofRequests: [CommandMember] = members([
        (.makeCredential, MakeCredentialRequest.members), (.getAssertion, GetAssertionRequest.members),
        (.clientPIN, ClientPINRequest.members), (.bioEnrollment, BioEnrollmentRequest.members),
        (.credentialManagement, CredentialManagementRequest.members), (.largeBlobs, LargeBlobsRequest.members),
        (.config, AuthenticatorConfigRequest.members),
    ]).filter { !required.contains($0.member.name) }

    private static let required: Set<String> = [
        "clientDataHash", "rp", "user", "pubKeyCredParams", "rpId", "subCommand",
    ]

    private static func members(_ table: [(CTAPCommand, [MessageMember])]) -> [CommandMember] {
        table.flatMap { command, members in members.map { CommandMember(command: command, member: $0) } }
    }
}
