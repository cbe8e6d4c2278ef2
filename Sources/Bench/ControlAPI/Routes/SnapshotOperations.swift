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
                method: .get, path: "/v1/snapshots", name: "listSnapshots", summary: "The snapshots the server keeps",
                tag: "devices", answer: .json([SnapshotEntry].self, "All snapshots, by name")
            ) { _ in try Reply.json(await fleet.allSnapshots.map { SnapshotEntry($0.name, $0.snapshot) }) },
            Operation(
                method: .delete, path: "/v1/snapshots/{snapshot}", name: "deleteSnapshot",
                summary: "Forget a snapshot", tag: "devices", answer: .nothing("It is gone")
            ) { call in
                try await fleet.deleteSnapshot(call.parameter("snapshot"))
                return Reply.noContent()
            },
            Operation(
                method: .post, path: "/v1/devices/{device}/snapshots", name: "takeSnapshot",
                summary: "Keep everything a device remembers in the server's memory", tag: "devices",
                body: .object(.required("name", name, "What to call it; one of this name is replaced.")),
                answer: .json(SnapshotEntry.self, "The snapshot", named: "Snapshot").with(.created), errors: [409]
            ) { call in
                let name = call.body["name"]?.text ?? ""
                let snapshot = try await fleet.takeSnapshot(name, of: try await device(call))
                return try Reply.json(SnapshotEntry(name, snapshot), status: .created)
            },
            Operation(
                method: .post, path: "/v1/devices/{device}/restore", name: "restoreSnapshot",
                summary: "Make a device what it, or another of its kind, was", tag: "devices",
                body: .object(.required("snapshot", name, "The name of the snapshot.")), answer: .state,
                errors: [409]
            ) { call in
                let device = try await device(call)
                try await fleet.restore(call.body["snapshot"]?.text ?? "", to: device)
                return try Reply.json(await DeviceState(device))
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
