internal import CFIDO2
internal import CTAP
internal import Synchronization

/// Carries whole messages between libfido2 and a ``CTAP/CTAPDevice``, through libfido2's transport functions.
///
/// It reaches keys for which libfido2 has no transport of its own; Debian's build has none for NFC. libfido2 sends a
/// command with `tx` and fetches its answer with `rx`.
final class MessageTransport: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        /// Receives the answer to the current request; each request has a queue of its own.
        var answers = BlockingQueue<[UInt8]?>()
        var nonce: [UInt8] = []
    }

    private let device: any CTAPDevice
    private let u2f: (any U2FDevice)?
    private let state = Mutex(State())

    init(_ device: any CTAPDevice, u2f: (any U2FDevice)?) {
        self.device = device
        self.u2f = u2f
    }

    func cancel() { state.withLock { $0.task?.cancel() } }

    static var functions: fido_dev_transport_t {
        fido_dev_transport_t(
            rx: { device, command, buffer, length, milliseconds in
                guard let transport = LibFIDO2Transports.messages(of: device), let buffer else { return -1 }
                let limit = LibFIDO2Transports.limit(milliseconds)
                guard let answer = transport.receive(command, within: limit), answer.count <= length else { return -1 }
                _ = UnsafeMutableBufferPointer(start: buffer, count: length).update(fromContentsOf: answer)
                return Int32(answer.count)
            },
            tx: { device, command, bytes, length in
                guard let transport = LibFIDO2Transports.messages(of: device) else { return -1 }
                transport.send(command, Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : length)))
                return 0
            })
    }

    private func send(_ command: UInt8, _ payload: [UInt8]) {
        switch command {
        case UInt8(CTAP_CMD_INIT): state.withLock { $0.nonce = payload }
        case UInt8(CTAP_CMD_CANCEL): cancel()
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
        // The answer to CTAPHID_INIT: nonce, channel, protocol 2, version, capabilities (CTAP 2.3 §11.2.9.1.3).
        let capabilities = (device.answersCTAP2 ? UInt8(FIDO_CAP_CBOR) : 0) | (u2f == nil ? UInt8(FIDO_CAP_NMSG) : 0)
        return state.withLock { $0.nonce } + [0, 0, 0, 1, 2, 1, 0, 0, capabilities]
    }
}
