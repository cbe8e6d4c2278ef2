import CFIDO2
import Foundation
import SecurityKeys

extension LibFIDO2Device {
    /// Enrols a finger, cancelled after `limit` samples; returns the status of each sample.
    func enrolFinger(pin: String, limit: Int = .max) throws(LibFIDO2Error) -> (id: [UInt8], statuses: [UInt8]) {
        var statuses: [UInt8] = []
        let id = try enrolFinger(pin: pin) { status, _ in
            statuses.append(status)
            return statuses.count < limit
        }
        return (id, statuses)
    }

    // MARK: Large blobs and configuration

    /// The CBOR of the large-blob array.
    func largeBlobArray() throws(LibFIDO2Error) -> [UInt8] {
        var array: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer { free(array) }
        try LibFIDO2Error.check(fido_dev_largeblob_get_array(device, &array, &count))
        return bytes(array, count)
    }

    /// Lets one relying party read the minimum PIN length.
    func tellMinimumPINLength(to relyingPartyID: String, pin: String?) throws(LibFIDO2Error) {
        let code = relyingPartyID.withCString { id in
            [UnsafePointer<CChar>?.some(id)].withUnsafeBufferPointer {
                fido_dev_set_pin_minlen_rpid(device, $0.baseAddress, 1, pin)
            }
        }
        try LibFIDO2Error.check(code)
    }

    // MARK: Extensions

    /// The results of a registration and a sign-in with extensions.
    struct Extended: Sendable {
        let id: [UInt8]
        let largeBlobKey: [UInt8]
        let protection: Int32
        let minimumPINLength: Int
    }

    func makeCredential(
        extensions: Int32, protection: Int32? = nil, blob: [UInt8]? = nil, minimumPINLength: Int? = nil,
        userID: [UInt8] = [7], pin: String?
    ) throws(LibFIDO2Error) -> Extended {
        var owned = fido_cred_new()
        defer { fido_cred_free(&owned) }
        let credential = try LibFIDO2Error.allocated(owned)
        let hash = [UInt8](repeating: 0x33, count: 32)
        try LibFIDO2Error.check(fido_cred_set_type(credential, COSE_ES256))
        try LibFIDO2Error.check(fido_cred_set_clientdata_hash(credential, hash, hash.count))
        try LibFIDO2Error.check(fido_cred_set_rp(credential, "example.com", "Example"))
        try LibFIDO2Error.check(fido_cred_set_user(credential, userID, userID.count, "ada", nil, nil))
        try LibFIDO2Error.check(fido_cred_set_rk(credential, FIDO_OPT_TRUE))
        try LibFIDO2Error.check(fido_cred_set_extensions(credential, extensions))
        if let protection { try LibFIDO2Error.check(fido_cred_set_prot(credential, protection)) }
        if let blob { try LibFIDO2Error.check(fido_cred_set_blob(credential, blob, blob.count)) }
        if let minimumPINLength { try LibFIDO2Error.check(fido_cred_set_pin_minlen(credential, minimumPINLength)) }
        try LibFIDO2Error.check(fido_dev_make_cred(device, credential, pin))
        return Extended(
            id: bytes(fido_cred_id_ptr(credential), fido_cred_id_len(credential)),
            largeBlobKey: bytes(fido_cred_largeblob_key_ptr(credential), fido_cred_largeblob_key_len(credential)),
            protection: fido_cred_prot(credential), minimumPINLength: fido_cred_pin_minlen(credential))
    }

    /// The secrets, the blob and the large-blob key of one sign-in.
    func getAssertion(
        _ id: [UInt8], extensions: Int32, salts: [UInt8] = [], pin: String?
    ) throws(LibFIDO2Error) -> (secrets: [UInt8], blob: [UInt8], largeBlobKey: [UInt8]) {
        var owned = fido_assert_new()
        defer { fido_assert_free(&owned) }
        let assertion = try LibFIDO2Error.allocated(owned)
        let hash = [UInt8](repeating: 0x44, count: 32)
        try LibFIDO2Error.check(fido_assert_set_rp(assertion, "example.com"))
        try LibFIDO2Error.check(fido_assert_set_clientdata_hash(assertion, hash, hash.count))
        try LibFIDO2Error.check(fido_assert_allow_cred(assertion, id, id.count))
        try LibFIDO2Error.check(fido_assert_set_extensions(assertion, extensions))
        if !salts.isEmpty { try LibFIDO2Error.check(fido_assert_set_hmac_salt(assertion, salts, salts.count)) }
        try LibFIDO2Error.check(fido_dev_get_assert(device, assertion, pin))
        return (
            bytes(fido_assert_hmac_secret_ptr(assertion, 0), fido_assert_hmac_secret_len(assertion, 0)),
            bytes(fido_assert_blob_ptr(assertion, 0), fido_assert_blob_len(assertion, 0)),
            bytes(fido_assert_largeblob_key_ptr(assertion, 0), fido_assert_largeblob_key_len(assertion, 0))
        )
    }
}
