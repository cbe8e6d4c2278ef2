internal import CTAP
package import Conformance

/// The conformance cases of authenticators.
package enum AuthenticatorSuite {
    package typealias Case = ConformanceCase<AuthenticatorBench>
    package typealias Group = ConformanceGroup<AuthenticatorBench>

    package static let all = ConformanceSuite(
        "authenticator", profiles: profiles, official: AuthenticatorScripts.table, groups)

    /// The groups, in the order in which a run performs them.
    private static let groups: [Group] = [
        hid, nfc, general, cbor, getInfo, selection, makeCredential, getAssertion, u2f, attestation, clientPIN, uv,
        reset, credentialManagement, config, bioEnrollment, largeBlobs, hmacSecret, credProtect, credBlob, largeBlobKey,
        minPinLength, pinComplexityPolicy, thirdPartyPayment, uvm, extensions, keepalive, cancel, state, metadata,
    ]

    /// The roles that an authenticator may claim.
    private static let profiles: [RunProfile] = [
        RunProfile(
            "fido2.0-security-key", "A security key of CTAP 2.0", [.ctap20, .ctap21, .ctap22, .ctap23, .rfc8949],
            demands: [Need.ctap2, .optionOn(.rk), .pin].map(\.description)),
        RunProfile(
            "fido2.1-security-key", "A security key of CTAP 2.1", [.ctap20, .ctap21, .ctap22, .ctap23, .rfc8949],
            demands: [
                Need.ctap21, .ctap2, .optionOn(.rk), .pin, .credentials, .discoverableCredentials, .option(.credMgmt),
                .optionOn(.pinUvAuthToken), .supported("credProtect"), .supported("hmac-secret"),
            ].map(\.description)),
        RunProfile(
            "fido2.3-security-key", "A security key of CTAP 2.3", [.ctap20, .ctap21, .ctap22, .ctap23, .rfc8949],
            demands: [
                Need.ctap23, .ctap21, .ctap2, .optionOn(.rk), .pin, .credentials, .discoverableCredentials,
                .option(.credMgmt), .optionOn(.pinUvAuthToken), .supported("credProtect"), .supported("hmac-secret"),
            ].map(\.description)),
        RunProfile("u2f-security-key", "A security key of U2F", [.u2f], demands: [Need.u2f].map(\.description)),
    ]

    private typealias Need = AuthenticatorNeed
}
