internal import CFIDO2
package import CTAP

extension LibFIDO2Key {
    // MARK: Credential management

    package func credentialCounts(pin: String?) async throws(SecurityKeyError) -> KeyCredential.Counts {
        let pin = try required(pin)
        let counts = try await call { device throws(LibFIDO2Error) in try await device.credentialCounts(pin: pin) }
        return KeyCredential.Counts(
            existing: Int(clamping: counts.existing), remaining: Int(clamping: counts.remaining))
    }

    package func credentials(pin: String?) async throws(SecurityKeyError) -> [KeyCredential] {
        let pin = try required(pin)
        return try await call { device throws(LibFIDO2Error) in
            var credentials: [KeyCredential] = []
            let parties: [String]
            do throws(LibFIDO2Error) {
                parties = try await device.relyingParties(pin: pin)
            } catch {
                // The key holds no credentials (CTAP 2.3 §6.8.3).
                guard error.code == FIDO_ERR_NO_CREDENTIALS else { throw error }
                return []
            }
            for relyingPartyID in parties {
                for credential in try await device.credentials(of: relyingPartyID, pin: pin) {
                    credentials.append(
                        KeyCredential(
                            relyingPartyID: relyingPartyID, id: credential.id,
                            user: PublicKeyCredentialUserEntity(
                                id: credential.userID, name: credential.userName,
                                displayName: credential.userDisplayName),
                            algorithm: Int(credential.algorithm),
                            protection: credential.protection == 0 ? nil : Int(credential.protection),
                            largeBlobKey: credential.largeBlobKey.isEmpty ? nil : credential.largeBlobKey))
                }
            }
            return credentials
        }
    }

    package func deleteCredential(_ id: [UInt8], pin: String?) async throws(SecurityKeyError) {
        let pin = try required(pin)
        try await call { device throws(LibFIDO2Error) in try await device.deleteCredential(id, pin: pin) }
    }

    package func rename(
        _ credential: KeyCredential, name: String, displayName: String?, pin: String?
    ) async throws(SecurityKeyError) {
        let pin = try required(pin)
        try await call { device throws(LibFIDO2Error) in
            try await device.rename(
                credential.id, userID: credential.user.id, to: name, displayName: displayName, pin: pin)
        }
    }

    // MARK: Fingerprints

    package func sensor() async throws(SecurityKeyError) -> BioEnrollmentClient.SensorInfo {
        let info = try await call { device throws(LibFIDO2Error) in try await device.sensorInfo() }
        return BioEnrollmentClient.SensorInfo(
            kind: FingerprintKind(rawValue: Int(info.kind)), maximumSamples: Int(info.samples), maximumNameLength: nil)
    }

    package func fingerprints(pin: String?) async throws(SecurityKeyError) -> [Fingerprint] {
        let pin = try required(pin)
        do {
            let fingers = try await call { device throws(LibFIDO2Error) in try await device.fingers(pin: pin) }
            return fingers.map { Fingerprint(id: $0.key, name: $0.value.isEmpty ? nil : $0.value) }
                .sorted { $0.id.lexicographicallyPrecedes($1.id) }
        } catch {
            // No template is enrolled (CTAP 2.3 §6.7.7).
            guard error.status == .invalidOption else { throw error }
            return []
        }
    }

    package func enrolFingerprint(
        pin: String?, onSample: @escaping @Sendable (EnrollSampleStatus?, _ remaining: Int) -> Void
    ) async throws(SecurityKeyError) -> [UInt8] {
        let pin = try required(pin)
        return try await call { device throws(LibFIDO2Error) in
            try await device.enrolFinger(pin: pin) { status, remaining in
                onSample(EnrollSampleStatus(rawValue: Int(status)), Int(remaining))
                return !Task.isCancelled
            }
        }
    }

    package func nameFingerprint(_ id: [UInt8], _ name: String, pin: String?) async throws(SecurityKeyError) {
        let pin = try required(pin)
        try await call { device throws(LibFIDO2Error) in try await device.nameFinger(id, name, pin: pin) }
    }

    package func removeFingerprint(_ id: [UInt8], pin: String?) async throws(SecurityKeyError) {
        let pin = try required(pin)
        try await call { device throws(LibFIDO2Error) in try await device.removeFinger(id, pin: pin) }
    }

    // MARK: Large blobs

    package func largeBlob(key: [UInt8]) async throws(SecurityKeyError) -> [UInt8]? {
        try await call { device throws(LibFIDO2Error) in
            do throws(LibFIDO2Error) {
                return try await device.largeBlob(key)
            } catch {
                guard error.code == FIDO_ERR_NOTFOUND else { throw error }
                return nil
            }
        }
    }

    package func setLargeBlob(_ blob: [UInt8]?, key: [UInt8], pin: String?) async throws(SecurityKeyError) {
        do {
            try await call { device throws(LibFIDO2Error) in
                if let blob {
                    try await device.setLargeBlob(blob, key: key, pin: pin)
                } else {
                    try await device.removeLargeBlob(key, pin: pin)
                }
            }
        } catch {
            guard case .library = error, let blob, blob.count < Self.shortestLargeBlob else { throw error }
            throw .unsupported(
                """
                libfido2 1.12 cannot write a large blob shorter than \(Self.shortestLargeBlob) bytes, and this one has \
                \(blob.count); choose --through direct, which can
                """)
        }
    }

    /// libfido2 1.12 refuses a blob shorter than a block of its cipher.
    private static let shortestLargeBlob = 16

    // MARK: Configuration

    package func toggleAlwaysUV(pin: String?) async throws(SecurityKeyError) {
        try await call { device throws(LibFIDO2Error) in try await device.toggleAlwaysUV(pin: pin) }
    }

    package func setMinimumPINLength(_ length: Int, pin: String?) async throws(SecurityKeyError) {
        try await call { device throws(LibFIDO2Error) in try await device.setMinimumPINLength(length, pin: pin) }
    }

    package func forcePINChange(pin: String?) async throws(SecurityKeyError) {
        try await call { device throws(LibFIDO2Error) in try await device.forcePINChange(pin: pin) }
    }

    package func enableEnterpriseAttestation(pin: String?) async throws(SecurityKeyError) {
        let pin = try required(pin)
        try await call { device throws(LibFIDO2Error) in try await device.enableEnterpriseAttestation(pin: pin) }
    }
}
