package import CTAP
package import CTAPNFC

/// An NFC security key on a reader, as a ``CTAPDevice``.
///
/// ```swift
/// let key = try await NFCSecurityKey.open()
/// let info = try await AuthenticatorClient(key).getInfo()
/// ```
///
/// Over NFC laying the key on the reader is what counts as touching it, once (CTAP 2.3 §5): a key that answers
/// `UP_REQUIRED` (0x3B) wants to be lifted and laid down again, or ``powerCycle()``.
package final class NFCSecurityKey: CTAPDevice, U2FDevice, PowerCyclable {
    /// The name of the reader it lies on.
    package var reader: String { card.reader }
    /// What it said about itself when its application was selected.
    package let version: String
    /// Whether it speaks CTAP1/U2F.
    package let supportsU2F: Bool

    private let card: PCSCCard
    private let client: NFCClient

    private init(_ card: PCSCCard, _ client: NFCClient, version: String, supportsU2F: Bool) {
        self.card = card
        self.client = client
        self.version = version
        self.supportsU2F = supportsU2F
    }

    /// Opens the key on a reader.
    ///
    /// - Parameters:
    ///   - reader: the reader's name or a part of it; nil for any on which a card with a FIDO application lies.
    ///   - configuration: how to speak to the card.
    ///   - sharing: whether other programs may use the key meanwhile.
    /// - Throws: ``CTAPDeviceError`` with what to do about it.
    package static func open(
        reader: String? = nil, configuration: NFCClient.Configuration = NFCClient.Configuration(),
        sharing: PCSCCard.Sharing = .exclusive
    ) async throws(CTAPDeviceError) -> NFCSecurityKey {
        let candidates = try candidates(for: reader, among: try await PCSCReader.all())
        var failure = CTAPDeviceError.disconnected("there is no key on a reader")
        for candidate in candidates {
            do throws(CTAPDeviceError) {
                return try await open(exactly: candidate.name, configuration, sharing)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// The readers that may be meant and have something on them.
    static func candidates(
        for name: String?, among readers: [PCSCReader]
    ) throws(CTAPDeviceError) -> [PCSCReader] {
        guard !readers.isEmpty else { throw .disconnected("pcscd has no reader: plug one in") }
        let names = readers.map(\.name).joined(separator: ", ")
        var meant = readers
        if let name {
            meant = readers.filter { $0.name == name }
            if meant.isEmpty { meant = readers.filter { $0.name.contains(name) } }
            guard !meant.isEmpty else { throw .disconnected("there is no reader \(name); there are: \(names)") }
            guard meant.count == 1 else {
                let several = meant.map(\.name).joined(separator: ", ")
                throw .disconnected("\(name) may be any of these readers: \(several)")
            }
        }
        let occupied = meant.filter { $0.content != .nothing }
        guard !occupied.isEmpty else {
            let place = name == nil ? "any reader (\(names))" : "the reader \(meant[0].name)"
            throw .disconnected("there is no card on \(place): lay the key on it")
        }
        return occupied
    }

    private static func open(
        exactly reader: String, _ configuration: NFCClient.Configuration, _ sharing: PCSCCard.Sharing
    ) async throws(CTAPDeviceError) -> NFCSecurityKey {
        let card = try await PCSCCard.connect(to: reader, sharing: sharing)
        do throws(CTAPDeviceError) {
            let client = try await NFCClient.select(over: card, configuration: configuration)
            return NFCSecurityKey(
                card, client, version: await client.version, supportsU2F: await client.supportsU2F)
        } catch {
            await card.disconnect()
            throw error
        }
    }

    /// Sends one CTAP2 message and returns the answer; a status counts as an answer.
    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await client.transceive(message, onKeepalive: onKeepalive)
    }

    /// Sends one U2F message and returns the response with its status word.
    package func answerU2F(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        try await client.answerU2F(apdu)
    }

    /// Switches the reader's field off and on, which counts as another tap; a key that is gone says so when next asked.
    package func powerCycle() async {
        guard (try? await card.powerCycle()) != nil else { return }
        try? await client.select()
    }

    /// Ends the conversation and lets go of the key.
    package func close() async {
        try? await client.deselect()
        await card.disconnect()
    }
}
