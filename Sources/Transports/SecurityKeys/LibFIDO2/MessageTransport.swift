internal import CFIDO2
internal import CTAP
internal import Synchronization

/// What carries whole messages between libfido2 and a ``CTAP/CTAPDevice``, for libfido2's transport functions: the way
/// to keys that libfido2 has no transport of its own for, as Debian's has none for NFC.
///
/// libfido2 sends a command with `tx` and asks for its answer with `rx`; in between the device works on it.
final class MessageCable: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        /// Where the answer to the request under way goes; the next request has another.
        var answers = BlockingQueue<[UInt8]?>()
        var nonce: [UInt8] = []
    }

    private let device: any CTAPDevice
    private let u2f: (any U2FDevice)?
    private let state = Mutex(State())
    private static let cables = Mutex<[String: MessageCable]>([:])
    private static let count = Atomic<Int>(0)
    private static let patience = 600_000

    init(_ device: any CTAPDevice, u2f: (any U2FDevice)?) {
        self.device = device
        self.u2f = u2f
    }

    /// Makes a cable known; the path is what libfido2 opens.
    static func connect(_ cable: MessageCable) -> String {
        let path = "touchstone-message:\(count.add(1, ordering: .relaxed).newValue)"
        cables.withLock { $0[path] = cable }
        return path
    }

    static func disconnect(_ path: String) {
        let cable = cables.withLock { $0.removeValue(forKey: path) }
        cable?.state.withLock { $0.task?.cancel() }
    }

    /// What libfido2 opens and closes; nothing is read or written this way.
    static var io: fido_dev_io_t {
        fido_dev_io_t(
            open: { path in
                guard let path, let cable = MessageCable.cables.withLock({ $0[String(cString: path)] }) else {
                    return nil
                }
                return Unmanaged.passRetained(cable).toOpaque()
            },
            close: { handle in
                guard let handle else { return }
                Unmanaged<MessageCable>.fromOpaque(handle).release()
            },
            read: { _, _, _, _ in -1 }, write: { _, _, _ in -1 })
    }

    static var transport: fido_dev_transport_t {
        fido_dev_transport_t(
            rx: { device, command, buffer, length, milliseconds in
                guard let cable = MessageCable.of(device), let buffer else { return -1 }
                let limit = milliseconds < 0 ? MessageCable.patience : min(Int(milliseconds), MessageCable.patience)
                guard let answer = cable.receive(command, within: limit), answer.count <= length else { return -1 }
                _ = UnsafeMutableBufferPointer(start: buffer, count: length).update(fromContentsOf: answer)
                return Int32(answer.count)
            },
            tx: { device, command, bytes, length in
                guard let cable = MessageCable.of(device) else { return -1 }
                cable.send(command, Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : length)))
                return 0
            })
    }

    private static func of(_ device: OpaquePointer?) -> MessageCable? {
        guard let device, let handle = fido_dev_io_handle(device) else { return nil }
        return Unmanaged<MessageCable>.fromOpaque(handle).takeUnretainedValue()
    }

    private func send(_ command: UInt8, _ payload: [UInt8]) {
        switch command {
        case UInt8(CTAP_CMD_INIT): state.withLock { $0.nonce = payload }
        case UInt8(CTAP_CMD_CANCEL): state.withLock { $0.task?.cancel() }
        default:
            let isU2F = command == UInt8(CTAP_CMD_MSG)
            state.withLock { state in
                state.task?.cancel()
                let answers = BlockingQueue<[UInt8]?>()
                state.answers = answers
                state.task = Task { [device, u2f, before = state.task] in
                    await before?.value
                    let answer = isU2F ? try? await u2f?.answerU2F(payload) : try? await device.transceive(payload)
                    answers.put([answer])
                }
            }
        }
    }

    private func receive(_ command: UInt8, within milliseconds: Int) -> [UInt8]? {
        guard command == UInt8(CTAP_CMD_INIT) else {
            return state.withLock { $0.answers }.take(within: milliseconds) ?? nil
        }
        // Nonce, channel, protocol 2, version, capabilities: the answer CTAPHID_INIT would have (CTAP 2.3 §11.2.9.1.3).
        let capabilities = UInt8(FIDO_CAP_CBOR) | (u2f == nil ? UInt8(FIDO_CAP_NMSG) : 0)
        return state.withLock { $0.nonce } + [0, 0, 0, 1, 2, 1, 0, 0, capabilities]
    }
}
