internal import Causes
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import SimulatedDevice

/// Operations on several devices: sharing and syncing passkeys, and replacing a device.
extension ControlOperations {
    var transfers: [Operation] {
        [
            onDevice(
                .post, "/share", "sharePasskeys", "Copy passkeys to another device, as AirDrop does", .transfers,
                body: .object(
                    .required("to", DeviceName.schema, "The other device's name."),
                    .optional("account", .string(1...200), "Only passkeys of this account name."),
                    .optional("relyingPartyID", .string(1...253), "Only passkeys of this RP ID.")),
                answer: .outcome, errors: [409]
            ) { device, call in
                let other = try await fleet.device(call.body["to"]?.text ?? "")
                let filter = PasskeyFilter(
                    account: call.body["account"]?.text, relyingPartyID: call.body["relyingPartyID"]?.text)
                return try await outcome(device) {
                    try await device.host.device.sharePasskeys(filter, with: other.host.device)
                        ? nil : "the other device already has \(filter.words)"
                }
            },
            onDevice(
                .post, "/replace", "replaceDevice",
                "Move a device's backed-up data to a new device and erase the old one", .transfers,
                body: .object(.required("by", DeviceName.schema, "The new device's name.")),
                answer: .outcome, errors: [409]
            ) { device, call in
                let new = try await fleet.device(call.body["by"]?.text ?? "")
                return try await outcome(device) {
                    try await fleet.replace(device, by: new)
                    return nil
                }
            },
            operation(
                .get, "/v1/accounts", "listAccounts", "List the accounts that sync passkeys", .transfers,
                answer: TypedAnswer<[AccountState]>("All accounts, by name")
            ) { _ in
                await fleet.settle()
                var accounts: [AccountState] = []
                for account in await fleet.allAccounts {
                    accounts.append(AccountState(account, members: await fleet.members(of: account.name)))
                }
                return accounts
            },
            operation(
                .put, "/v1/accounts/{account}", "openAccount",
                "Open an account that syncs passkeys between devices of one provider", .transfers,
                body: .object(
                    .required(
                        "devices", .array(DeviceName.schema, count: 1...50), "The names of the account's devices."),
                    .optional(
                        "delay", Span.schema,
                        "The delay of each change, such as \"20 s\", on the first device's clock; default: none.")),
                done: "The account is open", errors: [409, 422]
            ) { call in
                var members: [ManagedDevice] = []
                for name in call.body["devices"]?.array ?? [] {
                    members.append(try await fleet.device(name.text ?? ""))
                }
                try await fleet.open(
                    call.parameter("account"), delay: try call.body["delay"]?.text.map(Span.duration) ?? .zero,
                    members: members)
            },
            operation(
                .delete, "/v1/accounts/{account}", "closeAccount", "Close an account; its devices keep their passkeys",
                .transfers, done: "The account is closed"
            ) { call in try await fleet.close(call.parameter("account")) },
        ]
    }

    /// The outcome of an act on two devices, where the act returns the reason that it had no effect, or nil.
    private func outcome(_ device: ManagedDevice, _ act: () async throws -> String?) async throws -> Outcome {
        do {
            let idleness = try await act()
            return await Outcome(device, idleness: idleness)
        } catch let error as APIError {
            throw error
        } catch let error as DeviceRefusal where error.isAboutDevices {
            throw APIError(409, "device.unsuitable", "The devices cannot be combined: \(error).")
        } catch {
            let error = AttributedError(error)
            return await Outcome(device, cause: error.cause, explanation: error.explanation)
        }
    }
}

struct AccountState: Codable, Sendable {
    let name: String
    let devices: [String]
    let delaySeconds: Double

    init(_ account: SyncAccount, members: [String]) {
        name = account.name
        devices = members
        delaySeconds = account.delay / .seconds(1)
    }
}
