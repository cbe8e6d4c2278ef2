internal import CBOR
internal import CTAP
internal import WebAuthn

/// largeBlob: data stored with a credential (WebAuthn L3 §10.1.5, CTAP 2.3 §6.10).
enum LargeBlobExtension {
    static func checkRegistration(_ inputs: LargeBlobInputs) throws(WebAuthnClientError) {
        guard inputs.read == nil, inputs.write == nil else {
            throw WebAuthnClientError(.notSupportedError, .largeBlobInputs, detail: "read or write in create()")
        }
    }

    static func checkAuthentication(
        _ inputs: LargeBlobInputs, allowCredentials: [CredentialDescriptor]
    ) throws(WebAuthnClientError) {
        let problem: String? =
            if inputs.support != nil {
                "support in get()"
            } else if inputs.read != nil, inputs.write != nil {
                "read and write together"
            } else if inputs.write != nil, allowCredentials.count != 1 {
                "write for \(allowCredentials.count) allowed credentials, not one"
            } else {
                nil
            }
        if let problem { throw WebAuthnClientError(.notSupportedError, .largeBlobInputs, detail: problem) }
    }

    static func isSupported(by info: AuthenticatorInfo) -> Bool { isInArray(info) || isWithCredential(info) }

    /// Whether blobs are in the device's large-blob array, encrypted with keys of their credentials.
    static func isInArray(_ info: AuthenticatorInfo) -> Bool {
        info.option(.largeBlobs) == true && info.supports(.largeBlobKey)
    }

    /// Whether blobs are stored with their credentials, as on phones, and accessed within the assertion.
    static func isWithCredential(_ info: AuthenticatorInfo) -> Bool { info.supports(.largeBlob) }

    static func registrationInput(_ inputs: LargeBlobInputs) -> CBOR.Value {
        ["support": .text((inputs.support ?? .preferred).rawValue)]
    }

    static func assertionInput(_ inputs: LargeBlobInputs) -> CBOR.Value? {
        if let blob = inputs.write?.bytes {
            return LargeBlobExtensionValue(compressing: blob).map {
                ["write": .bytes($0.data), "originalSize": .integer($0.originalSize)]
            }
        }
        return inputs.read == true ? ["read": true] : nil
    }

    static func outputs(_ unsigned: CBOR.Map?, _ inputs: LargeBlobInputs) -> LargeBlobOutputs? {
        guard case .map(let map)? = unsigned?[ExtensionIdentifier.largeBlob.rawValue] else {
            return inputs.write == nil ? LargeBlobOutputs() : LargeBlobOutputs(written: false)
        }
        if inputs.write != nil { return LargeBlobOutputs(written: map["written"] == true) }
        guard case .bytes(let data)? = map["blob"], let size = try? map["originalSize"]?.asUnsigned("originalSize")
        else { return LargeBlobOutputs() }
        return LargeBlobOutputs(blob: LargeBlobExtensionValue(data: data, originalSize: size).blob)
    }

    static func checkDevice(
        _ inputs: LargeBlobInputs, info: AuthenticatorInfo, residentKey: Bool
    ) throws(WebAuthnClientError) {
        guard inputs.support == .required else { return }
        guard isSupported(by: info) else { throw WebAuthnClientError(.notAllowedError, .largeBlobUnsupported) }
        guard residentKey else {
            throw WebAuthnClientError(
                .notAllowedError, .largeBlobUnsupported, detail: "only discoverable credentials have large blobs")
        }
    }

    /// Reads or writes the blob of the asserted credential; a failure affects only the output, not the assertion.
    static func perform(
        _ inputs: LargeBlobInputs, key: [UInt8]?, verification: UserVerification, info: AuthenticatorInfo,
        session: Session
    ) async throws(WebAuthnClientError) -> LargeBlobOutputs? {
        if let blob = inputs.write?.bytes {
            let written = try await attempt(key, verification, info, session) {
                blobs, key async throws(AuthenticatorClient.Failure) in
                try await blobs.write(blob, key: key)
                return true
            }
            return LargeBlobOutputs(written: written ?? false)
        }
        guard inputs.read == true else { return nil }
        let blob = try await attempt(key, verification, info, session) {
            blobs, key async throws(AuthenticatorClient.Failure) in try await blobs.blob(key: key)
        }
        return LargeBlobOutputs(blob: blob ?? nil)
    }

    private static func attempt<Value>(
        _ key: [UInt8]?, _ verification: UserVerification, _ info: AuthenticatorInfo, _ session: Session,
        _ body: (LargeBlobClient, [UInt8]) async throws(AuthenticatorClient.Failure) -> Value
    ) async throws(WebAuthnClientError) -> Value? {
        guard let key, !session.takesOneCommand else { return nil }
        do {
            return try await session.send { client async throws(AuthenticatorClient.Failure) in
                let blobs = LargeBlobClient(
                    client, info: info, token: verification.token, randomBytes: session.environment.randomBytes)
                return try await body(blobs, key)
            }
        } catch {
            // After a cancellation or timeout there is no response.
            guard error != .aborted, error != .timedOut else { throw error }
            return nil
        }
    }
}
