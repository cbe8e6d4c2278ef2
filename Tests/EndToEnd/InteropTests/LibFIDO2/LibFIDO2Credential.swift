import CFIDO2
import SecurityKeys

/// A credential received by libfido2.
struct LibFIDO2Credential: Sendable {
    let relyingPartyID: String
    let algorithm: Int32
    let format: String
    let clientDataHash: [UInt8]
    /// Authenticator data inside a CBOR byte string, libfido2's form.
    var authenticatorData: [UInt8]
    var signature: [UInt8]
    let certificate: [UInt8]
    let id: [UInt8]
    let aaguid: [UInt8]
    let publicKey: [UInt8]
    let flags: UInt8
    let signCount: UInt32

    init(_ credential: OpaquePointer) {
        relyingPartyID = fido_cred_rp_id(credential).map { String(cString: $0) } ?? ""
        algorithm = fido_cred_type(credential)
        format = fido_cred_fmt(credential).map { String(cString: $0) } ?? ""
        clientDataHash = bytes(fido_cred_clientdata_hash_ptr(credential), fido_cred_clientdata_hash_len(credential))
        authenticatorData = bytes(fido_cred_authdata_ptr(credential), fido_cred_authdata_len(credential))
        signature = bytes(fido_cred_sig_ptr(credential), fido_cred_sig_len(credential))
        certificate = bytes(fido_cred_x5c_ptr(credential), fido_cred_x5c_len(credential))
        id = bytes(fido_cred_id_ptr(credential), fido_cred_id_len(credential))
        aaguid = bytes(fido_cred_aaguid_ptr(credential), fido_cred_aaguid_len(credential))
        publicKey = bytes(fido_cred_pubkey_ptr(credential), fido_cred_pubkey_len(credential))
        flags = fido_cred_flags(credential)
        signCount = fido_cred_sigcount(credential)
    }

    /// Verifies the self attestation with libfido2, from these bytes alone.
    ///
    /// - Throws: `FIDO_ERR_INVALID_SIG` when the signature does not verify.
    func verifySelfAttestation() throws(LibFIDO2Error) {
        try verify(fido_cred_verify_self)
    }

    /// Verifies an attestation with a certificate, with libfido2.
    func verifyCertifiedAttestation() throws(LibFIDO2Error) {
        try verify(fido_cred_verify)
    }

    private func verify(_ verification: (OpaquePointer?) -> Int32) throws(LibFIDO2Error) {
        var owned = fido_cred_new()
        defer { fido_cred_free(&owned) }
        let credential = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_cred_set_type(credential, algorithm))
        try LibFIDO2Error.check(fido_cred_set_fmt(credential, format))
        try LibFIDO2Error.check(fido_cred_set_rp(credential, relyingPartyID, nil))
        try LibFIDO2Error.check(fido_cred_set_clientdata_hash(credential, clientDataHash, clientDataHash.count))
        try LibFIDO2Error.check(fido_cred_set_authdata(credential, authenticatorData, authenticatorData.count))
        if !signature.isEmpty {
            try LibFIDO2Error.check(fido_cred_set_sig(credential, signature, signature.count))
        }
        try LibFIDO2Error.check(verification(credential))
    }
}

/// An assertion received by libfido2.
struct LibFIDO2Assertion: Sendable {
    let relyingPartyID: String
    let clientDataHash: [UInt8]
    /// Authenticator data inside a CBOR byte string, libfido2's form.
    var authenticatorData: [UInt8]
    var signature: [UInt8]
    let credentialID: [UInt8]
    let userID: [UInt8]
    let userName: String?
    let userDisplayName: String?
    let flags: UInt8
    let signCount: UInt32

    init(_ assertion: OpaquePointer, _ index: Int) {
        relyingPartyID = fido_assert_rp_id(assertion).map { String(cString: $0) } ?? ""
        clientDataHash = bytes(fido_assert_clientdata_hash_ptr(assertion), fido_assert_clientdata_hash_len(assertion))
        authenticatorData = bytes(
            fido_assert_authdata_ptr(assertion, index), fido_assert_authdata_len(assertion, index))
        signature = bytes(fido_assert_sig_ptr(assertion, index), fido_assert_sig_len(assertion, index))
        credentialID = bytes(fido_assert_id_ptr(assertion, index), fido_assert_id_len(assertion, index))
        userID = bytes(fido_assert_user_id_ptr(assertion, index), fido_assert_user_id_len(assertion, index))
        userName = fido_assert_user_name(assertion, index).map { String(cString: $0) }
        userDisplayName = fido_assert_user_display_name(assertion, index).map { String(cString: $0) }
        flags = fido_assert_flags(assertion, index)
        signCount = fido_assert_sigcount(assertion, index)
    }

    /// Verifies the signature with a credential's key and libfido2, from these bytes alone.
    ///
    /// - Throws: `FIDO_ERR_INVALID_SIG` when the signature does not verify.
    func verify(by credential: LibFIDO2Credential) throws(LibFIDO2Error) {
        var owned = fido_assert_new()
        defer { fido_assert_free(&owned) }
        let assertion = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_assert_set_rp(assertion, relyingPartyID))
        try LibFIDO2Error.check(fido_assert_set_clientdata_hash(assertion, clientDataHash, clientDataHash.count))
        try LibFIDO2Error.check(fido_assert_set_count(assertion, 1))
        try LibFIDO2Error.check(fido_assert_set_authdata(assertion, 0, authenticatorData, authenticatorData.count))
        try LibFIDO2Error.check(fido_assert_set_sig(assertion, 0, signature, signature.count))
        let key = credential.publicKey
        switch credential.algorithm {
        case COSE_ES256:
            var owned = es256_pk_new()
            defer { es256_pk_free(&owned) }
            let publicKey = try LibFIDO2Error.allocated(owned)
            try LibFIDO2Error.check(es256_pk_from_ptr(publicKey, key, key.count))
            try LibFIDO2Error.check(fido_assert_verify(assertion, 0, COSE_ES256, UnsafeRawPointer(publicKey)))
        case COSE_ES384:
            var owned = es384_pk_new()
            defer { es384_pk_free(&owned) }
            let publicKey = try LibFIDO2Error.allocated(owned)
            try LibFIDO2Error.check(es384_pk_from_ptr(publicKey, key, key.count))
            try LibFIDO2Error.check(fido_assert_verify(assertion, 0, COSE_ES384, UnsafeRawPointer(publicKey)))
        case COSE_EDDSA:
            var owned = eddsa_pk_new()
            defer { eddsa_pk_free(&owned) }
            let publicKey = try LibFIDO2Error.allocated(owned)
            try LibFIDO2Error.check(eddsa_pk_from_ptr(publicKey, key, key.count))
            try LibFIDO2Error.check(fido_assert_verify(assertion, 0, COSE_EDDSA, UnsafeRawPointer(publicKey)))
        default:
            throw LibFIDO2Error(FIDO_ERR_UNSUPPORTED_ALGORITHM)
        }
    }
}

extension LibFIDO2Device {
    /// Makes a credential and returns all that libfido2 received.
    func makeCredential(
        _ request: CredentialRequest, pin: String? = nil
    ) throws(LibFIDO2Error) -> LibFIDO2Credential {
        try makeCredential(request, pin: pin) { LibFIDO2Credential($0) }
    }

    /// Signs in and returns all that libfido2 received.
    func getAssertions(_ request: AssertionRequest, pin: String? = nil) throws(LibFIDO2Error) -> [LibFIDO2Assertion] {
        try getAssertions(request, pin: pin) { LibFIDO2Assertion($0, $1) }
    }
}
