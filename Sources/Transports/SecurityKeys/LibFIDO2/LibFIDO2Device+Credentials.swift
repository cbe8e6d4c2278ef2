package import CFIDO2

extension LibFIDO2Device {
    /// The parameters of a registration.
    package struct CredentialRequest: Sendable {
        package var relyingPartyID: String
        package var relyingPartyName: String?
        package var userID: [UInt8]
        package var userName: String
        package var userDisplayName: String?
        package var algorithm: Int32
        package var clientDataHash: [UInt8]
        package var isDiscoverable = false
        /// Whether to request built-in user verification.
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

    /// The parameters of a sign-in.
    package struct AssertionRequest: Sendable {
        package var relyingPartyID: String
        package var clientDataHash: [UInt8]
        package var allowed: [[UInt8]] = []
        /// Whether to request built-in user verification.
        package var uv = FIDO_OPT_OMIT

        package init(relyingPartyID: String, clientDataHash: [UInt8]) {
            self.relyingPartyID = relyingPartyID
            self.clientDataHash = clientDataHash
        }
    }

    package func makeCredential(
        _ request: CredentialRequest, pin: String? = nil
    ) throws(LibFIDO2Error) -> LibFIDO2Credential {
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
        try LibFIDO2Error.check(
            fido_cred_set_rk(credential, request.isDiscoverable ? FIDO_OPT_TRUE : FIDO_OPT_OMIT))
        try LibFIDO2Error.check(fido_cred_set_uv(credential, request.uv))
        if request.extensions != 0 {
            try LibFIDO2Error.check(fido_cred_set_extensions(credential, request.extensions))
        }
        if let protection = request.protection { try LibFIDO2Error.check(fido_cred_set_prot(credential, protection)) }
        for id in request.excluded { try LibFIDO2Error.check(fido_cred_exclude(credential, id, id.count)) }
        try LibFIDO2Error.check(fido_dev_make_cred(device, credential, pin))
        return LibFIDO2Credential(credential)
    }

    package func getAssertions(
        _ request: AssertionRequest, pin: String? = nil
    ) throws(LibFIDO2Error) -> [LibFIDO2Assertion] {
        var owned = fido_assert_new()
        defer { fido_assert_free(&owned) }
        let assertion = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_assert_set_rp(assertion, request.relyingPartyID))
        try LibFIDO2Error.check(
            fido_assert_set_clientdata_hash(assertion, request.clientDataHash, request.clientDataHash.count))
        try LibFIDO2Error.check(fido_assert_set_uv(assertion, request.uv))
        for id in request.allowed { try LibFIDO2Error.check(fido_assert_allow_cred(assertion, id, id.count)) }
        try LibFIDO2Error.check(fido_dev_get_assert(device, assertion, pin))
        return (0..<fido_assert_count(assertion)).map { LibFIDO2Assertion(assertion, $0) }
    }
}
