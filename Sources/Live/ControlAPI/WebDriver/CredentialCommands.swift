internal import CTAP
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import Wording

extension WebDriverOperations {
    var credentialCommands: [Operation] {
        let root = Self.root + "/{authenticator}"
        return [
            command(
                .post, root + "/credential", "AddCredential", "Add a credential to a virtual authenticator",
                body: WebDriverCredential.schema(isStrict: isStrict), value: doneSchema
            ) { call in
                let device = try await authenticator(call)
                let credential = try WebDriverCredential.read(call.body, isStrict: isStrict)
                do {
                    try await device.host.device.authenticator.add(credential)
                } catch let error as CredentialImportError {
                    throw WebDriverError.invalidArgument.because(Wording.sentence("\(error)"))
                }
                return try done
            },
            command(
                .get, root + "/credentials", "GetCredentials", "List all credentials, registered or added",
                value: WebDriverCredential.answerSchema
            ) { call in
                let kept = try await authenticator(call).host.device.authenticator.keptCredentials
                return try Self.value(.array(kept.map { WebDriverCredential.write($0, isStrict: isStrict) }))
            },
            command(
                .delete, root + "/credentials", "RemoveAllCredentials", "Remove all credentials", value: doneSchema
            ) { call in
                try await authenticator(call).host.device.authenticator.removeAllCredentials()
                return try done
            },
            command(
                .delete, root + "/credentials/{credential}", "RemoveCredential", "Remove a credential",
                value: doneSchema
            ) { call in
                let (device, id) = try await credential(call)
                await device.host.device.authenticator.removeCredential(id)
                return try done
            },
            command(
                .post, root + "/credentials/{credential}/props", "SetCredentialProperties",
                "Set a credential's backup flags and signature counter",
                body: .object(
                    Schema.Members(
                        members: [
                            .optional("backupEligibility", .boolean), .optional("backupState", .boolean),
                            .optional("signCount", .orNull(.counter)),
                        ], isOpen: !isStrict)),
                value: doneSchema
            ) { call in
                let (device, id) = try await credential(call)
                try OwnNames.check(call.body)
                await device.host.device.authenticator.setProperties(call.body, of: id)
                return try done
            },
        ]
    }

    private func credential(_ call: Call) async throws -> (device: ManagedDevice, id: [UInt8]) {
        let device = try await authenticator(call)
        let text = call.parameter("credential")
        let id = try WebDriverCredential.bytes(text, "credentialId", isStrict: isStrict)
        guard await device.host.device.authenticator.keptCredentials.contains(where: { $0.id == id }) else {
            throw WebDriverError.invalidArgument.because("The authenticator has no credential “\(text)”.")
        }
        return (device, id)
    }
}

extension VirtualAuthenticator {
    /// Each backup flag is set by itself, as in Chromium: a relying party has to refuse BS without BE.
    fileprivate func setProperties(_ body: JSONValue, of id: [UInt8]) {
        setBackup(
            isEligible: body["backupEligibility"]?.bool, isBackedUp: body["backupState"]?.bool, isConsistent: false,
            credentialID: id)
        if let count = body["signCount"] { setSignCount(count.integer.map { UInt32($0) }, credentialID: id) }
    }

    /// Throws `invalid argument` for a credential that would replace another.
    fileprivate func add(_ credential: ImportedCredential) throws {
        let isTaken = keptCredentials.contains { kept in
            kept.isDiscoverable && kept.relyingPartyID == credential.relyingPartyID
                && kept.user.id == credential.user.id
        }
        // An authenticator holds one credential for each account (WebAuthn L3 §6.3.2); adding must not delete one silently.
        guard !credential.isDiscoverable || !isTaken else {
            throw WebDriverError.invalidArgument.because(
                "The authenticator has a resident credential of this userHandle for “\(credential.relyingPartyID)” already."
            )
        }
        try importCredential(credential)
    }
}
