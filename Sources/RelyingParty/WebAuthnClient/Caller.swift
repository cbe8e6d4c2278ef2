internal import COSE
internal import WebAuthn

/// The origin of a call, and of the page around it.
struct Caller: Sendable {
    let origin: Origin
    let topOrigin: Origin?
    let environment: ClientEnvironment

    /// The client data of a call and its SHA-256 (WebAuthn L3 §5.8.1).
    func clientData(_ type: String, challenge: [UInt8]) -> (json: [UInt8], hash: [UInt8]) {
        var data = CollectedClientData(
            type: type, challenge: challenge, origin: origin.description, crossOrigin: topOrigin != nil,
            topOrigin: environment.includesTopOrigin ? topOrigin?.description : nil)
        data.additionalMembers = environment.additionalClientData
        let json = data.encoded
        return (json, sha256(json))
    }
}
