package import CFIDO2

extension LibFIDO2Device {
    package struct CredentialRequest: Sendable {
        package var relyingPartyID: String
        package var relyingPartyName: String?
        package var userID: [UInt8]
        package var userName: String
        package var userDisplayName: String?
        package var algorithm: Int32
        package var clientDataHash: [UInt8]
        package var isDiscoverable = false
        package var uv = FIDO_OPT_OMIT
        package var excluded: [[UInt8]] = []
        /// `FIDO_EXT_…`.
        package var extensions: Int32 = 0
        /// credProtect's level.
        package var protection: Int32?

        package init(
            relyingPartyID: String, userID: [UInt8], userName: String, algorithm: Int32, clientDataHash: [UInt8]
        ) {
            self.relyingPartyID = relyingPartyID
            self.userID = userID
            self.userName = userName
            self.algorithm = algorithm
            self.clientDataHash = clientDataHash
        }
    }

    package struct AssertionRequest: Sendable {
        package var relyingPartyID: String
        package var clientDataHash: [UInt8]
        package var allowed: [[UInt8]] = []
        package var uv = FIDO_OPT_OMIT

        package init(relyingPartyID: String, clientDataHash: [UInt8]) {
            self.relyingPartyID = relyingPartyID
            self.clientDataHash = clientDataHash
        }
    }

    /// Makes a credential and reads it before libfido2 frees it.
    package func makeCredential<Result: Sendable>(
        _ request: CredentialRequest, pin: String?, read: @Sendable (OpaquePointer) -> Result
    ) throws(LibFIDO2Error) -> Result {
        var owned = fido_cred_new()
        defer { fido_cred_free(&owned) }
        let credential = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_cred_set_type(credential, request.algorithm))
        try LibFIDO2Error.check(
            fido_cred_set_clientdata_hash(credential, request.clientDataHash, request.clientDataHash.count))
        try LibFIDO2Error.check(fido_cred_set_rp(credential, request.relyingPartyID, request.relyingPartyName))
        try LibFIDO2Error.check(
            fido_cred_set_user(
                credential, request.userID, request.userID.count, request.userName, request.userDisplayName, nil))
        try LibFIDO2Error.check(fido_cred_set_rk(credential, request.isDiscoverable ? FIDO_OPT_TRUE : FIDO_OPT_OMIT))
        try LibFIDO2Error.check(fido_cred_set_uv(credential, request.uv))
        if request.extensions != 0 {
            try LibFIDO2Error.check(fido_cred_set_extensions(credential, request.extensions))
        }
        if let protection = request.protection { try LibFIDO2Error.check(fido_cred_set_prot(credential, protection)) }
        for id in request.excluded { try LibFIDO2Error.check(fido_cred_exclude(credential, id, id.count)) }
        try LibFIDO2Error.check(fido_dev_make_cred(device, credential, pin))
        return read(credential)
    }

    /// Signs in and reads each assertion before libfido2 frees them.
    package func getAssertions<Result: Sendable>(
        _ request: AssertionRequest, pin: String?, read: @Sendable (OpaquePointer, Int) -> Result
    ) throws(LibFIDO2Error) -> [Result] {
        var owned = fido_assert_new()
        defer { fido_assert_free(&owned) }
        let assertion = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_assert_set_rp(assertion, request.relyingPartyID))
        try LibFIDO2Error.check(
            fido_assert_set_clientdata_hash(assertion, request.clientDataHash, request.clientDataHash.count))
        try LibFIDO2Error.check(fido_assert_set_uv(assertion, request.uv))
        for id in request.allowed { try LibFIDO2Error.check(fido_assert_allow_cred(assertion, id, id.count)) }
        try LibFIDO2Error.check(fido_dev_get_assert(device, assertion, pin))
        return (0..<fido_assert_count(assertion)).map { read(assertion, $0) }
    }
}

/// A copy of the bytes behind a pointer of libfido2's, which is valid only as long as its owner.
package func bytes(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count))
}
