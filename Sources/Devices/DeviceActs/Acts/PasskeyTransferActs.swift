internal import CredentialExchange
internal import Documents
internal import SimulatedDevice

/// Exports passkeys; the answer says which, and the result has the document.
struct ExportPasskeys: ScreenAct {
    static let form = Form(
        "export-passkeys",
        "exports passkeys as a document of the Credential Exchange Format, once the user is verified",
        .account(\.request.filter.account), .relyingParty(\.request.filter.relyingPartyID),
        .optional(
            "counting", \.request.includesCounting,
            "yes: also passkeys that count signatures, which the format excludes; default: no"))

    static let isPreparation = true
    static let movesDocument = true

    var request = PasskeyExportRequest()

    var words: String {
        request.filter.isEverything ? "its passkeys are exported" : "\(request.filter.words) is exported"
    }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        let (document, report) = try await device.exportPasskeys(request)
        return DeviceActResult(cause: nil, answer: report.words, document: try document.json.indented())
    }
}

/// Imports the passkeys of a document.
struct ImportPasskeys: ScreenAct {
    static let form = Form(
        "import-passkeys", "imports the passkeys of a document of the Credential Exchange Format",
        .required("document", \.document, of: .document, "the document, as export-passkeys gives it"),
        .account(\.request.filter.account), .relyingParty(\.request.filter.relyingPartyID),
        .optional(
            "existing", \.request.existing,
            "a passkey that the device has, or whose account has another one there; default: keep"),
        .optional(
            "damaged", \.request.damaged,
            "a passkey with mistakes: refuse imports nothing, skip imports the others; default: refuse"))

    static let isPreparation = true
    static let movesDocument = true

    var document = ""
    /// The document's name, for the places of mistakes.
    var documentName = "document"
    var request = PasskeyImportRequest()

    var words: String {
        request.filter.isEverything ? "passkeys are imported" : "\(request.filter.words) is imported"
    }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        let report = try await device.importPasskeys(Array(document.utf8), file: documentName, request)
        guard !report.moved.isEmpty else { return .idle("no passkey is new: \(report.words)") }
        return .told(report.words)
    }
}

extension PasskeyImportRequest.Existing: ActArgument {}
extension PasskeyImportRequest.Damaged: ActArgument {}
