internal import WebAuthnClient

/// The document that makes a request, after the rules for callers (WebAuthn L3 §5.1.3, §5.1.4, §5.9).
struct PageCaller: Sendable {
    let origin: Origin
    /// The origin of the top-level page, for a document with an ancestor of another origin.
    let topOrigin: Origin?

    /// - Throws: ``PageError`` for a document whose origin is opaque, or differs from the origin that the browser states.
    init(_ request: PageRequest) throws(PageError) {
        guard request.seenOrigin != "null" else { throw .notAllowed("The document has an opaque origin.") }
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
            throw .notAllowed("Permissions Policy does not allow publickey-credentials-\(feature) in this document.")
        }
        guard request.kind != .create || !isCrossOrigin || request.hasGesture else {
            throw .notAllowed("A frame of another origin needs a gesture of the user to create a passkey.")
        }
        guard request.mediation != "silent" else {
            throw PageError("NotSupportedError", "Passkeys cannot be used silently.")
        }
        guard !request.isBusy else { throw PageError("OperationError", "A request is already pending.") }
    }

    /// Checks that the document may speak for a relying party (WebAuthn L3 §5.1.10), or throws `SecurityError`.
    func requireOwn(_ relyingPartyID: String) throws(PageError) {
        do {
            _ = try origin.relyingPartyID(claiming: relyingPartyID)
        } catch {
            throw PageError(error.domException.rawValue, "The RP ID is not a domain of the document.")
        }
    }
}
