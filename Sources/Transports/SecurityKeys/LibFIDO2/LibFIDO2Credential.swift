internal import CFIDO2

/// A credential received by libfido2.
package struct LibFIDO2Credential: Sendable {
    package let relyingPartyID: String
    package let algorithm: Int32
    package let format: String
    package let clientDataHash: [UInt8]
    /// Authenticator data inside a CBOR byte string, libfido2's form.
    package var authenticatorData: [UInt8]
    package let rawAuthenticatorData: [UInt8]
    package var signature: [UInt8]
    /// The attestation statement's CBOR.
    package let attestationStatement: [UInt8]
    package let certificate: [UInt8]
    package let largeBlobKey: [UInt8]
    package let id: [UInt8]
    package let aaguid: [UInt8]
    package let publicKey: [UInt8]
    package let flags: UInt8
    package let signCount: UInt32

    init(_ credential: OpaquePointer) {
        relyingPartyID = fido_cred_rp_id(credential).map { String(cString: $0) } ?? ""
        algorithm = fido_cred_type(credential)
        format = fido_cred_fmt(credential).map { String(cString: $0) } ?? ""
        clientDataHash = bytes(fido_cred_clientdata_hash_ptr(credential), fido_cred_clientdata_hash_len(credential))
        authenticatorData = bytes(fido_cred_authdata_ptr(credential), fido_cred_authdata_len(credential))
        rawAuthenticatorData = bytes(
            fido_cred_authdata_raw_ptr(credential), fido_cred_authdata_raw_len(credential))
        attestationStatement = bytes(fido_cred_attstmt_ptr(credential), fido_cred_attstmt_len(credential))
        largeBlobKey = bytes(fido_cred_largeblob_key_ptr(credential), fido_cred_largeblob_key_len(credential))
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
    package func verifySelfAttestation() throws(LibFIDO2Error) {
        try verify(fido_cred_verify_self)
    }

    /// Verifies an attestation with a certificate, with libfido2.
    package func verifyCertifiedAttestation() throws(LibFIDO2Error) {
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
package struct LibFIDO2Assertion: Sendable {
    package let relyingPartyID: String
    package let clientDataHash: [UInt8]
    /// Authenticator data inside a CBOR byte string, libfido2's form.
    package var authenticatorData: [UInt8]
    package var signature: [UInt8]
    package let credentialID: [UInt8]
    package let userID: [UInt8]
    package let userName: String?
    package let userDisplayName: String?
    package let flags: UInt8
    package let signCount: UInt32

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

    /// The authenticator data without the header of the byte string, 1 to 3 bytes (RFC 8949 §3).
    package var rawAuthenticatorData: [UInt8] {
        switch authenticatorData.first {
        case 0x58: Array(authenticatorData.dropFirst(2))
        case 0x59: Array(authenticatorData.dropFirst(3))
        default: Array(authenticatorData.dropFirst(1))
        }
    }

    /// Verifies the signature with a credential's key and libfido2, from these bytes alone.
    ///
    /// - Throws: `FIDO_ERR_INVALID_SIG` when the signature does not verify.
    package func verify(by credential: LibFIDO2Credential) throws(LibFIDO2Error) {
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

/// A copy of the bytes behind a pointer of libfido2's, which is valid only as long as its owner.
package func bytes(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count))
}
