import CFIDO2
import SecurityKeys

extension LibFIDO2Device {
    /// The members of getInfo that libfido2 reads.
    struct Info: Sendable {
        let versions: [String]
        let options: [String: Bool]
        let transports: [String]
        let aaguid: [UInt8]
        let protocols: [UInt8]
        let algorithms: [Int32]
        let maxMsgSize: UInt64
        let maxCredentialCountInList: UInt64
        let maxCredentialIDLength: UInt64
        let minPINLength: UInt64
        let firmwareVersion: UInt64
        let uvAttempts: UInt64
        let uvModality: UInt64
        let remainingDiscoverableCredentials: Int64
    }

    func info() throws(LibFIDO2Error) -> Info {
        var owned = fido_cbor_info_new()
        defer { fido_cbor_info_free(&owned) }
        let info = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_dev_get_cbor_info(device, info))
        let names = strings(fido_cbor_info_options_name_ptr(info), fido_cbor_info_options_len(info))
        let values = UnsafeBufferPointer(
            start: fido_cbor_info_options_value_ptr(info), count: fido_cbor_info_options_len(info))
        return Info(
            versions: strings(fido_cbor_info_versions_ptr(info), fido_cbor_info_versions_len(info)),
            options: Dictionary(uniqueKeysWithValues: zip(names, values)),
            transports: strings(fido_cbor_info_transports_ptr(info), fido_cbor_info_transports_len(info)),
            aaguid: Array(
                UnsafeBufferPointer(
                    start: fido_cbor_info_aaguid_ptr(info), count: fido_cbor_info_aaguid_len(info))),
            protocols: Array(
                UnsafeBufferPointer(
                    start: fido_cbor_info_protocols_ptr(info), count: fido_cbor_info_protocols_len(info))),
            algorithms: (0..<fido_cbor_info_algorithm_count(info)).map { fido_cbor_info_algorithm_cose(info, $0) },
            maxMsgSize: fido_cbor_info_maxmsgsiz(info),
            maxCredentialCountInList: fido_cbor_info_maxcredcntlst(info),
            maxCredentialIDLength: fido_cbor_info_maxcredidlen(info), minPINLength: fido_cbor_info_minpinlen(info),
            firmwareVersion: fido_cbor_info_fwversion(info), uvAttempts: fido_cbor_info_uv_attempts(info),
            uvModality: fido_cbor_info_uv_modality(info),
            remainingDiscoverableCredentials: fido_cbor_info_rk_remaining(info))
    }
}

extension LibFIDO2Device {
    var isFIDO2: Bool { fido_dev_is_fido2(device) }
    var hasPIN: Bool { fido_dev_has_pin(device) }
    var hasUV: Bool { fido_dev_has_uv(device) }
    var supportsPermissions: Bool { fido_dev_supports_permissions(device) }
    var capabilities: UInt8 { fido_dev_flags(device) }
}

private func strings(_ pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int) -> [String] {
    UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count).compactMap { $0.map { String(cString: $0) } }
}
