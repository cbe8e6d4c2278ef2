internal import CFIDO2
internal import Foundation

extension LibFIDO2Device {
    package struct ManagedCredential: Sendable, Hashable {
        package let id: [UInt8]
        package let userID: [UInt8]
        package let userName: String
        package let userDisplayName: String?
        package let algorithm: Int32
        package let publicKey: [UInt8]
        package let protection: Int32
        package let largeBlobKey: [UInt8]
    }

    // MARK: Credential management

    package func credentialCounts(pin: String) throws(LibFIDO2Error) -> (existing: UInt64, remaining: UInt64) {
        var owned = fido_credman_metadata_new()
        defer { fido_credman_metadata_free(&owned) }
        let metadata = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_credman_get_dev_metadata(device, metadata, pin))
        return (fido_credman_rk_existing(metadata), fido_credman_rk_remaining(metadata))
    }

    package func relyingParties(pin: String) throws(LibFIDO2Error) -> [String] {
        var owned = fido_credman_rp_new()
        defer { fido_credman_rp_free(&owned) }
        let list = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_credman_get_dev_rp(device, list, pin))
        return (0..<fido_credman_rp_count(list)).map { fido_credman_rp_id(list, $0).map { String(cString: $0) } ?? "" }
    }

    package func credentials(of relyingPartyID: String, pin: String) throws(LibFIDO2Error) -> [ManagedCredential] {
        var owned = fido_credman_rk_new()
        defer { fido_credman_rk_free(&owned) }
        let list = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_credman_get_dev_rk(device, relyingPartyID, list, pin))
        return (0..<fido_credman_rk_count(list)).compactMap { fido_credman_rk(list, $0) }.map { credential in
            ManagedCredential(
                id: bytes(fido_cred_id_ptr(credential), fido_cred_id_len(credential)),
                userID: bytes(fido_cred_user_id_ptr(credential), fido_cred_user_id_len(credential)),
                userName: fido_cred_user_name(credential).map { String(cString: $0) } ?? "",
                userDisplayName: fido_cred_display_name(credential).map { String(cString: $0) },
                algorithm: fido_cred_type(credential),
                publicKey: bytes(fido_cred_pubkey_ptr(credential), fido_cred_pubkey_len(credential)),
                protection: fido_cred_prot(credential),
                largeBlobKey: bytes(
                    fido_cred_largeblob_key_ptr(credential), fido_cred_largeblob_key_len(credential)))
        }
    }

    package func rename(
        _ id: [UInt8], userID: [UInt8], to name: String, displayName: String? = nil, pin: String
    ) throws(LibFIDO2Error) {
        var owned = fido_cred_new()
        defer { fido_cred_free(&owned) }
        let credential = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_cred_set_id(credential, id, id.count))
        try LibFIDO2Error.check(fido_cred_set_user(credential, userID, userID.count, name, displayName ?? name, nil))
        try LibFIDO2Error.check(fido_credman_set_dev_rk(device, credential, pin))
    }

    package func deleteCredential(_ id: [UInt8], pin: String) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_credman_del_dev_rk(device, id, id.count, pin))
    }

    // MARK: Fingerprints

    package func sensorInfo() throws(LibFIDO2Error) -> (kind: UInt8, samples: UInt8) {
        var owned = fido_bio_info_new()
        defer { fido_bio_info_free(&owned) }
        let info = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_bio_dev_get_info(device, info))
        return (fido_bio_info_type(info), fido_bio_info_max_samples(info))
    }

    /// The template's ID; `onSample` is called with each sample's status and the number still needed; false cancels.
    package func enrolFinger(
        pin: String, onSample: (_ status: UInt8, _ remaining: UInt8) -> Bool
    ) throws(LibFIDO2Error) -> [UInt8] {
        var ownedTemplate = fido_bio_template_new()
        var ownedEnrolment = fido_bio_enroll_new()
        defer {
            fido_bio_template_free(&ownedTemplate)
            fido_bio_enroll_free(&ownedEnrolment)
        }
        let template = try LibFIDO2Error.allocated(ownedTemplate)
        let enrolment = try LibFIDO2Error.allocated(ownedEnrolment)
        try LibFIDO2Error.check(fido_bio_dev_enroll_begin(device, template, enrolment, 10_000, pin))
        while true {
            let remaining = fido_bio_enroll_remaining_samples(enrolment)
            let goesOn = onSample(fido_bio_enroll_last_status(enrolment), remaining)
            if remaining == 0 { break }
            guard goesOn else {
                try LibFIDO2Error.check(fido_bio_dev_enroll_cancel(device))
                break
            }
            try LibFIDO2Error.check(fido_bio_dev_enroll_continue(device, template, enrolment, 10_000))
        }
        return bytes(fido_bio_template_id_ptr(template), fido_bio_template_id_len(template))
    }

    package func fingers(pin: String) throws(LibFIDO2Error) -> [[UInt8]: String] {
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

    package func nameFinger(_ id: [UInt8], _ name: String, pin: String) throws(LibFIDO2Error) {
        try withTemplate(id) { template throws(LibFIDO2Error) in
            try LibFIDO2Error.check(fido_bio_template_set_name(template, name))
            try LibFIDO2Error.check(fido_bio_dev_set_template_name(device, template, pin))
        }
    }

    package func removeFinger(_ id: [UInt8], pin: String) throws(LibFIDO2Error) {
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

    package func largeBlob(_ key: [UInt8]) throws(LibFIDO2Error) -> [UInt8] {
        var blob: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer { free(blob) }
        try LibFIDO2Error.check(fido_dev_largeblob_get(device, key, key.count, &blob, &count))
        return bytes(blob, count)
    }

    package func setLargeBlob(_ blob: [UInt8], key: [UInt8], pin: String?) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_largeblob_set(device, key, key.count, blob, blob.count, pin))
    }

    package func removeLargeBlob(_ key: [UInt8], pin: String?) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_largeblob_remove(device, key, key.count, pin))
    }

    // MARK: Configuration

    package func enableEnterpriseAttestation(pin: String) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_enable_entattest(device, pin))
    }

    package func toggleAlwaysUV(pin: String?) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_toggle_always_uv(device, pin))
    }

    package func forcePINChange(pin: String?) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_force_pin_change(device, pin))
    }

    package func setMinimumPINLength(_ length: Int, pin: String?) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_set_pin_minlen(device, length, pin))
    }
}
