import CFIDO2
import Foundation

extension LibFIDO2Device {
    /// A discoverable credential as credential management tells of it.
    struct ManagedCredential: Sendable, Hashable {
        let id: [UInt8]
        let userName: String
        let publicKey: [UInt8]
        let protection: Int32
        let largeBlobKey: [UInt8]
    }

    // MARK: Credential management

    func credentialCounts(pin: String) throws(LibFIDO2Error) -> (existing: UInt64, remaining: UInt64) {
        var owned = fido_credman_metadata_new()
        defer { fido_credman_metadata_free(&owned) }
        let metadata = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_credman_get_dev_metadata(device, metadata, pin))
        return (fido_credman_rk_existing(metadata), fido_credman_rk_remaining(metadata))
    }

    func relyingParties(pin: String) throws(LibFIDO2Error) -> [String] {
        var owned = fido_credman_rp_new()
        defer { fido_credman_rp_free(&owned) }
        let list = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_credman_get_dev_rp(device, list, pin))
        return (0..<fido_credman_rp_count(list)).map { fido_credman_rp_id(list, $0).map { String(cString: $0) } ?? "" }
    }

    func credentials(of relyingPartyID: String, pin: String) throws(LibFIDO2Error) -> [ManagedCredential] {
        var owned = fido_credman_rk_new()
        defer { fido_credman_rk_free(&owned) }
        let list = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_credman_get_dev_rk(device, relyingPartyID, list, pin))
        return (0..<fido_credman_rk_count(list)).compactMap { fido_credman_rk(list, $0) }.map { credential in
            ManagedCredential(
                id: bytes(fido_cred_id_ptr(credential), fido_cred_id_len(credential)),
                userName: fido_cred_user_name(credential).map { String(cString: $0) } ?? "",
                publicKey: bytes(fido_cred_pubkey_ptr(credential), fido_cred_pubkey_len(credential)),
                protection: fido_cred_prot(credential),
                largeBlobKey: bytes(
                    fido_cred_largeblob_key_ptr(credential), fido_cred_largeblob_key_len(credential)))
        }
    }

    func rename(_ id: [UInt8], userID: [UInt8], to name: String, pin: String) throws(LibFIDO2Error) {
        var owned = fido_cred_new()
        defer { fido_cred_free(&owned) }
        let credential = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_cred_set_id(credential, id, id.count))
        try LibFIDO2Error.check(fido_cred_set_user(credential, userID, userID.count, name, name, nil))
        try LibFIDO2Error.check(fido_credman_set_dev_rk(device, credential, pin))
    }

    func deleteCredential(_ id: [UInt8], pin: String) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_credman_del_dev_rk(device, id, id.count, pin))
    }

    // MARK: Fingerprints

    func sensorInfo() throws(LibFIDO2Error) -> (kind: UInt8, samples: UInt8) {
        var owned = fido_bio_info_new()
        defer { fido_bio_info_free(&owned) }
        let info = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_bio_dev_get_info(device, info))
        return (fido_bio_info_type(info), fido_bio_info_max_samples(info))
    }

    /// Enrols a finger, sample by sample, until none is needed; gives up after `limit` of them.
    ///
    /// - Returns: the template's ID, and what was said of each sample.
    func enrolFinger(pin: String, limit: Int = .max) throws(LibFIDO2Error) -> (id: [UInt8], statuses: [UInt8]) {
        var ownedTemplate = fido_bio_template_new()
        var ownedEnrolment = fido_bio_enroll_new()
        defer {
            fido_bio_template_free(&ownedTemplate)
            fido_bio_enroll_free(&ownedEnrolment)
        }
        let template = try LibFIDO2Error.allocated(ownedTemplate)
        let enrolment = try LibFIDO2Error.allocated(ownedEnrolment)
        try LibFIDO2Error.check(fido_bio_dev_enroll_begin(device, template, enrolment, 10_000, pin))
        var statuses = [fido_bio_enroll_last_status(enrolment)]
        while fido_bio_enroll_remaining_samples(enrolment) > 0 {
            guard statuses.count < limit else {
                try LibFIDO2Error.check(fido_bio_dev_enroll_cancel(device))
                break
            }
            try LibFIDO2Error.check(fido_bio_dev_enroll_continue(device, template, enrolment, 10_000))
            statuses.append(fido_bio_enroll_last_status(enrolment))
        }
        return (bytes(fido_bio_template_id_ptr(template), fido_bio_template_id_len(template)), statuses)
    }

    func fingers(pin: String) throws(LibFIDO2Error) -> [[UInt8]: String] {
        var owned = fido_bio_template_array_new()
        defer { fido_bio_template_array_free(&owned) }
        let list = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_bio_dev_get_template_array(device, list, pin))
        var fingers: [[UInt8]: String] = [:]
        for template in (0..<fido_bio_template_array_count(list)).compactMap({ fido_bio_template(list, $0) }) {
            let id = bytes(fido_bio_template_id_ptr(template), fido_bio_template_id_len(template))
            fingers[id] = fido_bio_template_name(template).map { String(cString: $0) } ?? ""
        }
        return fingers
    }

    func nameFinger(_ id: [UInt8], _ name: String, pin: String) throws(LibFIDO2Error) {
        try withTemplate(id) { template throws(LibFIDO2Error) in
            try LibFIDO2Error.check(fido_bio_template_set_name(template, name))
            try LibFIDO2Error.check(fido_bio_dev_set_template_name(device, template, pin))
        }
    }

    func removeFinger(_ id: [UInt8], pin: String) throws(LibFIDO2Error) {
        try withTemplate(id) { template throws(LibFIDO2Error) in
            try LibFIDO2Error.check(fido_bio_dev_enroll_remove(device, template, pin))
        }
    }

    private func withTemplate(
        _ id: [UInt8], _ use: (OpaquePointer) throws(LibFIDO2Error) -> Void
    ) throws(LibFIDO2Error) {
        var owned = fido_bio_template_new()
        defer { fido_bio_template_free(&owned) }
        let template = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_bio_template_set_id(template, id, id.count))
        try use(template)
    }

    // MARK: Large blobs

    func largeBlob(_ key: [UInt8]) throws(LibFIDO2Error) -> [UInt8] {
        var blob: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer { free(blob) }
        try LibFIDO2Error.check(fido_dev_largeblob_get(device, key, key.count, &blob, &count))
        return bytes(blob, count)
    }

    func setLargeBlob(_ blob: [UInt8], key: [UInt8], pin: String?) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_largeblob_set(device, key, key.count, blob, blob.count, pin))
    }

    func removeLargeBlob(_ key: [UInt8], pin: String?) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_largeblob_remove(device, key, key.count, pin))
    }

    /// The CBOR of the large-blob array.
    func largeBlobArray() throws(LibFIDO2Error) -> [UInt8] {
        var array: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer { free(array) }
        try LibFIDO2Error.check(fido_dev_largeblob_get_array(device, &array, &count))
        return bytes(array, count)
    }

    // MARK: Configuration

    func enableEnterpriseAttestation(pin: String) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_enable_entattest(device, pin))
    }

    func toggleAlwaysUV(pin: String?) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_toggle_always_uv(device, pin))
    }

    func forcePINChange(pin: String?) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_force_pin_change(device, pin))
    }

    func setMinimumPINLength(_ length: Int, pin: String?) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_set_pin_minlen(device, length, pin))
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

    /// What a registration and a sign-in with extensions gave.
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

    /// The secrets, the blob and the large-blob key one sign-in gives.
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

/// The bytes libfido2 points at, which last only as long as what holds them.
private func bytes(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count))
}
