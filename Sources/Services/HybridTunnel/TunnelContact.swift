package import CTAPHybrid

/// The request of another end that reaches for a linked phone (CTAP 2.3 §11.5).
package struct TunnelContact: Hashable, Sendable {
    package let payload: ClientPayload
    /// The tunnel in which the other end waits.
    package let request: TunnelRequest
}

/// The way on which a linked phone learns that another end reaches for it.
package protocol ContactSource: Sendable {
    /// The requests for a contact ID, until the reader's task is cancelled; a later reader of the same ID takes the place of an earlier one.
    ///
    /// - Throws: ``TunnelError``.
    func contacts(of contactID: [UInt8]) async throws(TunnelError) -> AsyncStream<TunnelContact>
}

extension TunnelService: ContactSource {
    package func contacts(of contactID: [UInt8]) -> AsyncStream<TunnelContact> { relay.contacts(of: contactID) }
}
