internal import COSE
internal import CTAP
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

extension ControlOperations {
    var credentials: [Operation] {
        let path = "/v1/devices/{device}/credentials"
        return [
            operation(
                .get, path, "listCredentials", "List the credentials stored on a device", .credentials,
                answer: TypedAnswer<[CredentialEntry]>("All credentials, oldest first")
            ) { call in
                try await device(call).host.device.authenticator.keptCredentials.map(CredentialEntry.init)
            },
            operation(
                .delete, path, "deleteCredentials",
                "Delete all credentials on the device without telling the relying parties", .credentials,
                done: "The credentials are deleted"
            ) { call in try await device(call).host.device.authenticator.removeAllCredentials() },
            operation(
                .get, path + "/{credentialId}", "readCredential", "Read a credential", .credentials,
                answer: TypedAnswer<CredentialEntry>("The credential", named: "Credential")
            ) { call in try await credential(call).entry },
            operation(
                .delete, path + "/{credentialId}", "deleteCredential",
                "Delete a credential on the device without telling the relying party", .credentials,
                done: "The credential is deleted"
            ) { call in
                let (device, entry) = try await credential(call)
                guard await device.host.device.authenticator.removeCredential(entry.credentialId.bytes) else {
                    throw APIError.credentialNotFound
                }
            },
            operation(
                .patch, path + "/{credentialId}", "changeCredential",
                "Set a credential's backup flags and signature counter", .credentials,
                body: .object(
                    Schema.Members(
                        members: [
                            .optional("backupEligible", .boolean), .optional("backupState", .boolean),
                            .optional(
                                "signCount", .orNull(.counter),
                                "The counter's last value; the credential then counts for itself. null: the counter stays 0."
                            ),
                        ], atLeast: 1)),
                answer: TypedAnswer<CredentialEntry>("The changed credential", named: "Credential"), errors: [422]
            ) { call in
                let (device, entry) = try await credential(call)
                guard await device.host.device.authenticator.change(entry.credentialId.bytes, as: call.body) else {
                    throw APIError(
                        422, "credential.refused",
                        "A credential that is not backup eligible cannot be backed up; set backupEligible, too.")
                }
                return try await credential(call).entry
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
    /// Sets the members of a request among `backupEligible`, `backupState` and `signCount`; changes nothing and returns
    /// false for a credential that would be backed up without being eligible.
    func change(_ id: [UInt8], as body: JSONValue) -> Bool {
        let (isEligible, isBackedUp) = (body["backupEligible"]?.bool, body["backupState"]?.bool)
        let wasEligible = keptCredentials.first { $0.id == id }?.isBackupEligible
        guard isBackedUp != true || (isEligible ?? wasEligible) != false else { return false }
        setBackup(isEligible: isEligible, isBackedUp: isBackedUp, credentialID: id)
        if let count = body["signCount"] { setSignCount(count.integer.map { UInt32($0) }, credentialID: id) }
        return true
    }

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
