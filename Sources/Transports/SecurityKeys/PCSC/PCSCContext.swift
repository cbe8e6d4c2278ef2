internal import CPCSC
internal import CTAP

/// A connection to pcscd.
///
/// Unchecked, since the handle is a number, and pcsc-lite takes it from any thread; a second call on the same context
/// waits for the first, and `SCardCancel` ends a wait.
final class PCSCContext: @unchecked Sendable {
    let handle: SCARDCONTEXT

    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` when pcscd does not run.
    init() throws(CTAPDeviceError) {
        var handle = SCARDCONTEXT()
        try PCSCStatus(SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &handle)).check()
        self.handle = handle
    }

    deinit {
        SCardReleaseContext(handle)
    }

    /// The names of the readers that are there.
    func readerNames() throws(CTAPDeviceError) -> [String] {
        // Readers may come between the question for the length and that for the names.
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
            // One after the other, each ended by a zero byte, the list by another.
            return names.prefix(Int(length)).split(separator: 0).map {
                String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }
        throw .timedOut("the readers come and go faster than they can be listed")
    }

    /// Ends a wait on this context, on whatever thread.
    func cancel() {
        SCardCancel(handle)
    }
}
