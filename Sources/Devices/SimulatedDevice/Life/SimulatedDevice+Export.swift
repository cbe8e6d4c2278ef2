internal import Biometrics
internal import CTAP
internal import Causes
package import CredentialExchange
internal import DeviceProfiles
internal import VirtualAuthenticator

extension SimulatedDevice {
    /// Exports passkeys as a document of the Credential Exchange Format, after the user's verification.
    ///
    /// Device-bound passkeys stay on the device, and so do passkeys whose counter is not zero (§3.3.12); the report names
    /// them.
    ///
    /// - Throws: ``DeviceRefusal``: for a device without export, a locked one, a user who is not verified, and when no
    ///   selected passkey can be exported.
    package func exportPasskeys(
        _ request: PasskeyExportRequest
    ) async throws -> (document: ExchangeDocument, report: PasskeyTransferReport) {
        try requireScreen()
        if life.state.isLocked { throw DeviceRefusal.deviceLocked }
        guard let exchange = profile.exchange, let exporter = exchange.exporterRelyingPartyID else {
            throw noExchange("exports")
        }
        let found = await passkeys(request.filter)
        guard !found.isEmpty else { throw DeviceRefusal.noSuchPasskey }
        var report = PasskeyTransferReport()
        var items: [ExchangeItem] = []
        for credential in found {
            let name = PasskeyTransferReport.name(credential.user.name ?? "", credential.relyingPartyID)
            if let reason = await obstacle(to: credential, request) {
                report.leftOut.append("\(name), \(reason)")
            } else {
                items.append(await item(of: credential, exchange))
                report.moved.append(name)
            }
        }
        guard !items.isEmpty else {
            let cause = found.allSatisfy(\.isBackupEligible) ? Cause.unsupported : .deviceBound
            throw DeviceRefusal(cause, "no passkey can be exported: \(report.leftOut.joined(separator: "; "))")
        }
        try await verifyUserForTransfer()
        let document = ExchangeDocument(
            exporterRelyingPartyID: exporter, exporterDisplayName: exchange.exporterName ?? profile.title,
            timestamp: Int(life.now.components.seconds),
            accounts: [ExchangeAccount(id: randomIdentifier, items: items)])
        for item in items {
            for passkey in item.passkeys {
                life.note(DeviceEvent(.passkeyExport, "the passkey for \(passkey.relyingPartyID) is exported"))
            }
        }
        return (document, report)
    }

    private var randomIdentifier: [UInt8] { authenticator.environment.random.bytes(16) }

    private func obstacle(to credential: StoredCredential, _ request: PasskeyExportRequest) async -> String? {
        guard credential.isBackupEligible else { return "which is device-bound" }
        guard await authenticator.countsSignatures(of: credential), !request.includesCounting else { return nil }
        return "which counts signatures, so the format excludes it"
    }

    private func item(of credential: StoredCredential, _ exchange: PasskeyExchange) async -> ExchangeItem {
        var extensions = ExchangeExtensions()
        if exchange.keepsSecrets, let secrets = await authenticator.hmacSecrets(of: credential) {
            extensions.hmacCredentials = .init(withUV: secrets.withUV, withoutUV: secrets.withoutUV)
        }
        if exchange.keepsLargeBlobs { extensions.largeBlob = credential.largeBlob }
        extensions.credBlob = credential.credBlob
        if credential.allowsThirdPartyPayment { extensions.payments = true }
        let passkey = ExchangePasskey(
            credentialID: credential.id, relyingPartyID: credential.relyingPartyID,
            username: credential.user.name ?? "", userDisplayName: credential.user.displayName ?? "",
            userHandle: credential.user.id, privateKey: credential.signingKey, extensions: extensions)
        return ExchangeItem(
            id: randomIdentifier, title: credential.relyingPartyID,
            scopeURLs: ["https://\(credential.relyingPartyID)"], passkeys: [passkey])
    }

    /// Verifies the user as the platforms do before an export: with the sensor or the device credential.
    private func verifyUserForTransfer() async throws(DeviceRefusal) {
        switch await authenticator.verifyUser(.biometricOrDeviceCredential) {
        case .verified: return
        case let result?: throw DeviceRefusal(result.cause)
        case nil: throw .appCancelled
        }
    }

    /// The refusal of a device whose provider takes no part in the exchange.
    func noExchange(_ verb: String) -> DeviceRefusal {
        guard profile.authenticator.isBackupEligible else { return .deviceBound }
        return DeviceRefusal(
            .unsupported,
            "\(profile.name) \(verb) no passkeys in the Credential Exchange Format; choose a profile with passkey-exchange"
        )
    }
}
