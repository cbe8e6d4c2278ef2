import CBOR
import CTAP
import Testing
import VirtualAuthenticator

/// The salts of hmac-secret as a platform sends them, and the secrets that it decrypts.
struct Salts: Sendable {
    let input: CBOR.Value
    private let secret: PINUVAuthProtocol.SharedSecret
    private let pinProtocol: PINUVAuthProtocol

    /// - Parameter named: whether the input names its protocol, which is optional for protocol one.
    init(
        _ bench: Bench, _ salts: [[UInt8]], _ wanted: PINUVAuthProtocol? = nil, named: Bool = true
    ) async throws {
        let pinProtocol = wanted ?? bench.favouriteProtocol
        self.pinProtocol = pinProtocol
        let agreement = ClientPINRequest(subCommand: .getKeyAgreement, pinUvAuthProtocol: pinProtocol.rawValue)
        let response = try await ClientPINResponse(cbor: bench.send(.clientPIN, agreement.cbor).value())
        let key = try #require(KeyAgreementKey { [UInt8](repeating: 0x42, count: $0) })
        let peer = try #require(response.keyAgreement)
        secret = try #require(key.sharedSecret(with: peer, protocol: pinProtocol))
        let encrypted = try #require(
            pinProtocol.encrypt(
                salts.flatMap { $0 }, with: secret, initializationVector: [UInt8](repeating: 3, count: 16)))
        var map: CBOR.Map = [
            1: key.publicKey, 2: .bytes(encrypted),
            3: .bytes(pinProtocol.authenticate(encrypted, key: secret.authenticationKey)),
        ]
        if named { map[4] = .integer(pinProtocol.rawValue) }
        input = .map(map)
    }

    /// The secrets inside an output of the extension, one for each salt.
    func secrets(in output: CBOR.Value?) throws -> [[UInt8]] {
        let encrypted = try #require(output).asBytes("output")
        let plain = try #require(pinProtocol.decrypt(encrypted, with: secret))
        return stride(from: 0, to: plain.count, by: 32).map { Array(plain[$0..<min($0 + 32, plain.count)]) }
    }
}
