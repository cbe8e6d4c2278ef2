internal import Crypto
internal import WebAuthn

/// The origin of a call, and of the page around it.
struct Caller: Sendable {
    let origin: Origin
    let topOrigin: Origin?
    let tellsTopOrigin: Bool
    let additionalMembers: [CollectedClientData.AdditionalMember]

    /// The client data of a call and its SHA-256 (WebAuthn L3 §5.8.1).
    func clientData(_ type: String, challenge: [UInt8]) -> (json: [UInt8], hash: [UInt8]) {
        var data = CollectedClientData(
            type: type, challenge: challenge, origin: origin.description, crossOrigin: topOrigin != nil,
            topOrigin: tellsTopOrigin ? topOrigin?.description : nil)
        data.additionalMembers = additionalMembers
        let json = data.encoded
        return (json, Array(SHA256.hash(data: json)))
    }
}
