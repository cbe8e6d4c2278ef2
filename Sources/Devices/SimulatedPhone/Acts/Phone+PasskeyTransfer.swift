internal import DeviceActs

/// Passkeys as documents of the Credential Exchange Format.
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state.
extension Phone {
    /// Exports passkeys, once the user is verified.
    ///
    /// - Parameters:
    ///   - account: the name of the account; nil for all.
    ///   - relyingParty: the RP ID; nil for all.
    ///   - includesCounting: also passkeys that count signatures, which the format excludes.
    /// - Returns: the document, in JSON, with the private keys.
    public func exportPasskeys(
        account: String? = nil, relyingParty: String? = nil, includesCounting: Bool = false
    ) throws -> String {
        let result = try perform(
            "export-passkeys",
            ["account": account, "relying-party": relyingParty, "counting": includesCounting ? "yes" : "no"])
        return result.document ?? ""
    }

    /// Imports the passkeys of a document.
    ///
    /// - Parameters:
    ///   - document: the document, as ``exportPasskeys(account:relyingParty:includesCounting:)`` gives it.
    ///   - overwrites: whether a passkey that the phone has is replaced; otherwise it stays as it is.
    ///   - skipsDamaged: whether a passkey with mistakes is left out; otherwise nothing is imported.
    public func importPasskeys(
        _ document: String, overwrites: Bool = false, skipsDamaged: Bool = false
    ) throws {
        try perform(
            "import-passkeys",
            [
                "document": document, "existing": overwrites ? "overwrite" : "keep",
                "damaged": skipsDamaged ? "skip" : "refuse",
            ])
    }
}
