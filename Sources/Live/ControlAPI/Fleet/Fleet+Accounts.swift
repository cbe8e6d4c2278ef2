internal import DeviceHost
internal import LoopbackHTTP
internal import SimulatedDevice

extension Fleet {
    private static let accountCapacity = 100

    var allAccounts: [SyncAccount] { accounts.values.sorted { $0.name < $1.name } }

    /// Opens an account on its first device's clock.
    func open(_ name: String, delay: Duration, members: [ManagedDevice]) async throws {
        guard accounts.count + reservedAccounts.count < Self.accountCapacity else {
            throw APIError(
                409, "account.limit", "The server has \(Self.accountCapacity) accounts, its maximum; delete one first.")
        }
        guard accounts[name] == nil, !reservedAccounts.contains(name), let first = members.first else {
            throw APIError(
                409, "account.nameTaken", "The account name “\(name)” is already in use; choose another name.")
        }
        for member in members {
            guard isRunning(member) else { throw APIError.deviceNotFound(member.name) }
            if let other = memberships[member.name] { throw APIError.belongs(member, to: other) }
        }
        // The name and the devices stay reserved while the devices join.
        reservedAccounts.insert(name)
        defer { reservedAccounts.remove(name) }
        for member in members { memberships[member.name] = name }
        let account = SyncAccount(name: name, delay: delay, time: first.host.clock)
        do {
            for member in members { try await account.join(member.host.device) }
        } catch {
            for member in members { await account.leave(member.host.device) }
            for member in members { release(member, from: name) }
            throw APIError(409, .accountUnsuitable, because: error)
        }
        accounts[name] = account
        for member in members where !isRunning(member) { await account.leave(member.host.device) }
    }

    /// Closes an account; its devices keep their passkeys.
    func close(_ name: String) async throws(APIError) {
        guard let account = accounts.removeValue(forKey: name) else {
            throw .accountNotFound(name, among: Array(accounts.keys))
        }
        reservedAccounts.insert(name)
        defer { reservedAccounts.remove(name) }
        for device in all { await account.leave(device.host.device) }
        memberships = memberships.filter { $0.value != name }
    }

    func members(of account: String) -> [String] { all.map(\.name).filter { memberships[$0] == account } }

    /// Replaces a device by another, also in its account.
    func replace(_ old: ManagedDevice, by new: ManagedDevice) async throws {
        guard let name = memberships[old.name], let account = accounts[name] else {
            return try await new.host.device.takeOver(from: old.host.device)
        }
        let former = memberships[new.name]
        if let former, former != name { throw APIError.belongs(new, to: former) }
        memberships[new.name] = name
        do {
            try await new.host.device.takeOver(from: old.host.device, in: [account])
            if isRunning(old), await !account.hasMember(old.host.device) { release(old, from: name) }
        } catch {
            if former == nil { release(new, from: name) }
            throw error
        }
        // The account may have been closed, or the device deleted, in the meantime.
        guard accounts[name] !== account || !isRunning(new) else { return }
        await account.leave(new.host.device)
        release(new, from: name)
    }

    /// The device of a name, after pending passkey transfers are complete and its app knows its state.
    func settled(_ name: String) async throws(APIError) -> ManagedDevice {
        await settle()
        let device = try device(name)
        await device.app.observe()
        return device
    }

    /// Delivers the due changes between devices.
    func settle() async {
        for account in accounts.values { await account.settle() }
    }

    private func release(_ device: ManagedDevice, from account: String) {
        if memberships[device.name] == account { memberships[device.name] = nil }
    }
}

extension APIError {
    fileprivate static func belongs(_ device: ManagedDevice, to account: String) -> APIError {
        APIError(409, .accountUnsuitable, "\(device.name) belongs to the account \(account) already.")
    }
}
