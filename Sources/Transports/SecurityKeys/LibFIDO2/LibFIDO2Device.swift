internal import CFIDO2
internal import Machine
internal import Transports

/// A device driven by libfido2.
///
/// Calls block until the device answers, so the actor runs on a thread of its own.
package actor LibFIDO2Device {
    /// Unchecked, because another thread passes it to `fido_dev_cancel`, which only writes a report and is safe while
    /// another call of the same device blocks.
    package struct Handle: @unchecked Sendable {
        package let pointer: OpaquePointer
    }

    private let executor = BlockingExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The time limit for opening a key, in milliseconds; opening needs no touch.
    private static let openingTimeout: Int32 = 10_000

    package let handle: Handle
    private let connection: LibFIDO2Connection
    private var path: String?
    package var device: OpaquePointer { handle.pointer }

    package init(_ connection: LibFIDO2Connection) throws(LibFIDO2Error) {
        handle = Handle(pointer: try LibFIDO2Error.allocated(fido_dev_new()))
        self.connection = connection
    }

    /// Opens a device for as long as `use` runs.
    package static func with<Result: Sendable>(
        _ connection: LibFIDO2Connection, _ use: (LibFIDO2Device) async throws -> Result
    ) async throws -> Result {
        let opened = try LibFIDO2Device(connection)
        return try await closing({ await opened.close() }) {
            try await withTaskCancellationHandler {
                try await opened.open()
            } onCancel: {
                // Without this a silent key would block until the time limit.
                try? opened.cancel()
            }
            return try await use(opened)
        }
    }

    /// `milliseconds` is the time limit of each later call.
    package func open(timeout milliseconds: Int32 = 60_000) throws(LibFIDO2Error) {
        fido_init(FIDO_DISABLE_U2F_FALLBACK)
        let path: String
        switch connection {
        case .path(let node): path = node
        case .reports(let reports):
            var io = LibFIDO2Transports.io
            try LibFIDO2Error.check(fido_dev_set_io_functions(device, &io))
            path = LibFIDO2Transports.connect(reports: reports)
        case .messages(let messages, let u2f):
            var io = LibFIDO2Transports.io
            var functions = MessageTransport.functions
            try LibFIDO2Error.check(fido_dev_set_io_functions(device, &io))
            try LibFIDO2Error.check(fido_dev_set_transport_functions(device, &functions))
            path = LibFIDO2Transports.connect(messages: MessageTransport(messages, u2f: u2f))
        }
        self.path = path
        // The limit stops a device that sends keepalives without end.
        try LibFIDO2Error.check(fido_dev_set_timeout(device, Self.openingTimeout))
        try LibFIDO2Error.check(fido_dev_open(device, path))
        try LibFIDO2Error.check(fido_dev_set_timeout(device, milliseconds))
    }

    /// Closes and frees the device; it cannot be opened again.
    package func close() {
        fido_dev_close(device)
        var owned: OpaquePointer? = device
        fido_dev_free(&owned)
        if let path { LibFIDO2Transports.disconnect(path) }
    }

    /// Sends CTAPHID_CANCEL for the running call.
    package nonisolated func cancel() throws(LibFIDO2Error) { try LibFIDO2Error.check(fido_dev_cancel(handle.pointer)) }

    /// Sends getInfo, of whose answer libfido2 keeps only the members it knows.
    package func requestInfo() throws(LibFIDO2Error) {
        var owned = fido_cbor_info_new()
        defer { fido_cbor_info_free(&owned) }
        try LibFIDO2Error.check(fido_dev_get_cbor_info(device, try LibFIDO2Error.allocated(owned)))
    }

    // MARK: Verification, reset, touch

    package func setPIN(_ pin: String, old: String? = nil) throws(LibFIDO2Error) {
        try LibFIDO2Error.check(fido_dev_set_pin(device, pin, old))
    }

    package func pinRetries() throws(LibFIDO2Error) -> Int32 {
        var count: Int32 = -1
        try LibFIDO2Error.check(fido_dev_get_retry_count(device, &count))
        return count
    }

    package func uvRetries() throws(LibFIDO2Error) -> Int32 {
        var count: Int32 = -1
        try LibFIDO2Error.check(fido_dev_get_uv_retry_count(device, &count))
        return count
    }

    package func reset() throws(LibFIDO2Error) { try LibFIDO2Error.check(fido_dev_reset(device)) }

    /// Makes the device wait for a touch, by which the user selects one of several devices.
    package func beginTouch() throws(LibFIDO2Error) { try LibFIDO2Error.check(fido_dev_get_touch_begin(device)) }

    package func wasTouched(within milliseconds: Int32) throws(LibFIDO2Error) -> Bool {
        var touched: Int32 = 0
        try LibFIDO2Error.check(fido_dev_get_touch_status(device, &touched, milliseconds))
        return touched == 1
    }
}
