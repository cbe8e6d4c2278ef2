internal import DeviceHost
internal import Devices
internal import LoopbackHTTP

/// The devices of a server, and the snapshots taken of them.
actor Fleet {
    /// More than any test needs; each takes a socket and a few files' worth of memory.
    static let capacity = 200

    let journal: EventJournal
    private let configuration: ControlConfiguration
    private var devices: [String: ManagedDevice] = [:]
    /// Names of devices that are being started.
    private var reserved: Set<String> = []
    private var snapshots: [String: Snapshot] = [:]
    private var accounts: [String: SyncAccount] = [:]

    /// What a device remembered at a moment.
    struct Snapshot: Sendable {
        let profile: String
        let takenAt: Duration
        let state: StoredDevice
    }

    init(configuration: ControlConfiguration, journal: EventJournal) {
        self.configuration = configuration
        self.journal = journal
    }

    /// All devices, by name.
    var all: [ManagedDevice] { devices.values.sorted { $0.name < $1.name } }

    /// The device of a name.
    func device(_ name: String) throws(APIError) -> ManagedDevice {
        guard let device = devices[name] else { throw .deviceNotFound(name) }
        return device
    }

    /// Starts a device.
    func start(_ order: DeviceOrder) async throws(APIError) -> ManagedDevice {
        guard devices.count + reserved.count < Self.capacity else {
            throw APIError(409, .deviceLimit, "There are \(Self.capacity) devices; delete one first.")
        }
        let name = order.name ?? freeName(order.profile.name)
        guard devices[name] == nil, reserved.insert(name).inserted else {
            throw APIError(409, .deviceNameTaken, "There is a device named “\(name)” already.")
        }
        defer { reserved.remove(name) }
        let bornAfter = journal.lastID
        let host = try await host(order, name)
        let device = ManagedDevice(host, order, bornAfter: bornAfter)
        devices[name] = device
        return device
    }

    private func host(_ order: DeviceOrder, _ name: String) async throws(APIError) -> DeviceHost {
        do {
            return try await DeviceHost.start(
                order.profile, name: name, habit: order.habit, nature: order.nature, connections: order.connections,
                clock: order.hasSimulatedClock ? .simulated(ManualTime()) : .real, seed: order.seed,
                trace: configuration.trace,
                onEvent: { [journal] in journal.append(EventDescription($0, in: order.profile.faces), of: name) },
                directory: configuration.directory)
        } catch {
            if case .nameTaken = error { throw APIError(409, .deviceNameTaken, "\(error).") }
            throw APIError(409, .deviceNotStarted, "The device cannot be started: \(error).")
        }
    }

    private func freeName(_ base: String) -> String {
        let base = String(base.prefix(40))
        if devices[base] == nil, !reserved.contains(base) { return base }
        let number = (2...Self.capacity + 2).first {
            devices["\(base)-\($0)"] == nil && !reserved.contains("\(base)-\($0)")
        }
        return "\(base)-\(number ?? 0)"
    }

    /// Switches a device off and forgets it.
    func stop(_ name: String) async throws(APIError) {
        guard let device = devices.removeValue(forKey: name) else { throw .deviceNotFound(name) }
        for account in accounts.values { await account.leave(device.host.device) }
        await device.stop()
        journal.end(name)
    }

    /// Switches all devices off.
    func stopAll() async {
        for name in devices.keys { try? await stop(name) }
    }
}

extension Fleet {
    /// The most accounts kept.
    private static let accountCapacity = 100

    /// The accounts devices sync their passkeys with, by name.
    var allAccounts: [SyncAccount] { accounts.values.sorted { $0.name < $1.name } }

    /// Opens an account; its time is that of its first device.
    func open(_ name: String, delay: Duration, members: [ManagedDevice]) async throws {
        guard accounts.count < Self.accountCapacity else {
            throw APIError(409, .accountLimit, "There are \(Self.accountCapacity) accounts; delete one first.")
        }
        guard accounts[name] == nil, let first = members.first else {
            throw APIError(409, .accountNameTaken, "There is an account named “\(name)” already.")
        }
        for member in members {
            for account in accounts.values where await account.hasMember(member.host.device) {
                throw APIError(
                    409, .accountUnsuitable, "\(member.name) belongs to the account \(account.name) already.")
            }
        }
        let account = SyncAccount(name: name, delay: delay, time: first.host.clock)
        accounts[name] = account
        do {
            for member in members { try await account.join(member.host.device) }
        } catch {
            accounts[name] = nil
            for member in members { await account.leave(member.host.device) }
            throw APIError(409, .accountUnsuitable, "\(error).")
        }
    }

    /// Closes an account; its devices keep what they have.
    func close(_ name: String) async throws(APIError) {
        guard let account = accounts.removeValue(forKey: name) else { throw .accountNotFound(name) }
        for device in devices.values { await account.leave(device.host.device) }
    }

    /// The names of an account's devices.
    func members(of account: SyncAccount) async -> [String] {
        var names: [String] = []
        for device in all where await account.hasMember(device.host.device) { names.append(device.name) }
        return names
    }

    /// Puts a device in another's place, in its account, too.
    func replace(_ old: ManagedDevice, by new: ManagedDevice) async throws {
        try await new.host.device.takeOver(from: old.host.device)
        for account in accounts.values where await account.leave(old.host.device) {
            try await account.join(new.host.device)
        }
    }

    /// Lets what is on its way between devices arrive.
    func settle() async {
        for account in accounts.values { await account.settle() }
    }
}

extension Fleet {
    /// The most snapshots kept.
    private static let snapshotCapacity = 200

    /// All snapshots, by name.
    var allSnapshots: [(name: String, snapshot: Snapshot)] {
        snapshots.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Keeps what a device remembers under a name, in place of what was kept there.
    func takeSnapshot(_ name: String, of device: ManagedDevice) async throws -> Snapshot {
        guard snapshots[name] != nil || snapshots.count < Self.snapshotCapacity else {
            throw APIError(
                409, .snapshotLimit, "There are \(Self.snapshotCapacity) snapshots; delete one first.")
        }
        let snapshot = Snapshot(
            profile: device.profile.name, takenAt: device.host.clock.now(),
            state: try await device.host.device.exportState())
        snapshots[name] = snapshot
        return snapshot
    }

    /// Makes a device what one of its kind was.
    func restore(_ name: String, to device: ManagedDevice) async throws {
        guard let snapshot = snapshots[name] else { throw APIError.snapshotNotFound(name) }
        guard snapshot.profile == device.profile.name else {
            throw APIError(
                409, .snapshotOfAnotherKind,
                "The snapshot is of a device of the profile \(snapshot.profile), not \(device.profile.name).")
        }
        try await device.host.device.restore(snapshot.state)
    }

    func deleteSnapshot(_ name: String) throws(APIError) {
        guard snapshots.removeValue(forKey: name) != nil else { throw .snapshotNotFound(name) }
    }
}
