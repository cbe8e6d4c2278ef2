internal import CBOR
internal import WebAuthn

extension AuthenticatorFault {
    static let keyFaults: [AuthenticatorFault] = [
        key("algorithm", "the key names an algorithm that was not offered") { $0[3] = .integer(-65535) },
        key("algorithm-mismatch", "the key names an algorithm of another curve") {
            $0[3] = .integer($0[3] == -7 ? -36 : -7)
        },
        key("curve", "the key names another curve") { $0[-1] = .integer($0[-1] == 2 ? 3 : 2) },
        key("key-type", "the key names another key type") { $0[1] = .integer($0[1] == 3 ? 2 : 3) },
        key("point-off-curve", "the key is not a point on its curve") { map in
            guard case .bytes(var y)? = map[-3], !y.isEmpty else {
                // A key of one coordinate becomes too short.
                if case .bytes(let x)? = map[-2] { map[-2] = .bytes(Array(x.dropLast())) }
                return
            }
            y[y.count - 1] ^= 0x01
            map[-3] = .bytes(y)
        },
        key("point-compressed", "the key's point is compressed") { $0[-3] = true },
        key("key-parameter-missing", "the key lacks a coordinate") { $0[-2] = nil },
        key("key-parameter-surplus", "the key has a surplus parameter: its private half") {
            $0[-4] = .bytes([UInt8](repeating: 0x42, count: 32))
        },
        key("key-empty", "the key is an empty map") { $0 = [:] },
    ]

    private static func key(
        _ name: String, _ meaning: String, _ change: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> AuthenticatorFault {
        AuthenticatorFault(
            name, meaning, noticedBy: [.credentialKey],
            edit: .authenticatorData { data, _ in
                guard case .map(var map)? = data.attestedCredentialData?.credentialPublicKey else { return }
                change(&map)
                data.attestedCredentialData?.credentialPublicKey = .map(map)
            })
    }
}
