internal import DeviceHost
internal import DeviceStore
internal import Documents
internal import HTTPTypes
internal import SimulatedDevice
internal import VirtualAuthenticator

extension ControlOperations {
    var snapshots: [Operation] {
        let name = DeviceName.schema
        return [
            operation(
                .get, "/v1/snapshots", "listSnapshots", "List the snapshots", .devices,
                answer: TypedAnswer<[SnapshotEntry]>("All snapshots, by name")
            ) { _ in await fleet.allSnapshots.map { SnapshotEntry($0.name, $0.snapshot) } },
            operation(
                .delete, "/v1/snapshots/{snapshot}", "deleteSnapshot", "Delete a snapshot", .devices,
                done: "The snapshot is deleted"
            ) { call in try await fleet.deleteSnapshot(call.parameter("snapshot")) },
            onDevice(
                .post, "/snapshots", "takeSnapshot", "Copy a device's state into the server's memory",
                body: .object(.required("name", name, "The snapshot's name; replaces a snapshot of this name.")),
                answer: TypedAnswer<SnapshotEntry>("The snapshot", named: "Snapshot"), status: .created, errors: [409]
            ) { device, call in
                let name = call.body["name"]?.text ?? ""
                return SnapshotEntry(name, try await fleet.takeSnapshot(name, of: device))
            },
            onDevice(
                .post, "/restore", "restoreSnapshot",
                "Return a device to a snapshot of itself or of a device with the same profile",
                body: .object(.required("snapshot", name, "The snapshot's name.")), answer: .state, errors: [409]
            ) { device, call in
                try await fleet.restore(call.body["snapshot"]?.text ?? "", to: device)
                return await device.host.report()
            },
        ]
    }
}

/// A snapshot in a list.
struct SnapshotEntry: Codable, Sendable {
    let name: String
    let profile: String
    /// Seconds since the Unix epoch, on the device's clock.
    let takenAt: Double
    let credentials: Int

    init(_ name: String, _ snapshot: Fleet.Snapshot) {
        self.name = name
        profile = snapshot.identity.profileName
        takenAt = snapshot.takenAt / .seconds(1)
        credentials = snapshot.state.authenticator.credentials.count
    }
}
