internal import CPCSC
internal import CTAP

/// A connection to pcscd.
///
/// Unchecked, because the handle is a number that pcsc-lite accepts on any thread; a second call on the same context
/// waits for the first, and `SCardCancel` ends a wait.
final class PCSCContext: @unchecked Sendable {
    let handle: SCARDCONTEXT

    init() throws(CTAPDeviceError) {
        var handle = SCARDCONTEXT()
        try PCSCStatus(SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &handle)).check()
        self.handle = handle
    }

    deinit {
        SCardReleaseContext(handle)
    }

    func readerNames() throws(CTAPDeviceError) -> [String] {
        // A reader may arrive between the call for the length and the call for the names.
        for _ in 0..<10 {
            var length = DWORD(0)
            var status = PCSCStatus(SCardListReaders(handle, nil, nil, &length))
            if status == .noReaders { return [] }
            try status.check()
            var names = [CChar](repeating: 0, count: Int(length))
            status = PCSCStatus(SCardListReaders(handle, nil, &names, &length))
            if status == .noReaders { return [] }
            if status == .bufferTooSmall { continue }
            try status.check()
            // Each name ends with a zero byte, and the list with another.
            return names.prefix(Int(length)).split(separator: 0).map {
                String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }
        throw .timedOut("the readers change faster than they can be listed")
    }

    /// Ends a wait on this context, from any thread.
    func cancel() { SCardCancel(handle) }
}
