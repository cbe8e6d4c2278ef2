internal import CTAP
internal import Causes
internal import CredentialExchange
internal import DeviceProfiles
internal import VirtualAuthenticator
internal import Wording

extension SimulatedDevice {
    /// Imports the passkeys of a document of the Credential Exchange Format.
    ///
    /// An imported passkey has the document's key, ID, account and relying party, a counter that stays 0, and the device's own
    /// transports and backup state.
    ///
    /// - Parameters:
    ///   - bytes: the document, JSON in UTF-8.
    ///   - file: the document's name, for errors.
    /// - Throws: ``DeviceRefusal``: for a device without import, a locked one, a damaged document, and for passkeys that the
    ///   device cannot keep. Then nothing is imported.
    package func importPasskeys(
        _ bytes: [UInt8], file: String, _ request: PasskeyImportRequest
    ) async throws -> PasskeyTransferReport {
        try requireScreen()
        if life.state.isLocked { throw DeviceRefusal.deviceLocked }
        guard let exchange = profile.exchange, exchange.imports else { throw noExchange("imports") }
        let reading = try Self.reading(bytes, file: file)
        let damaged = reading.damaged.filter { request.filter.admits($0.username, $0.relyingPartyID) }
        if request.damaged == .refuse, let first = damaged.first {
            let rest = damaged.count == 1 ? "" : " (and \(Wording.counted(damaged.count - 1, "other damaged passkey")))"
            throw DeviceRefusal(.documentDamaged, "\(first.mistake)\(rest)")
        }
        var report = PasskeyTransferReport()
        report.leftOut = damaged.map { passkey in
            let name = PasskeyTransferReport.name(passkey.username ?? "", passkey.relyingPartyID ?? "")
            return "\(name), which is damaged: \(passkey.mistake)"
        }
        report.notes =
            reading.ignored.map { "ignored: \($0)" }
            + reading.others.sorted { $0.key < $1.key }.map { "ignored: \($0.value) of type \($0.key)" }
        let selected = reading.document.passkeys.filter { request.filter.admits($0.username, $0.relyingPartyID) }
        guard !selected.isEmpty || !damaged.isEmpty else {
            throw DeviceRefusal(.noCredentials, "the document has none of the passkeys; look at its accounts")
        }
        let wanted = await select(selected, request, &report)
        guard !wanted.isEmpty else { return report }
        do {
            try await authenticator.importCredentials(wanted.map { imported($0, exchange) })
        } catch {
            throw DeviceRefusal(error == .full ? .noSpace : .unsupported, "\(error)")
        }
        try life.change { $0.unwantedPasskeys.subtract(wanted.map(\.credentialID)) }
        for passkey in wanted {
            report.moved.append(PasskeyTransferReport.name(passkey.username, passkey.relyingPartyID))
            life.note(
                DeviceEvent(.passkeyArrive, "a passkey for \(passkey.relyingPartyID) is imported from a document"))
        }
        return report
    }

    private static func reading(_ bytes: [UInt8], file: String) throws(DeviceRefusal) -> ExchangeReading {
        do {
            return try ExchangeReading(parsing: bytes, file: file)
        } catch {
            throw DeviceRefusal(.documentDamaged, "\(error)")
        }
    }

    /// The passkeys to import: those that the device has not, and with `overwrite` all of them.
    private func select(
        _ passkeys: [ExchangePasskey], _ request: PasskeyImportRequest, _ report: inout PasskeyTransferReport
    ) async -> [ExchangePasskey] {
        var wanted: [ExchangePasskey] = []
        for passkey in passkeys {
            let name = PasskeyTransferReport.name(passkey.username, passkey.relyingPartyID)
            if wanted.contains(where: { $0.isOfSameAccount(as: passkey) }) {
                // The device keeps one passkey of an account, and the later one would replace the earlier.
                report.leftOut.append("\(name), for whose account the document has another passkey before it")
            } else if request.existing == .overwrite {
                wanted.append(passkey)
            } else if await authenticator.exportCredential(passkey.credentialID) != nil {
                report.leftOut.append("\(name), which the device already has")
            } else if await authenticator.hasCredential(ofUser: passkey.userHandle, at: passkey.relyingPartyID) {
                report.leftOut.append("\(name), for whose account the device has another passkey")
            } else {
                wanted.append(passkey)
            }
        }
        return wanted
    }

    private func imported(_ passkey: ExchangePasskey, _ exchange: PasskeyExchange) -> ImportedCredential {
        var credential = ImportedCredential(
            id: passkey.credentialID, isDiscoverable: true, relyingPartyID: passkey.relyingPartyID,
            user: PublicKeyCredentialUserEntity(
                id: passkey.userHandle, name: passkey.username, displayName: passkey.userDisplayName),
            privateKey: passkey.privateKey, signCount: nil)
        let extensions = profile.authenticator.extensions
        // The relying party compares BE with the one at registration, and only eligible passkeys travel.
        credential.isBackupEligible = true
        if extensions.contains(.hmacSecret) {
            let kept = exchange.keepsSecrets ? passkey.extensions.hmacCredentials : nil
            let random = authenticator.environment.random
            // The device's own secrets derive from the key, and would be those of the exporting device.
            credential.hmacSecrets = HMACSecrets(
                withUV: kept?.withUV ?? random.bytes(32), withoutUV: kept?.withoutUV ?? random.bytes(32))
        }
        if exchange.keepsLargeBlobs, extensions.contains(.largeBlob) {
            credential.largeBlob = passkey.extensions.largeBlob
        }
        if extensions.contains(.credBlob) { credential.credBlob = passkey.extensions.credBlob }
        credential.allowsThirdPartyPayment =
            extensions.contains(.thirdPartyPayment) && passkey.extensions.payments == true
        return credential
    }
}

extension PasskeyFilter {
    /// Whether it selects a passkey of a document; an unknown name may be any.
    fileprivate func admits(_ account: String?, _ relyingPartyID: String?) -> Bool {
        (self.account == nil || account == nil || self.account == account)
            && (self.relyingPartyID == nil || relyingPartyID == nil || self.relyingPartyID == relyingPartyID)
    }
}

extension ExchangePasskey {
    /// Whether both are of one account at one relying party.
    fileprivate func isOfSameAccount(as other: ExchangePasskey) -> Bool {
        userHandle == other.userHandle && relyingPartyID == other.relyingPartyID
    }
}
