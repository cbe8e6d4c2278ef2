import CBOR
import CTAP
import Synchronization

/// A device with prepared answers, which keeps its requests.
final class ScriptedDevice: CTAPDevice {
    private struct State {
        var answers: [Result<[UInt8], CTAPDeviceError>]
        var sent: [[UInt8]] = []
    }

    private let state: Mutex<State>

    init(_ answers: Result<[UInt8], CTAPDeviceError>...) {
        state = Mutex(State(answers: answers))
    }

    var sent: [[UInt8]] { state.withLock { $0.sent } }

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        onKeepalive(.userPresenceNeeded)
        let answer = state.withLock { state -> Result<[UInt8], CTAPDeviceError> in
            state.sent.append(message)
            return state.answers.isEmpty ? .failure(.timedOut("the script is over")) : state.answers.removeFirst()
        }
        return try answer.get()
    }
}

/// A device that knows authenticatorClientPIN alone, with a key of its own, and keeps the requests in clear.
final class PINDevice: CTAPDevice {
    let pinProtocol: PINUVAuthProtocol
    let token: [UInt8]
    private let key: KeyAgreementKey
    private let requests = Mutex<[ClientPINRequest]>([])

    init?(_ pinProtocol: PINUVAuthProtocol, token: [UInt8]) {
        guard let key = KeyAgreementKey(randomBytes: { [UInt8](repeating: 5, count: $0) }) else { return nil }
        self.pinProtocol = pinProtocol
        self.token = token
        self.key = key
    }

    /// The requests after the key agreement.
    var received: [ClientPINRequest] { requests.withLock { $0 } }

    func secret(of request: ClientPINRequest) -> PINUVAuthProtocol.SharedSecret? {
        request.keyAgreement.flatMap { key.sharedSecret(with: $0, protocol: pinProtocol) }
    }

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        guard message.first == 6, let value = try? CBOR.decode(Array(message.dropFirst())),
            let request = try? ClientPINRequest(cbor: value)
        else { return [0x12] }
        if request.subCommand == 2 { return Self.ok(ClientPINResponse(keyAgreement: key.publicKey)) }
        requests.withLock { $0.append(request) }
        guard [5, 6, 9].contains(request.subCommand), let secret = secret(of: request) else { return [0] }
        let vector = [UInt8](repeating: 9, count: 16)
        return Self.ok(
            ClientPINResponse(pinUvAuthToken: pinProtocol.encrypt(token, with: secret, initializationVector: vector)))
    }

    private static func ok(_ response: ClientPINResponse) -> [UInt8] {
        [0] + (response.cbor.map { CBOR.encode($0) } ?? [])
    }
}
