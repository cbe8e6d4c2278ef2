internal import CBOR
internal import CTAP
internal import MessageValues
internal import Mutants

/// A member of a command's request or response, which a mutation ignores or leaves out.
struct CommandMember: Sendable {
    let command: CTAPCommand
    let member: MessageMember

    /// The command and the member, such as `GetInfo.maxMsgSize`.
    var name: String { "\(command.name ?? "?").\(member.name)" }

    /// The parameters of a command as the device reads them.
    static func read(_ parameters: CBOR.Value, of command: UInt8?) -> CBOR.Value {
        let ignored = ofRequests.first {
            $0.command.rawValue == command && Mutant.isMade("message.ignores:", $0.name)
        }
        return ignored?.removed(from: parameters) ?? parameters
    }

    /// The response to a command as the device writes it.
    static func written(_ response: CBOR.Value?, to command: CTAPCommand) -> CBOR.Value? {
        let lacking = ofResponses.first { $0.command == command && Mutant.isMade("message.lacks:", $0.name) }
        guard let response, let lacking else { return response }
        return lacking.removed(from: response)
    }

    private func removed(from item: CBOR.Value) -> CBOR.Value {
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

    /// Without a required parameter a command does nothing: such a change is not a single one.
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
