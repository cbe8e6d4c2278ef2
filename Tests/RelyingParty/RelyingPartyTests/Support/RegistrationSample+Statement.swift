import CBOR
import COSE
import WebAuthn

extension RegistrationSample {
    /// The statement, made anew from the sample's current parts.
    func statement() throws -> CBOR.Value {
        var map: CBOR.Map = [:]
        let clientDataHash = sha256(clientDataJSON)
        let signed = authenticatorDataBytes + clientDataHash
        switch kind {
        case .none: break
        case .selfSigned, .certified, .androidKey:
            map["alg"] = .integer(statementAlgorithm.rawValue)
            map["sig"] = .bytes(try sign(signed))
        case .tpm:
            let publicArea = tpm.publicArea(for: credentialKey.publicKey)
            let certInfo = tpm.certInfo(
                publicArea: publicArea, signedHash: statementAlgorithm.hash(of: signed) ?? sha256(signed))
            map["ver"] = tpm.version
            map["alg"] = .integer(statementAlgorithm.rawValue)
            map["sig"] = .bytes(try sign(certInfo))
            map["certInfo"] = .bytes(certInfo)
            map["pubArea"] = .bytes(publicArea)
        case .apple: break
        case .fidoU2F:
            let credentialID = authenticatorData.attestedCredentialData?.credentialID ?? []
            map["sig"] = .bytes(
                try sign(
                    [0x00] + authenticatorData.relyingPartyIDHash + clientDataHash + credentialID
                        + credentialKey.publicKey.rawRepresentation))
        }
        let path = try path(clientDataHash: clientDataHash)
        if !path.isEmpty { map["x5c"] = .array(path.map { .bytes($0) }) }
        editStatement(&map)
        return try wrapStatement(.map(map))
    }

    /// Keeps the current statement despite later changes.
    mutating func keepStatement() throws {
        let statement = try statement()
        wrapStatement = { _ in statement }
    }

    private func sign(_ message: [UInt8]) throws -> [UInt8] {
        try editSignature(try signMessage?(message) ?? statementKey.sign(message))
    }

    private func path(clientDataHash: [UInt8]) throws -> [[UInt8]] {
        guard var leaf else { return certificates }
        if kind == .apple, let apple {
            leaf.extensions.append(apple.certificateExtension(nonce: sha256(authenticatorDataBytes + clientDataHash)))
        }
        if kind == .androidKey, let androidKey {
            leaf.extensions.append(androidKey.certificateExtension(clientDataHash: clientDataHash))
        }
        return [try leaf.issue()] + certificates
    }
}
