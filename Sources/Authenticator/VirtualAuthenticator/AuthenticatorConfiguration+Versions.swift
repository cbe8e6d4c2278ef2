internal import CTAP

extension AuthenticatorConfiguration {
    /// Whether the device answers CTAP2: it has another version than U2F_V2.
    public var answersCTAP2: Bool { versions.isEmpty || versions.contains { $0 != "U2F_V2" } }

    /// The mismatch between this configuration and its versions (CTAP 2.3 §9, mandatory features); nil for none.
    ///
    /// - Parameter hasUserVerification: whether the device can verify its user at all.
    public func versionProblem(hasUserVerification: Bool) -> String? {
        if versions.contains("FIDO_2_2") { return "FIDO_2_2 was never defined and cannot be listed" }
        if versions.contains("U2F_V2") != supportsU2F {
            return "U2F_V2 is listed by exactly the devices that answer it: u2f: true"
        }
        guard let version = versions.first(where: { ["FIDO_2_1", "FIDO_2_3"].contains($0) }) else { return nil }
        let needs = missingFeatures(hasUserVerification: hasUserVerification)
        return needs.isEmpty ? nil : "\(version) needs \(needs.joined(separator: ", "))"
    }

    private func missingFeatures(hasUserVerification: Bool) -> [String] {
        var needs: [String] = []
        if !hasUserVerification { needs.append("client-pin or a sensor") }
        if !supportsPinUvAuthToken { needs.append("pin-uv-auth-token") }
        if !pinUvAuthProtocols.contains(.two) { needs.append("pin-protocols with 2") }
        if discoverability != .never {
            if !extensions.contains(.credProtect) { needs.append("the extension credProtect") }
            if !extensions.contains(.hmacSecret) { needs.append("the extension hmac-secret") }
            if !management.supportsCredentialManagement, !hasDisplay { needs.append("management.credentials") }
        }
        return needs
    }
}
