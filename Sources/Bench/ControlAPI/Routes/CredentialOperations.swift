internal import COSE
internal import CTAP
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

extension ControlOperations {
    var credentials: [Operation] {
        [
            Operation(
                method: .get, path: "/v1/devices/{device}/credentials", name: "listCredentials",
                summary: "List the credentials stored on a device", tag: "credentials",
                answer: .json([CredentialEntry].self, "All credentials, oldest first")
            ) { call in
                let kept = try await device(call).host.device.authenticator.keptCredentials
                return try Reply.json(kept.map(CredentialEntry.init))
            },
            Operation(
                method: .delete, path: "/v1/devices/{device}/credentials", name: "deleteCredentials",
                summary: "Delete all credentials on the device without telling the relying parties",
                tag: "credentials", answer: .nothing("The credentials are deleted")
            ) { call in
                try await device(call).host.device.authenticator.removeAllCredentials()
                return Reply.noContent()
            },
            Operation(
                method: .get, path: "/v1/devices/{device}/credentials/{credentialId}", name: "readCredential",
                summary: "Read a credential", tag: "credentials",
                answer: .json(CredentialEntry.self, "The credential", named: "Credential")
            ) { call in try Reply.json(try await credential(call).entry) },
            Operation(
                method: .delete, path: "/v1/devices/{device}/credentials/{credentialId}", name: "deleteCredential",
                summary: "Delete a credential on the device without telling the relying party", tag: "credentials",
                answer: .nothing("The credential is deleted")
            ) { call in
                let (device, entry) = try await credential(call)
                guard await device.host.device.authenticator.removeCredential(entry.credentialId.bytes) else {
                    throw APIError.credentialNotFound
                }
                return Reply.noContent()
            },
            Operation(
                method: .patch, path: "/v1/devices/{device}/credentials/{credentialId}", name: "changeCredential",
                summary: "Set a credential's backup flags and signature counter", tag: "credentials",
                body: .object(
                    Schema.Members(
                        members: [
                            .optional("backupEligible", .boolean), .optional("backupState", .boolean),
                            .optional(
                                "signCount", .anyOf([.integer(0...Int(UInt32.max)), .null]),
                                "The counter's last value; the credential then counts for itself. null: the counter stays 0."
                            ),
                        ], atLeast: 1)),
                answer: .json(CredentialEntry.self, "The changed credential", named: "Credential"), errors: [422]
            ) { call in
                let (device, entry) = try await credential(call)
                guard await device.host.device.authenticator.change(entry.credentialId.bytes, as: call.body) else {
                    throw APIError(
                        422, .credentialRefused,
                        "A credential that is not backup eligible cannot be backed up; set backupEligible, too.")
                }
                return try Reply.json(try await credential(call).entry)
            },
        ]
    }

    private func credential(_ call: Call) async throws -> (device: ManagedDevice, entry: CredentialEntry) {
        let device = try await device(call)
        let id = Base64URL.decode(call.parameter("credentialId"))
        let kept = await device.host.device.authenticator.keptCredentials
        guard let credential = kept.first(where: { $0.id == id }) else { throw APIError.credentialNotFound }
        return (device, CredentialEntry(credential))
    }
}

extension VirtualAuthenticator {
    /// Sets the members of a request among `backupEligible`, `backupState` and `signCount`.
    ///
    /// - Returns: false for a credential that would be backed up without being eligible; nothing has changed then.
    func change(_ id: [UInt8], eligible: String = "backupEligible", as body: JSONValue) -> Bool {
        let (isEligible, isBackedUp) = (body[eligible]?.bool, body["backupState"]?.bool)
        let wasEligible = keptCredentials.first { $0.id == id }?.isBackupEligible
        guard isBackedUp != true || (isEligible ?? wasEligible) != false else { return false }
        setBackup(isEligible: isEligible, isBackedUp: isBackedUp, credentialID: id)
        if let count = body["signCount"] { setSignCount(count.integer.map { UInt32($0) }, credentialID: id) }
        return true
    }

    /// Deletes all credentials.
    func removeAllCredentials() {
        for credential in keptCredentials { removeCredential(credential.id) }
    }
}

/// A credential in a list.
struct CredentialEntry: Codable, Sendable {
    let credentialId: Base64URLBytes
    let rpId: String
    let userHandle: Base64URLBytes
    let userName: String?
    let userDisplayName: String?
    let isDiscoverable: Bool
    let algorithm: String
    /// `SubjectPublicKeyInfo`.
    let publicKey: Base64URLBytes
    /// The value of the signature counter.
    let signCount: UInt32
    let backupEligible: Bool
    let backupState: Bool
    let hasLargeBlob: Bool

    init(_ credential: StoredCredential) {
        credentialId = Base64URLBytes(credential.id)
        rpId = credential.relyingPartyID
        userHandle = Base64URLBytes(credential.user.id)
        userName = credential.user.name
        userDisplayName = credential.user.displayName
        isDiscoverable = credential.isDiscoverable
        algorithm = credential.publicKey.algorithm.description
        publicKey = Base64URLBytes(credential.publicKey.subjectPublicKeyInfo)
        signCount = credential.signCount
        backupEligible = credential.isBackupEligible
        backupState = credential.isBackedUp
        hasLargeBlob = credential.largeBlob != nil
    }
}
