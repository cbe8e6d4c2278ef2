internal import COSE
internal import Documents
internal import Foundation
internal import RelyingParty
internal import WebAuthn
internal import WebAuthnClient

/// A captured response of a browser, with the knowledge of its relying party.
package struct Capture: Sendable {
    enum Response: Sendable {
        case registration(RegistrationResponse)
        case authentication(AuthenticationResponse)
    }

    /// Knowledge without which a response can only be decoded.
    package enum Missing: String, Encodable, Sendable {
        case challenge, origin, relyingPartyID, record

        /// The remedy.
        package var words: String {
            switch self {
            case .challenge: "the challenge is missing; add --challenge, or `challenge` to the file"
            case .origin: "the origin is missing; add --origin, or `origin` to the file"
            case .relyingPartyID: "the relying party ID is missing; add --relying-party-id, or `rpId` to the file"
            case .record:
                "the stored credential of the assertion is missing; add --record, or `record` with `publicKey` and "
                    + "`signCount` to the file"
            }
        }
    }

    let response: Response
    /// The expectations; the response's own claims replace missing ones.
    let expectation: CeremonyExpectation
    let settings: CaptureSettings
    /// The user handle of the creation options; nil when the file has none.
    let userHandle: [UInt8]?
    /// Whether the file has the options of a request, and they list no credentials.
    let isOpenRequest: Bool
    let algorithms: [COSE.Algorithm]
    let residentKey: ResidentKeyRequirement
    let extensions: ExtensionPolicy
    let allowed: [[UInt8]]
    let missing: [Missing]
    let notes: [String]

    /// Reads a response as `PublicKeyCredential.toJSON()` gives it, or an object that has it as `response`, with
    /// `options` as the relying party sent them, or `challenge` and `rpId`, and with `origin` and, for an assertion, `record`.
    ///
    /// The bytes of the response and of the record may have the forms in which programs log them.
    ///
    /// - Throws: ``CaptureError`` for another form.
    package init(parsing bytes: [UInt8], _ settings: CaptureSettings) throws(CaptureError) {
        let notes = CaptureNotes(bytes)
        if JSONMistake(in: bytes) != nil, PastedBytes.isCutOff(String(decoding: bytes, as: UTF8.self)) {
            throw CaptureError(
                "the input is not JSON but what a console shows, and bytes are cut off; print all of it with "
                    + "JSON.stringify(credential.toJSON())")
        }
        let whole = try CaptureError.reading("the input", in: bytes) { try JSONValue(parsing: bytes) }
        if whole["ledger"] != nil { throw CaptureError("the file is a report; give it with --record") }
        let isBare = ["rawId", "id", "clientDataJSON"].contains { whole[$0] != nil }
        let around = (whole.object ?? [:]).filter { !isBare || ($0.key != "response" && Self.members.contains($0.key)) }
        let file = CaptureMember(value: .object(around), path: "", notes: notes)
        // The control API answers a ceremony with `credential`.
        let isAnswer = !isBare && whole["response"] == nil && whole["credential"] != nil
        let name = isAnswer ? "credential" : "response"
        guard isBare || whole[name] != nil else {
            throw CaptureError(
                "the file has no response; add `response` with the output of credential.toJSON(), or give that output "
                    + "alone")
        }
        try file.requireKnown(Self.members + (isAnswer ? ["credential", "elapsedSeconds"] : []))
        var settings = settings
        if settings.record == nil, !file["record"].isAbsent {
            settings.record = try CapturedRecord(file["record"])
        }
        let credential = try LoggedCredential(
            isBare ? CaptureMember(value: whole, path: "", notes: notes) : file[name])
        response = try CaptureError.reading("the response", under: isBare ? nil : name) {
            let data = Data(try credential.json.bytes())
            return credential.isRegistration
                ? .registration(try JSONDecoder().decode(RegistrationResponse.self, from: data))
                : .authentication(try JSONDecoder().decode(AuthenticationResponse.self, from: data))
        }
        let options = try OptionsOfCapture(file, isRegistration: credential.isRegistration)
        let claims = ClaimsOfResponse(response)
        let given = settings.challenge.map { CaptureMember(value: .text($0), path: "--challenge", notes: notes) }
        let challenge = try Self.challenge(given ?? file["challenge"], claims) ?? options.challenge
        let origins = settings.origins.isEmpty ? options.origins : settings.origins
        if let problem = origins.lazy.compactMap(Origin.problem).first { throw CaptureError(problem) }
        let relyingPartyID =
            settings.relyingPartyID ?? options.relyingPartyID
            ?? origins.first.flatMap { URL(string: $0)?.host() }
        let lacks: [Missing?] = [
            challenge == nil ? .challenge : nil, origins.isEmpty ? .origin : nil,
            relyingPartyID == nil ? .relyingPartyID : nil,
            !credential.isRegistration && settings.record == nil ? .record : nil,
        ]
        missing = lacks.compactMap(\.self)
        expectation = CeremonyExpectation(
            relyingPartyID: relyingPartyID ?? claims.relyingPartyID, challenge: challenge ?? claims.challenge,
            challengeState: .current, origins: origins.isEmpty ? claims.origins : origins,
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
        isOpenRequest = options.isGiven && options.allowed.isEmpty
        self.settings = settings
        self.notes = notes.all + (settings.record?.notes ?? [])
    }

    /// The challenge; a text that the client data repeats is base64url, even if it looks like another form.
    private static func challenge(
        _ member: CaptureMember, _ claims: ClaimsOfResponse
    ) throws(CaptureError) -> [UInt8]? {
        if let text = member.value?.text, text == Base64URL.encode(claims.challenge) { return claims.challenge }
        return try member.pasted()?.bytes
    }
}

/// The claims of a response about itself.
private struct ClaimsOfResponse {
    var challenge: [UInt8] = []
    var origins: [String] = []
    /// The host of the origin, or the domain above it whose hash the authenticator data has.
    var relyingPartyID = ""

    init(_ response: Capture.Response) {
        let (clientDataJSON, data): ([UInt8], [UInt8]) =
            switch response {
            case .registration(let response):
                (
                    response.response.clientDataJSON.bytes,
                    (try? AttestationObject(parsing: response.response.attestationObject.bytes, inAnyOrder: true))?
                        .authenticatorData ?? []
                )
            case .authentication(let response):
                (response.response.clientDataJSON.bytes, response.response.authenticatorData.bytes)
            }
        guard let clientData = try? CollectedClientData(parsing: clientDataJSON) else { return }
        challenge = Base64URL.decode(clientData.challenge) ?? []
        origins = [clientData.origin]
        let labels = (URL(string: clientData.origin)?.host() ?? "").split(separator: ".")
        let domains = labels.indices.map { labels[$0...].joined(separator: ".") }
        relyingPartyID = domains.first { sha256(Array($0.utf8)) == Array(data.prefix(32)) } ?? domains.first ?? ""
    }
}

/// The options of a file, in a member of its own or in the form in which a relying party sends them.
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
    /// Whether the file has the options.
    var isGiven = false

    init(_ file: CaptureMember, isRegistration: Bool) throws(CaptureError) {
        // Some servers wrap the options as navigator.credentials takes them.
        let whole = file["options"]
        let options = whole["publicKey"].isAbsent ? whole : whole["publicKey"]
        if !options.isAbsent, options.value?.object == nil { throw options.wrong("is not an object") }
        isGiven = !options.isAbsent
        challenge = try options["challenge"].bytes()
        if isRegistration { try readCreation(options) } else { try readRequest(options) }
        try Self.check(options["extensions"])
        relyingPartyID = try file["rpId"].text() ?? relyingPartyID
        let origin = file["origin"]
        if origin.value?.array == nil {
            origins = try origin.text().map { [$0] } ?? []
        } else {
            for item in try origin.items() { origins += try item.text().map { [$0] } ?? [] }
        }
    }

    /// Refuses inputs of extensions that a browser cannot read.
    private static func check(_ extensions: CaptureMember) throws(CaptureError) {
        let values = extensions["prf"]["evalByCredential"]
        let each = (values.value?.object?.keys.sorted() ?? []).map { values[$0] }
        for id in values.value?.object?.keys.sorted() ?? [] where Base64URL.decode(id) == nil {
            throw values.wrong("has the key \"\(id)\", which is not base64url")
        }
        for prf in [extensions["prf"]["eval"]] + each { for name in ["first", "second"] { _ = try prf[name].bytes() } }
        for member in [extensions["largeBlob"]["write"], extensions["credBlob"]] { _ = try member.bytes() }
    }

    private mutating func readCreation(_ options: CaptureMember) throws(CaptureError) {
        let selection = options["authenticatorSelection"]
        relyingPartyID = try options["rp"]["id"].text()
        userHandle = try options["user"]["id"].bytes()
        // A browser refuses the options with these members in another form, although no step looks at them.
        for item in try options["excludeCredentials"].items() { _ = try item["id"].bytes() }
        userVerification = try selection["userVerification"].choice()
        for item in try options["pubKeyCredParams"].items() {
            guard let number = try item["alg"].number(Int(Int32.min)...Int(Int32.max)) else { continue }
            algorithms.append(COSE.Algorithm(rawValue: number))
        }
        let isRequired = try selection["requireResidentKey"].flag() ?? false
        residentKey = try selection["residentKey"].choice() ?? (isRequired ? .required : .discouraged)
        extensions = ExtensionPolicy(requested: Set(options["extensions"].value?.object?.keys.map(\.self) ?? []))
    }

    private mutating func readRequest(_ options: CaptureMember) throws(CaptureError) {
        relyingPartyID = try options["rpId"].text()
        userVerification = try options["userVerification"].choice()
        for item in try options["allowCredentials"].items() { allowed += try item["id"].bytes().map { [$0] } ?? [] }
    }
}
