internal import DeviceHost
internal import DeviceProfiles
internal import DeviceStore
internal import LoopbackHTTP
internal import SimulatedDevice

/// The devices of a server and their snapshots.
actor Fleet {
    /// The maximum number of devices; each takes a socket and about 22 KiB of memory.
    static let capacity = 10_000

    private let journal: EventJournal
    private let ceremonies = CeremonyJournal()
    private let configuration: ControlConfiguration
    private var devices: [String: ManagedDevice] = [:]
    /// The names of devices that are starting or stopping.
    private var reserved: Set<String> = []
    /// For each suggested name, a number below which no number is free.
    private var firstNumbers: [String: Int] = [:]
    private var isStopped = false
    private var snapshots: [String: Snapshot] = [:]
    var accounts: [String: SyncAccount] = [:]
    /// The names of accounts that are being opened or closed.
    var reservedAccounts: Set<String> = []
    /// The account that each device belongs to or is joining, by the device's name.
    var memberships: [String: String] = [:]

    struct Snapshot: Sendable {
        let identity: DeviceIdentity
        let takenAt: Duration
        let state: StoredDevice
    }

    init(configuration: ControlConfiguration, journal: EventJournal) {
        self.configuration = configuration
        self.journal = journal
    }

    var all: [ManagedDevice] { devices.values.sorted { $0.name < $1.name } }

    func device(_ name: String) throws(APIError) -> ManagedDevice {
        guard let device = devices[name] else { throw .deviceNotFound(name, among: Array(devices.keys)) }
        return device
    }

    /// Starts a device; without a name in the order, under one that no device of this user has.
    func start(_ order: DeviceStartRequest) async throws(APIError) -> ManagedDevice {
        if let name = order.name { return try await start(order, as: name) }
        var foreign: Set<String> = []
        while true {
            let name = freeName(DeviceName.suggested(for: order.profile.name), besides: foreign)
            do {
                return try await start(order, as: name)
            } catch {
                // Devices of other processes have names, too.
                guard error.code == .deviceNameTaken, foreign.count < Self.capacity else { throw error }
                foreign.insert(name)
            }
        }
    }

    private func start(_ order: DeviceStartRequest, as name: String) async throws(APIError) -> ManagedDevice {
        guard !isStopped else { throw .stopping }
        guard devices.count + reserved.count < Self.capacity else {
            throw APIError(
                409, "device.limit", "The server has \(Self.capacity) devices, its maximum; delete one first.")
        }
        do {
            try DeviceName.check(name)
        } catch {
            throw APIError(409, .deviceNotStarted, because: error)
        }
        guard devices[name] == nil, reserved.insert(name).inserted else {
            throw APIError(409, .deviceNameTaken, "The name “\(name)” is already in use; choose another name.")
        }
        defer { release(name) }
        let source = journal.begin(name)
        let watch = AppWatch()
        let ignored = IgnoredActs()
        let host: DeviceHost
        do {
            host = try await self.host(order, source, ignored, watch)
        } catch {
            journal.end(source)
            throw error
        }
        let device = ManagedDevice(
            host, order, source: source, ceremonies: ceremonies, ignored: ignored, watch: watch)
        if let state = order.state {
            do {
                try await host.device.restore(state)
            } catch {
                await switchOff(device)
                throw APIError(422, .stateInvalid, because: error)
            }
        }
        guard !isStopped else {
            await switchOff(device)
            throw .stopping
        }
        devices[name] = device
        return device
    }

    private func host(
        _ order: DeviceStartRequest, _ source: EventJournal.Source, _ ignored: IgnoredActs, _ watch: AppWatch
    ) async throws(APIError) -> DeviceHost {
        do {
            return try await DeviceHost.start(
                order.profile, name: source.device, habit: order.habit, nature: order.nature, watching: watch.person,
                connections: order.connections, clock: order.hasSimulatedClock ? .simulated(ManualTime()) : .real(),
                seed: order.seed, trace: configuration.trace,
                onEvent: { [journal] event in
                    let description = EventDescription(event, in: order.profile.platformErrors)
                    CeremonyEvents.current?.note(description)
                    if let act = description.ignored { ignored.add(act) }
                    journal.append(description, of: source)
                    watch.hear(event)
                },
                directory: configuration.directory)
        } catch {
            if case .nameTaken = error { throw APIError(409, .deviceNameTaken, because: error) }
            throw APIError(409, .deviceNotStarted, "The device cannot be started: \(error).")
        }
    }

    private func freeName(_ base: String, besides foreign: Set<String>) -> String {
        func isFree(_ name: String) -> Bool {
            devices[name] == nil && !reserved.contains(name) && !foreign.contains(name)
        }
        if isFree(base) { return base }
        var number = firstNumbers[base] ?? 2
        while !isFree("\(base)-\(number)") { number += 1 }
        firstNumbers[base] = number
        return "\(base)-\(number)"
    }

    /// Ends the reservation of a name, which may be free now.
    private func release(_ name: String) {
        reserved.remove(name)
        if devices[name] == nil { firstNumbers = [:] }
    }

    /// Switches a device off and deletes it; its name is free on return.
    func stop(_ name: String) async throws(APIError) {
        let device = try device(name)
        devices[name] = nil
        reserved.insert(name)
        defer { release(name) }
        memberships[name] = nil
        for account in accounts.values { await account.leave(device.host.device) }
        await switchOff(device)
    }

    private func switchOff(_ device: ManagedDevice) async {
        await device.stop()
        journal.end(device.source)
    }

    /// Switches all devices off, including those that are being started; no device starts afterwards.
    func stopAll() async {
        isStopped = true
        for name in devices.keys { try? await stop(name) }
    }

    func isRunning(_ device: ManagedDevice) -> Bool { devices[device.name] === device }
}

extension Fleet {
    private static let snapshotCapacity = 200

    var allSnapshots: [(name: String, snapshot: Snapshot)] {
        snapshots.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Keeps a device's state under a name; replaces a snapshot of this name.
    func takeSnapshot(_ name: String, of device: ManagedDevice) async throws -> Snapshot {
        let snapshot = Snapshot(
            identity: DeviceIdentity(device.profile), takenAt: device.host.clock.now(),
            state: try await device.host.device.exportState())
        guard snapshots[name] != nil || snapshots.count < Self.snapshotCapacity else {
            throw APIError(
                409, "snapshot.limit",
                "The server has \(Self.snapshotCapacity) snapshots, its maximum; delete one first."
            )
        }
        snapshots[name] = snapshot
        return snapshot
    }

    /// Returns a device to the state of a snapshot of its profile.
    func restore(_ name: String, to device: ManagedDevice) async throws {
        guard let snapshot = snapshots[name] else {
            throw APIError.snapshotNotFound(name, among: Array(snapshots.keys))
        }
        let (kept, wanted) = (snapshot.identity, DeviceIdentity(device.profile))
        guard kept.isCompatible(with: wanted) else {
            let difference =
                kept.profileName == wanted.profileName
                ? "another profile named \(kept.profileName), with another AAGUID"
                : "the profile \(kept.profileName), not \(wanted.profileName)"
            throw APIError(
                409, "snapshot.ofAnotherKind",
                "The snapshot is of a device of \(difference); restore it on a device of the same profile and AAGUID.")
        }
        try await device.host.device.restore(snapshot.state)
    }

    func deleteSnapshot(_ name: String) throws(APIError) {
        guard snapshots.removeValue(forKey: name) != nil else {
            throw .snapshotNotFound(name, among: Array(snapshots.keys))
        }
    }
}
