internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import SimulatedDevice

extension ControlOperations {
    var secrets: [Operation] {
        [
            onDevice(
                .get, "/secrets", "listSecrets",
                "List the items of apps in a device's secure storage, without their values",
                answer: TypedAnswer<[SecretEntry]>("All items, by app and name", schema: SecretEntry.schema)
            ) { device, _ in
                let storage = device.host.device.secureStorage
                return storage.ids.compactMap { id in storage.protection(of: id).map { SecretEntry(id, $0) } }
            }
        ]
    }
}

/// An item of an app in secure storage.
///
/// An item whose key was destroyed is listed until its app is told.
struct SecretEntry: Codable, Sendable {
    let app: String
    let name: String
    /// The verification that opens it.
    let access: SecureStorage.Access
    /// The times at which it is available.
    let accessibility: SecureStorage.Accessibility?
    /// The seconds after a verification in which it opens without a prompt; nil for a prompt each time.
    let validitySeconds: Int?
    /// Whether it moves to a new device.
    let migrates: Bool
    /// Whether it is a key that signs.
    let isKey: Bool
    /// Whether it also needs a password of the app.
    let hasPassword: Bool

    static let schema = Schema.array(.named("Secret", .of(Self.self)))

    init(_ id: SecretID, _ protection: SecureStorage.Protection) {
        (app, name) = (id.app, id.name)
        (access, accessibility) = (protection.access, protection.accessibility)
        (validitySeconds, migrates) = (protection.validitySeconds, protection.migrates)
        (isKey, hasPassword) = (protection.isKey == true, protection.hasPassword == true)
    }
}
