internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import Trace
internal import WebAuthn

extension ControlOperations {
    var ceremonies: [Operation] {
        [
            operation(
                .get, "/v1/devices/{device}/ceremonies", "listCeremonies",
                "List a device's newest ceremonies with their decoded responses", .ceremonies,
                answer: TypedAnswer<[CeremonyRecord]>("At most 50 ceremonies, newest first")
            ) { call in
                let device = try await device(call)
                return device.ceremonies.newest(50, of: device.source)
            }
        ]
    }
}

/// A ceremony that has ended.
struct CeremonyRecord: Codable, Sendable {
    enum Kind: String, Codable, CaseIterable, Sendable {
        case create, get, conditional
    }

    /// Counts up over all devices of this server, from 1.
    let id: Int
    let kind: Kind
    /// The caller: a page's origin, or an app's facet.
    let origin: String?
    let topOrigin: String?
    let rpId: String?
    /// The account name in the options of a registration.
    let userName: String?
    /// The request's options as JSON; nil for a conditional request.
    let options: String?
    /// The accounts of the device's credentials that the options named or allowed at its start.
    let accounts: [String]
    /// The user's acts during it, as in `person` of a scenario.
    let acts: [String]
    /// The start, in seconds since the Unix epoch on the device's clock.
    let at: Double
    /// The time it took on the device's clock.
    let elapsedSeconds: Double
    let error: CeremonyFailure?
    /// The name of the error that a browser's page got, which browsers often word less precisely; nil for a success or
    /// another caller.
    let pageError: String?
    let credentialId: String?
    let clientData: String?
    /// The members of the attestation object, or the parts of an assertion's authenticator data, as indented lines.
    let authenticator: [String]

    init(_ entry: CeremonyJournal.Entry) {
        var (failure, credential): (CeremonyFailure?, JSONValue?) = (nil, nil)
        switch entry.result {
        case .failure(let error): failure = error
        case .success(.credential(let json)): credential = try? JSONValue(parsing: json)
        case .success(.password): break
        }
        func bytes(_ member: String) -> [UInt8]? { credential?["response"]?[member]?.text.flatMap(Base64URL.decode) }
        let clientData = bytes("clientDataJSON").map { String(decoding: $0, as: UTF8.self) }
        let parts =
            bytes("attestationObject").map(ResponseDecoder.attestationObject)
            ?? bytes("authenticatorData").map(ResponseDecoder.authenticatorData) ?? []
        id = entry.id
        kind = entry.call.kind
        origin = entry.call.origin
        topOrigin = entry.call.topOrigin
        rpId = entry.call.relyingPartyID
        userName = entry.call.userName
        options = entry.call.options.flatMap { try? String(decoding: $0.bytes(), as: UTF8.self) }
        accounts = entry.call.accounts
        acts = entry.acts
        at = entry.at
        elapsedSeconds = entry.elapsedSeconds
        error = failure
        pageError = entry.pageError
        credentialId = credential?["id"]?.text
        self.clientData = clientData
        authenticator = parts.flatMap { $0.lines() }
    }
}
