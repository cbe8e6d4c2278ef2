internal import Crypto
internal import WebAuthn

/// Where a call comes from: the origin, and the page around it.
struct Caller: Sendable {
    let origin: Origin
    let topOrigin: Origin?

    /// The client data of a call and its SHA-256 (WebAuthn L3 §5.8.1).
    func clientData(_ type: String, challenge: [UInt8]) -> (json: [UInt8], hash: [UInt8]) {
        let json = CollectedClientData(
            type: type, challenge: challenge, origin: origin.description, crossOrigin: topOrigin != nil,
            topOrigin: topOrigin?.description
        ).encoded
        return (json, Array(SHA256.hash(data: json)))
    }
}
