internal import DeviceActs

/// Export and import of passkeys as documents of the Credential Exchange Format (FIDO Alliance).
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state.
extension Phone {
    /// Exports passkeys after a verification of the user.
    ///
    /// - Parameters:
    ///   - account: the name of the account; nil for all.
    ///   - relyingParty: the RP ID; nil for all.
    ///   - includesCounting: whether passkeys with a signature counter are exported; the format excludes them.
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
    ///   - document: the document, as ``exportPasskeys(account:relyingParty:includesCounting:)`` returns it.
    ///   - overwrites: whether a passkey that the phone already has is replaced; otherwise it stays the same.
    ///   - skipsDamaged: whether an invalid passkey is skipped; otherwise the whole import is refused.
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
