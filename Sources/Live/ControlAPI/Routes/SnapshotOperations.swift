internal import DeviceHost
internal import DeviceProfiles
internal import DeviceStore
internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import ProfileFiles
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

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
            onDevice(
                .get, "/state", "exportState",
                "Copy a device's state, with its private keys, for a device that starts with it here or elsewhere",
                answer: TypedAnswer<ExportedState>("The state"), errors: [409]
            ) { device, _ in
                let content = try await device.host.device.exportState()
                let (identity, now) = (DeviceIdentity(device.profile), device.host.clock.now())
                return try await files.run {
                    do {
                        return ExportedState(try DeviceStore.bytes(of: content, for: identity, createdAt: now))
                    } catch {
                        throw APIError(409, "state.unwritable", because: error)
                    }
                }
            },
        ]
    }

    /// A device that continues a state, with the profile in it.
    static func order(state text: String) throws -> DeviceStartRequest {
        guard let bytes = Base64URL.decode(text) else { throw APIError.malformedBytes("state") }
        do {
            let (identity, state) = try DeviceStore.content(of: bytes)
            let profile = try DeviceProfile(
                parsing: identity.profileText, file: identity.profileName, extendsByNameOnly: true)
            guard DeviceIdentity(profile).isCompatible(with: identity) else {
                throw DeviceStoreError.corrupted(path: "The file", detail: "its profile is not that of its device")
            }
            var order = DeviceStartRequest(profile: profile)
            order.state = state
            return order
        } catch DeviceStoreError.passphraseNeeded {
            throw APIError(
                422, .stateInvalid,
                "The file is sealed with a passphrase; send a state that the control API gave, which is not.")
        } catch {
            throw APIError(422, .stateInvalid, because: error)
        }
    }
}

/// A device's state as a file's bytes.
struct ExportedState: Codable, Sendable {
    /// A state file in unpadded base64url.
    let state: String

    init(_ bytes: [UInt8]) { state = Base64URL.encode(bytes) }
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
