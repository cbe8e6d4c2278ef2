package import CTAP
package import CTAPNFC
internal import MachineNeeds

/// An NFC security key on a reader, as a ``CTAPDevice``.
///
/// ```swift
/// let key = try await NFCSecurityKey.open()
/// let info = try await AuthenticatorClient(key).getInfo()
/// ```
///
/// Over NFC, placing the key on the reader counts as one touch (CTAP 2.3 §5). A key that answers `UP_REQUIRED` (0x3B)
/// has to be lifted and placed again, or power-cycled with ``powerCycle()``.
package final class NFCSecurityKey: CTAPDevice, U2FDevice, PowerCyclable {
    package var reader: String { card.reader }
    package let version: String
    package let supportsU2F: Bool

    private let card: PCSCCard
    private let client: NFCClient

    private init(_ card: PCSCCard, _ client: NFCClient, version: String, supportsU2F: Bool) {
        self.card = card
        self.client = client
        self.version = version
        self.supportsU2F = supportsU2F
    }

    /// Opens the key on a reader with this name, or with it as a part; nil takes any reader with a FIDO card.
    package static func open(
        reader: String? = nil, configuration: NFCClient.Configuration = NFCClient.Configuration(),
        sharing: PCSCCard.Sharing = .exclusive
    ) async throws(CTAPDeviceError) -> NFCSecurityKey {
        let candidates = try candidates(for: reader, among: try await PCSCReader.all())
        var failure = CTAPDeviceError.disconnected("no key is on a reader")
        for candidate in candidates {
            do throws(CTAPDeviceError) {
                return try await open(exactly: candidate.name, configuration, sharing)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    static func candidates(for name: String?, among readers: [PCSCReader]) throws(CTAPDeviceError) -> [PCSCReader] {
        guard !readers.isEmpty else {
            throw .disconnected(MachineUse.nfc.pointed("pcscd has no reader; plug one in"))
        }
        let names = readers.map(\.name).joined(separator: ", ")
        var meant = readers
        if let name {
            meant = readers.filter { $0.name == name }
            if meant.isEmpty { meant = readers.filter { $0.name.contains(name) } }
            guard !meant.isEmpty else { throw .disconnected("no reader is named \(name); choose one of \(names)") }
            guard meant.count == 1 else {
                let several = meant.map(\.name).joined(separator: ", ")
                throw .disconnected("\(name) matches several readers; choose one of \(several)")
            }
        }
        let occupied = meant.filter { $0.content != .nothing }
        guard !occupied.isEmpty else {
            let place = name == nil ? "any reader (\(names))" : "the reader \(meant[0].name)"
            throw .disconnected("no card is on \(place); place the key on it")
        }
        return occupied
    }

    private static func open(
        exactly reader: String, _ configuration: NFCClient.Configuration, _ sharing: PCSCCard.Sharing
    ) async throws(CTAPDeviceError) -> NFCSecurityKey {
        let card = try await PCSCCard.connect(to: reader, sharing: sharing)
        do throws(CTAPDeviceError) {
            let client = try await NFCClient.select(over: card, configuration: configuration)
            return NFCSecurityKey(card, client, version: await client.version, supportsU2F: await client.supportsU2F)
        } catch {
            await card.disconnect()
            throw error
        }
    }

    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await client.transceive(message, onKeepalive: onKeepalive)
    }

    package func answerU2F(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        try await client.answerU2F(apdu)
    }

    /// Switches the reader's field off and on, which counts as another tap; a removed key fails the next request.
    package func powerCycle() async {
        guard (try? await card.powerCycle()) != nil else { return }
        try? await client.select()
    }

    package func close() async {
        try? await client.deselect()
        await card.disconnect()
    }
}
