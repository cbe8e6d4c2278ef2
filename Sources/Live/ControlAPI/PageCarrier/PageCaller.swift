internal import WebAuthnClient

/// The document that makes a request, after the rules for callers (WebAuthn L3 §5.1.3, §5.1.4, §5.9).
struct PageCaller: Sendable {
    let origin: Origin
    /// The origin of the top-level page, for a document with an ancestor of another origin.
    let topOrigin: Origin?

    /// - Throws: ``PageError`` for a document whose origin is opaque, or differs from the origin that the browser states.
    init(_ request: PageRequest) throws(PageError) {
        guard request.seenOrigin != "null" else {
            throw .notAllowed(
                "The current origin is an opaque origin and hence not allowed to access 'PublicKeyCredential' objects.")
        }
        // Only the browser's statement counts. The isolated world sees another origin only when the document has changed.
        guard request.origin == request.seenOrigin, let origin = try? Origin(parsing: request.seenOrigin) else {
            throw .notAllowed("The origin of the document is not known.")
        }
        self.origin = origin
        let top = request.ancestors.last ?? request.seenOrigin
        let isCrossOrigin = request.ancestors.contains { $0 != request.seenOrigin }
        topOrigin = isCrossOrigin ? try? Origin(parsing: top) : nil
        guard request.topOrigin ?? top == top, isCrossOrigin == (topOrigin != nil) else {
            throw .notAllowed("The origin of the top-level page is not known.")
        }
    }

    /// Checks that the document may make a ceremony.
    func requireCeremony(_ request: PageRequest) throws(PageError) {
        let isCrossOrigin = topOrigin != nil
        let feature = request.kind.rawValue
        guard request.permissions?.contains(feature) ?? !isCrossOrigin else {
            throw .notAllowed(
                "The 'publickey-credentials-\(feature)' feature is not enabled in this document. Permissions Policy may be used to "
                    + "delegate Web Authentication capabilities to cross-origin child frames.")
        }
        guard request.kind != .create || !isCrossOrigin || request.hasGesture else {
            throw .notAllowed("A user activation is required to create a credential in a cross-origin iframe.")
        }
        guard !request.isBusy else { throw PageError("OperationError", "A request is already pending.") }
    }

    /// Checks that the document may speak for a relying party (WebAuthn L3 §5.1.10), or throws `SecurityError`.
    func requireOwn(_ relyingPartyID: String) throws(PageError) {
        do {
            _ = try origin.relyingPartyID(claiming: relyingPartyID)
        } catch {
            throw PageError(error.domException.rawValue, words(for: relyingPartyID))
        }
    }

    /// Chromium's words for an RP ID that the document may not use; it looks for related origins of each domain.
    func words(for relyingPartyID: String?) -> String {
        guard (try? origin.relyingPartyID(claiming: nil)) != nil, let relyingPartyID,
            (try? origin.relyingPartyID(claiming: relyingPartyID)) == nil
        else { return PageError.invalidDomain }
        let labels = relyingPartyID.split(separator: ".")
        let isDomain =
            labels.last?.contains { !$0.isNumber } == true
            && relyingPartyID.utf8.allSatisfy { byte in
                byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || Character(UnicodeScalar(byte)).isLetter
                    || Character(UnicodeScalar(byte)).isNumber
            }
        return "The relying party ID is not a registrable domain suffix of, nor equal to the current domain."
            + (isDomain
                ? " Subsequently, an attempt to fetch the .well-known/webauthn resource of the claimed RP ID failed."
                : "")
    }
}
