internal import CFIDO2

extension LibFIDO2Device {
    /// The members of getInfo that libfido2 reads.
    package struct Info: Sendable {
        package let versions: [String]
        package let options: [String: Bool]
        package let transports: [String]
        package let aaguid: [UInt8]
        package let protocols: [UInt8]
        package let algorithms: [Int32]
        package let maxMsgSize: UInt64
        package let maxCredentialCountInList: UInt64
        package let maxCredentialIDLength: UInt64
        package let minPINLength: UInt64
        package let firmwareVersion: UInt64
        package let uvAttempts: UInt64
        package let uvModality: UInt64
        package let remainingDiscoverableCredentials: Int64
    }

    package func info() throws(LibFIDO2Error) -> Info {
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

private func strings(_ pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int) -> [String] {
    UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count).compactMap { $0.map { String(cString: $0) } }
}
