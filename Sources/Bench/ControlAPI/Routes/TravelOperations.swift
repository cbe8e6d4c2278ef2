internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice

/// What happens between devices: passkeys that are shared or synced, and a new device in an old one's place.
extension ControlOperations {
    var travel: [Operation] {
        [
            Operation(
                method: .post, path: "/v1/devices/{device}/share", name: "sharePasskeys",
                summary: "Copy passkeys to another device, as AirDrop does", tag: "travel",
                body: .object(
                    .required("to", DeviceOrder.nameSchema, "The other device's name."),
                    .optional("account", .string(1...200), "Those of this account name only."),
                    .optional("relyingPartyID", .string(1...253), "Those of this relying party only.")),
                answer: .outcome, errors: [409]
            ) { call in
                let device = try await device(call)
                let other = try await fleet.device(call.body["to"]?.text ?? "")
                var filter = PasskeyFilter()
                filter.account = call.body["account"]?.text
                filter.relyingPartyID = call.body["relyingPartyID"]?.text
                return try await outcome(device) {
                    try await device.host.device.sharePasskeys(filter, with: other.host.device)
                }
            },
            Operation(
                method: .post, path: "/v1/devices/{device}/replace", name: "replaceDevice",
                summary: "Put another device in this one's place: what is backed up moves, the old one is erased",
                tag: "travel", body: .object(.required("by", DeviceOrder.nameSchema, "The new device's name.")),
                answer: .outcome, errors: [409]
            ) { call in
                let device = try await device(call)
                let new = try await fleet.device(call.body["by"]?.text ?? "")
                return try await outcome(device) { try await fleet.replace(device, by: new) }
            },
            Operation(
                method: .get, path: "/v1/accounts", name: "listAccounts",
                summary: "The accounts devices sync their passkeys with", tag: "travel",
                answer: .json([AccountState].self, "All accounts, by name")
            ) { _ in
                await fleet.settle()
                var accounts: [AccountState] = []
                for account in await fleet.allAccounts {
                    accounts.append(AccountState(account, members: await fleet.members(of: account.name)))
                }
                return try Reply.json(accounts)
            },
            Operation(
                method: .put, path: "/v1/accounts/{account}", name: "openAccount",
                summary: "Open an account for devices of one passkey provider", tag: "travel",
                body: .object(
                    .required("devices", .array(DeviceOrder.nameSchema, count: 1...50), "Its devices' names."),
                    .optional(
                        "delay", Span.schema,
                        "How long a change is on its way, such as \"20 s\", on the first device's clock; none unless given."
                    )),
                answer: .nothing("It is open"), errors: [409, 422]
            ) { call in
                var members: [ManagedDevice] = []
                for name in call.body["devices"]?.array ?? [] {
                    members.append(try await fleet.device(name.text ?? ""))
                }
                try await fleet.open(
                    call.parameter("account"), delay: try call.body["delay"]?.text.map(Span.duration) ?? .zero,
                    members: members)
                return Reply.noContent()
            },
            Operation(
                method: .delete, path: "/v1/accounts/{account}", name: "closeAccount",
                summary: "Close an account; its devices keep what they have", tag: "travel",
                answer: .nothing("It is closed")
            ) { call in
                try await fleet.close(call.parameter("account"))
                return Reply.noContent()
            },
        ]
    }

    private func outcome(_ device: ManagedDevice, _ act: () async throws -> Void) async throws -> Response {
        do {
            try await act()
            return try Reply.json(await Outcome(device))
        } catch let error as APIError {
            throw error
        } catch let error as LifeError where error.isAboutDevices {
            throw APIError(409, .deviceUnsuitable, "The devices do not go together: \(error).")
        } catch LifeError.deviceBound {
            return try Reply.json(await Outcome(device, cause: "deviceBound", answer: "\(LifeError.deviceBound)"))
        } catch {
            return try Reply.json(await Outcome(device, cause: "\(error)"))
        }
    }
}

extension LifeError {
    /// Whether no device of this kind could do what was asked, however it is at the moment.
    fileprivate var isAboutDevices: Bool {
        switch self {
        case .unsuitable, .noScreen: true
        default: false
        }
    }
}

/// An account.
struct AccountState: Codable, Sendable {
    let name: String
    let devices: [String]
    /// How long a change is on its way.
    let delaySeconds: Double

    init(_ account: SyncAccount, members: [String]) {
        name = account.name
        devices = members
        delaySeconds = account.delay / .seconds(1)
    }
}
