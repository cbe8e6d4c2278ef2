internal import CPCSC
internal import CTAP
internal import Dispatch
internal import Synchronization

/// Watches the readers and their cards, on a thread of its own.
final class PCSCWatch: Sendable {
    /// The pseudo-reader whose state changes when readers arrive or leave.
    private static let plugAndPlay = #"\\?PnP?\Notification"#
    /// The longest wait in milliseconds, because a cancel between two waits is lost.
    private static let longestWait: DWORD = 500

    private struct State {
        var context: PCSCContext?
        var isStopped = false
    }

    private let state = Mutex(State())
    private let yield: @Sendable (Result<[PCSCReader], CTAPDeviceError>) -> Void
    private let onEnd: @Sendable () -> Void

    init(
        yield: @escaping @Sendable (Result<[PCSCReader], CTAPDeviceError>) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.yield = yield
        self.onEnd = onEnd
    }

    func start() {
        DispatchQueue(label: "touchstone.pcsc.watch").async { [self] in
            do throws(CTAPDeviceError) {
                try watch()
            } catch {
                yield(.failure(error))
            }
            onEnd()
        }
    }

    func stop() {
        let context = state.withLock { state in
            state.isStopped = true
            return state.context
        }
        context?.cancel()
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func watch() throws(CTAPDeviceError) {
        let context = try PCSCContext()
        state.withLock { $0.context = context }
        defer { state.withLock { $0.context = nil } }
        var reported: [PCSCReader]?
        var known: [String: DWORD] = [:]
        while !isStopped {
            let names = try context.readerNames()
            known = known.filter { names.contains($0.key) }
            var query = ReaderStates(names, known, readerCount: names.count, plugAndPlay: Self.plugAndPlay)
            // Readers of unknown state end the wait at once.
            let status = query.wait(in: context, milliseconds: Self.longestWait)
            switch status {
            case .success, .timeout: break
            case .cancelled: continue
            // A reader was unplugged since the listing.
            case .unknownReader, .readerUnavailable: continue
            default: try status.check()
            }
            known = query.known
            let readers = query.readers
            if readers != reported {
                reported = readers
                yield(.success(readers))
            }
        }
    }
}

/// The readers of one wait, with their last known states and the states it finds.
private struct ReaderStates {
    private let names: [String]
    private let plugAndPlay: String
    private var states: [SCARD_READERSTATE]

    init(_ names: [String], _ known: [String: DWORD], readerCount: Int, plugAndPlay: String) {
        self.names = names
        self.plugAndPlay = plugAndPlay
        states = names.map { name in
            var state = SCARD_READERSTATE()
            state.dwCurrentState = known[name] ?? DWORD(SCARD_STATE_UNAWARE)
            return state
        }
        var readers = SCARD_READERSTATE()
        // pcsc-lite compares the number of readers in the upper half.
        readers.dwCurrentState = DWORD(readerCount) << 16
        states.append(readers)
    }

    mutating func wait(in context: PCSCContext, milliseconds: DWORD) -> PCSCStatus {
        let pointers = (names + [plugAndPlay]).map { name in
            let bytes = Array(name.utf8CString)
            let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            pointer.initialize(from: bytes, count: bytes.count)
            return pointer
        }
        defer { for pointer in pointers { pointer.deallocate() } }
        for (index, pointer) in pointers.enumerated() { states[index].szReader = UnsafePointer(pointer) }
        return PCSCStatus(SCardGetStatusChange(context.handle, milliseconds, &states, DWORD(states.count)))
    }

    /// The states the wait found, for the next wait to compare with.
    var known: [String: DWORD] {
        var known: [String: DWORD] = [:]
        for (name, state) in zip(names, states) where state.dwEventState & DWORD(SCARD_STATE_UNKNOWN) == 0 {
            known[name] = state.dwEventState & ~DWORD(SCARD_STATE_CHANGED)
        }
        return known
    }

    var readers: [PCSCReader] {
        zip(names, states).compactMap { name, state in
            let event = state.dwEventState
            guard event & DWORD(SCARD_STATE_UNKNOWN) == 0 else { return nil }
            return PCSCReader(name: name, content: Self.content(state))
        }
    }

    private static func content(_ state: SCARD_READERSTATE) -> PCSCReader.Content {
        let event = state.dwEventState
        guard event & DWORD(SCARD_STATE_PRESENT) != 0 else { return .nothing }
        guard event & DWORD(SCARD_STATE_MUTE) == 0 else { return .muteCard }
        let answer = withUnsafeBytes(of: state.rgbAtr) { Array($0.prefix(Int(state.cbAtr))) }
        return .card(answerToReset: answer)
    }
}
