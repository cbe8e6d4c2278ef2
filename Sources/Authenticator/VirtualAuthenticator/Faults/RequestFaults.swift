internal import CBOR
internal import CTAP

extension AuthenticatorFault {
    /// Faults of the answer to a request, by the device's state; the client detects them.
    static let requestFaults: [AuthenticatorFault] = [
        AuthenticatorFault(
            "pin-retries-without-pin", "getPINRetries is PIN_NOT_SET while no PIN is set", noticedBy: [],
            edit: .request { request, isPINSet in
                guard !isPINSet, request.command == .clientPIN,
                    request.parameters[ClientPINRequest.Key.subCommand.rawValue]
                        == .integer(ClientPINSubcommand.getPINRetries.rawValue)
                else { return nil }
                return .pinNotSet
            })
    ]
}

/// A request, for faults that refuse it.
struct FaultyRequest {
    let command: CTAPCommand
    let parameters: CBOR.Map

    init(_ message: [UInt8]) {
        command = CTAPCommand(rawValue: message.first ?? 0)
        if case .map(let map)? = try? CBOR.decode(message, from: 1) { parameters = map } else { parameters = [:] }
    }
}
