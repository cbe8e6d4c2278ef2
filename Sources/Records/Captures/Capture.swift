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
        let file = CaptureMember(value: isBare ? .object([:]) : whole, path: "")
        if whole["ledger"] != nil { throw CaptureError("the file is a report; give it with --record") }
        guard let credential = isBare ? whole : whole["response"] else {
            throw CaptureError(
                "the file has no response; add `response` with the output of credential.toJSON(), or give that output "
                    + "alone")
        }
        try file.requireKnown(["response", "options", "challenge", "origin", "rpId", "record"])
        var settings = settings
        if settings.record == nil, !file["record"].isAbsent {
            settings.record = try CapturedRecord(file["record"])
        }
        let isRegistration = credential["response"]?["attestationObject"] != nil
        response = try CaptureError.reading("the response", under: isBare ? nil : "response") {
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
        if let problem = origins.lazy.compactMap(Origin.problem).first { throw CaptureError(problem) }
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

    init(_ file: CaptureMember, isRegistration: Bool) throws(CaptureError) {
        // Some servers wrap the options as navigator.credentials takes them.
        let whole = file["options"]
        let options = whole["publicKey"].isAbsent ? whole : whole["publicKey"]
        if !options.isAbsent, options.value?.object == nil { throw options.wrong("is not an object") }
        challenge = try options["challenge"].bytes()
        if isRegistration { try readCreation(options) } else { try readRequest(options) }
        challenge = try file["challenge"].bytes() ?? challenge
        relyingPartyID = try file["rpId"].text() ?? relyingPartyID
        let origin = file["origin"]
        if origin.value?.array == nil {
            origins = try origin.text().map { [$0] } ?? []
        } else {
            for item in try origin.items() { origins += try item.text().map { [$0] } ?? [] }
        }
    }

    private mutating func readCreation(_ options: CaptureMember) throws(CaptureError) {
        let selection = options["authenticatorSelection"]
        relyingPartyID = try options["rp"]["id"].text()
        userHandle = try options["user"]["id"].bytes()
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
