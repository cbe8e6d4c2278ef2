internal import CBOR
internal import CTAP

/// The extension inputs of one request to a device.
struct ExtensionRequest: Sendable {
    private let info: AuthenticatorInfo
    private(set) var inputs: [String: CBOR.Value] = [:]
    /// The exchange that decrypts prf's results.
    var prf: HMACSecretExchange?

    init(_ info: AuthenticatorInfo) { self.info = info }

    /// Adds an input, if there is one and the device supports the extension.
    mutating func ask(_ identifier: ExtensionIdentifier, _ value: CBOR.Value?) {
        guard let value, info.supports(identifier) else { return }
        inputs[identifier.rawValue] = value
    }

    mutating func ask(_ identifier: ExtensionIdentifier, _ isWanted: Bool) {
        ask(identifier, isWanted ? .bool(true) : nil)
    }
}
