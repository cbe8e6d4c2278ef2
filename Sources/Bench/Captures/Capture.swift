internal import COSE
internal import Documents
internal import Foundation
internal import RelyingParty
internal import WebAuthn

/// A captured response of a browser, with what its relying party knew.
package struct Capture: Sendable {
    /// The response of one of the two ceremonies.
    enum Response: Sendable {
        case registration(RegistrationResponse)
        case authentication(AuthenticationResponse)
    }

    let response: Response
    let expectation: CeremonyExpectation
    let settings: CaptureSettings
    /// The user handle of the creation options; nil when the file has none.
    let userHandle: [UInt8]?
    let algorithms: [COSE.Algorithm]
    let residentKey: ResidentKeyRequirement
    let extensions: ExtensionPolicy
    let allowed: [[UInt8]]

    /// Reads a response as `PublicKeyCredential.toJSON()` gives it, or an object that has it as `response`, with
    /// `options` as the relying party sent them, or `challenge` and `rpId`, and with `origin` and, for an assertion, `record`.
    ///
    /// - Throws: ``CaptureError`` for another form, and when the challenge, the origin or the record is missing.
    package init(parsing bytes: [UInt8], _ settings: CaptureSettings) throws(CaptureError) {
        let whole = try CaptureError.reading("the file") { try JSONValue(parsing: bytes) }
        let isBare = whole["rawId"] != nil
        let file: JSONValue = isBare ? .object([:]) : whole
        guard let credential = isBare ? whole : whole["response"] else {
            throw CaptureError(
                "the file is no response; expected what PublicKeyCredential.toJSON() gives, or an object that has it as "
                    + "`response`")
        }
        var settings = settings
        if settings.record == nil, let record = file["record"] {
            settings.record = try CaptureError.reading("`record`") {
                try JSONDecoder().decode(CapturedRecord.self, from: Data(record.bytes()))
            }
        }
        let isRegistration = credential["response"]?["attestationObject"] != nil
        response = try CaptureError.reading("the response") {
            let data = Data(try credential.bytes())
            return isRegistration
                ? .registration(try JSONDecoder().decode(RegistrationResponse.self, from: data))
                : .authentication(try JSONDecoder().decode(AuthenticationResponse.self, from: data))
        }
        let options = try OptionsOfCapture(file, isRegistration: isRegistration)
        guard let challenge = settings.challenge ?? options.challenge else {
            throw CaptureError("the challenge is missing; add --challenge, or `challenge` to the file")
        }
        let origins = settings.origins.isEmpty ? options.origins : settings.origins
        guard let origin = origins.first else {
            throw CaptureError("the origin is missing; add --origin, or `origin` to the file")
        }
        guard let relyingPartyID = settings.relyingPartyID ?? options.relyingPartyID ?? URL(string: origin)?.host()
        else {
            throw CaptureError("the relying party ID is missing; add --relying-party-id, or `rpId` to the file")
        }
        if !isRegistration, settings.record == nil {
            throw CaptureError(
                "the stored credential of the assertion is missing; add --record, or `record` with `publicKey` and "
                    + "`signCount` to the file")
        }
        expectation = CeremonyExpectation(
            relyingPartyID: relyingPartyID, challenge: challenge, challengeState: .current, origins: origins,
            allowsCrossOrigin: settings.allowsCrossOrigin || !settings.topOrigins.isEmpty,
            topOrigins: settings.topOrigins,
            userVerification: settings.userVerification ?? options.userVerification ?? .preferred,
            level: settings.level)
        userHandle = options.userHandle
        let offered = settings.algorithms.isEmpty ? options.algorithms : settings.algorithms
        algorithms = offered.isEmpty ? COSE.Algorithm.supported : offered
        residentKey = options.residentKey
        extensions = options.extensions
        allowed = options.allowed
        self.settings = settings
    }
}

/// What a file says of the options, in a member of its own or in the options as a relying party sends them.
private struct OptionsOfCapture {
    var challenge: [UInt8]?
    var origins: [String] = []
    var relyingPartyID: String?
    var userHandle: [UInt8]?
    var userVerification: UserVerificationRequirement?
    var algorithms: [COSE.Algorithm] = []
    var residentKey = ResidentKeyRequirement.discouraged
    var extensions = ExtensionPolicy()
    var allowed: [[UInt8]] = []

    init(_ file: JSONValue, isRegistration: Bool) throws(CaptureError) {
        if let options = file["options"] {
            // Some servers wrap the options as navigator.credentials takes them.
            let json = options["publicKey"] ?? options
            if isRegistration { try readCreation(json) } else { try readRequest(json) }
        }
        if let text = file["challenge"]?.text {
            guard let bytes = Base64URL.decode(text) else { throw CaptureError("`challenge` is not base64url") }
            challenge = bytes
        }
        origins = file["origin"]?.text.map { [$0] } ?? file["origin"]?.array?.compactMap(\.text) ?? []
        relyingPartyID = file["rpId"]?.text ?? relyingPartyID
    }

    private mutating func readCreation(_ json: JSONValue) throws(CaptureError) {
        let options = try CaptureError.reading("`options`") {
            try JSONDecoder().decode(CreationOptions.self, from: Data(json.bytes()))
        }
        challenge = options.challenge.bytes
        relyingPartyID = options.rp.id
        userHandle = options.user.id.bytes
        userVerification = options.authenticatorSelection?.userVerification
        algorithms = options.pubKeyCredParams.map { COSE.Algorithm(rawValue: $0.alg) }
        residentKey = options.authenticatorSelection?.effectiveResidentKey ?? .discouraged
        extensions = ExtensionPolicy(requested: Set(json["extensions"]?.object?.keys.map(\.self) ?? []))
    }

    private mutating func readRequest(_ json: JSONValue) throws(CaptureError) {
        let options = try CaptureError.reading("`options`") {
            try JSONDecoder().decode(RequestOptions.self, from: Data(json.bytes()))
        }
        challenge = options.challenge.bytes
        relyingPartyID = options.rpId
        userVerification = options.userVerification
        allowed = options.allowCredentials?.map(\.id.bytes) ?? []
    }
}
