internal import DeviceHost
internal import DeviceStore
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator

extension ControlOperations {
    var snapshots: [Operation] {
        let name = DeviceOrder.nameSchema
        return [
            Operation(
                method: .get, path: "/v1/snapshots", name: "listSnapshots", summary: "List the snapshots",
                tag: "devices", answer: .json([SnapshotEntry].self, "All snapshots, by name")
            ) { _ in try Reply.json(await fleet.allSnapshots.map { SnapshotEntry($0.name, $0.snapshot) }) },
            Operation(
                method: .delete, path: "/v1/snapshots/{snapshot}", name: "deleteSnapshot",
                summary: "Delete a snapshot", tag: "devices", answer: .nothing("The snapshot is deleted")
            ) { call in
                try await fleet.deleteSnapshot(call.parameter("snapshot"))
                return Reply.noContent()
            },
            Operation(
                method: .post, path: "/v1/devices/{device}/snapshots", name: "takeSnapshot",
                summary: "Copy a device's state into the server's memory", tag: "devices",
                body: .object(.required("name", name, "The snapshot's name; replaces a snapshot of this name.")),
                answer: .json(SnapshotEntry.self, "The snapshot", named: "Snapshot").with(.created), errors: [409]
            ) { call in
                let name = call.body["name"]?.text ?? ""
                let snapshot = try await fleet.takeSnapshot(name, of: try await device(call))
                return try Reply.json(SnapshotEntry(name, snapshot), status: .created)
            },
            Operation(
                method: .post, path: "/v1/devices/{device}/restore", name: "restoreSnapshot",
                summary: "Return a device to a snapshot of itself or of a device with the same profile",
                tag: "devices",
                body: .object(.required("snapshot", name, "The snapshot's name.")), answer: .state,
                errors: [409]
            ) { call in
                let device = try await device(call)
                try await fleet.restore(call.body["snapshot"]?.text ?? "", to: device)
                return try Reply.json(await device.host.report())
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
