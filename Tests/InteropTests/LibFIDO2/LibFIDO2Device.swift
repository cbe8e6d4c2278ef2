import CFIDO2
import CTAP

/// A device in libfido2's hands.
///
/// Its calls block until the device has answered: the actor has a thread of its own for them.
actor LibFIDO2Device {
    /// What a registration asks for.
    struct CredentialRequest: Sendable {
        var relyingPartyID = "example.com"
        var userID: [UInt8] = [1, 2, 3]
        var userName = "alice"
        var algorithm = COSE_ES256
        var clientDataHash = [UInt8](repeating: 0x11, count: 32)
        var isDiscoverable = false
        /// Whether the device shall verify the user itself.
        var uv = FIDO_OPT_OMIT
        var excluded: [[UInt8]] = []
    }

    /// What a sign-in asks for.
    struct AssertionRequest: Sendable {
        var relyingPartyID = "example.com"
        var clientDataHash = [UInt8](repeating: 0x22, count: 32)
        var allowed: [[UInt8]] = []
        /// Whether the device shall verify the user itself.
        var uv = FIDO_OPT_OMIT
    }

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

    /// libfido2's device.
    ///
    /// Unchecked, since another thread than the actor's takes it to `fido_dev_cancel`, which is made to be called while
    /// a call of the same device blocks, and which does nothing but write a report.
    struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let executor = BlockingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let handle: Handle
    private let bridge: ReportBridge
    var device: OpaquePointer { handle.pointer }

    private init(_ device: any CTAPDevice) throws(LibFIDO2Error) {
        handle = Handle(pointer: try LibFIDO2Error.allocated(fido_dev_new()))
        bridge = ReportBridge.connect(device)
    }

    /// Opens a device for as long as `use` runs.
    static func with(_ device: any CTAPDevice, _ use: (LibFIDO2Device) async throws -> Void) async throws {
        let opened = try LibFIDO2Device(device)
        do {
            try await opened.open()
            try await use(opened)
        } catch {
            await opened.close()
            throw error
        }
        await opened.close()
    }

    private func open() throws(LibFIDO2Error) {
        fido_init(FIDO_DISABLE_U2F_FALLBACK)
        var io = ReportBridge.io
        try LibFIDO2Error.check(fido_dev_set_io_functions(device, &io))
        try LibFIDO2Error.check(fido_dev_open(device, bridge.path))
        // A device that only ever says it is waiting must not keep a test for ever.
        try LibFIDO2Error.check(fido_dev_set_timeout(device, 20_000))
    }

    private func close() {
        fido_dev_close(device)
        var owned: OpaquePointer? = device
        fido_dev_free(&owned)
        bridge.disconnect()
    }

    /// Pulls the device and plugs it in again.
    nonisolated func powerCycle() async { await bridge.powerCycle() }

    /// Sends CTAPHID_CANCEL for the call that is under way.
    nonisolated func cancel() throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_cancel(handle.pointer))
    }

    // MARK: What it says about itself

    var isFIDO2: Bool { fido_dev_is_fido2(device) }
    var hasPIN: Bool { fido_dev_has_pin(device) }
    var hasUV: Bool { fido_dev_has_uv(device) }
    var supportsPermissions: Bool { fido_dev_supports_permissions(device) }
    var capabilities: UInt8 { fido_dev_flags(device) }

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

    // MARK: Credentials

    func makeCredential(
        _ request: CredentialRequest, pin: String? = nil
    ) throws(LibFIDO2Error) -> LibFIDO2Credential {
        var owned = fido_cred_new()
        defer { fido_cred_free(&owned) }
        let credential = try LibFIDO2Error.allocated(owned)
        try LibFIDO2Error.check(fido_cred_set_type(credential, request.algorithm))
        try LibFIDO2Error.check(
            fido_cred_set_clientdata_hash(credential, request.clientDataHash, request.clientDataHash.count))
        try LibFIDO2Error.check(fido_cred_set_rp(credential, request.relyingPartyID, "Example"))
        try LibFIDO2Error.check(
            fido_cred_set_user(
                credential, request.userID, request.userID.count, request.userName, request.userName, nil))
        try LibFIDO2Error.check(
            fido_cred_set_rk(credential, request.isDiscoverable ? FIDO_OPT_TRUE : FIDO_OPT_OMIT))
        try LibFIDO2Error.check(fido_cred_set_uv(credential, request.uv))
        for id in request.excluded { try LibFIDO2Error.check(fido_cred_exclude(credential, id, id.count)) }
        try LibFIDO2Error.check(fido_dev_make_cred(device, credential, pin))
        return LibFIDO2Credential(credential)
    }

    func getAssertions(
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

    // MARK: Verification, reset, touch

    func setPIN(_ pin: String, old: String? = nil) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_set_pin(device, pin, old))
    }

    func pinRetries() throws(LibFIDO2Error) -> Int32 {
        var count: Int32 = -1
        try LibFIDO2Error.check(fido_dev_get_retry_count(device, &count))
        return count
    }

    func uvRetries() throws(LibFIDO2Error) -> Int32 {
        var count: Int32 = -1
        try LibFIDO2Error.check(fido_dev_get_uv_retry_count(device, &count))
        return count
    }

    func reset() throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_reset(device))
    }

    /// Lets the device wait for a touch, to find out which of several the person means.
    func beginTouch() throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_get_touch_begin(device))
    }

    /// Whether the touch came within a time.
    func wasTouched(within milliseconds: Int32) throws(LibFIDO2Error) -> Bool {
        var touched: Int32 = 0
        try LibFIDO2Error.check(fido_dev_get_touch_status(device, &touched, milliseconds))
        return touched == 1
    }
}

private func strings(_ pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int) -> [String] {
    UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count).compactMap { $0.map { String(cString: $0) } }
}
