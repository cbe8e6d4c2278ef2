internal import CBOR
internal import CTAP
internal import Causes

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
                return (.pinNotSet, Cause("pin-retries-without-pin"))
            }),
        account(
            "no-account", "the device has no account at its provider: no passkey is made or found",
            .googleSignInMissing),
        account(
            "no-sync-account", "the account that keeps passkeys cannot be reached: no passkey is made or found",
            .syncAccountUnavailable),
        AuthenticatorFault(
            "uv-claimed", "UV is always set without a verification: the device asks for a touch only", noticedBy: [],
            edit: .verification),
    ]

    /// A provider without the account that keeps its passkeys.
    private static func account(_ name: String, _ meaning: String, _ cause: Cause) -> AuthenticatorFault {
        AuthenticatorFault(
            name, meaning, noticedBy: [],
            edit: .request { request, _ in
                switch request.command {
                case .makeCredential: (.operationDenied, cause)
                case .getAssertion: (.noCredentials, .noCredentials)
                default: nil
                }
            })
    }
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
