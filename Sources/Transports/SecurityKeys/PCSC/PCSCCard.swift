internal import CPCSC
package import CTAP
internal import CTAPNFC

/// A card on a reader, reached through pcscd.
///
/// Calls block until the card answers, so the actor runs on a thread of its own.
package actor PCSCCard: APDUChannel {
    /// Whether other programs may use the card meanwhile.
    package enum Sharing: Hashable, Sendable {
        /// No: no other program can interrupt a chain of commands.
        case exclusive
        case shared
    }

    /// The most bytes of a response: 65536 and the status word.
    private static let longestResponse = 65538

    private let executor = BlockingExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package nonisolated let reader: String
    private let sharing: Sharing
    private let context: PCSCContext
    private var card: SCARDHANDLE?
    private var activeProtocol: DWORD = 0
    /// The reason for the loss of the card; nil while it is connected.
    private var loss: CTAPDeviceError?

    private init(_ reader: String, _ sharing: Sharing, _ context: PCSCContext) {
        self.reader = reader
        self.sharing = sharing
        self.context = context
    }

    deinit {
        if let card { SCardDisconnect(card, DWORD(SCARD_UNPOWER_CARD)) }
    }

    /// Connects to the card on a reader, by the name from ``PCSCReader``.
    ///
    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` without this reader or a card on it,
    ///   ``CTAPDeviceError/busy`` when another program uses it.
    package static func connect(
        to reader: String, sharing: Sharing = .exclusive
    ) async throws(CTAPDeviceError) -> PCSCCard {
        let card = PCSCCard(reader, sharing, try PCSCContext())
        try await card.open()
        return card
    }

    private func open() throws(CTAPDeviceError) {
        var handle = SCARDHANDLE()
        try PCSCStatus(
            SCardConnect(context.handle, reader, mode, Self.protocols, &handle, &activeProtocol)
        ).check(reader)
        card = handle
    }

    /// Sends a command APDU; after a failure every later call throws the same error.
    package func transmit(_ apdu: [UInt8]) throws(CTAPDeviceError) -> [UInt8] {
        let card = try connected()
        var header = SCARD_IO_REQUEST(
            dwProtocol: activeProtocol, cbPciLength: DWORD(MemoryLayout<SCARD_IO_REQUEST>.size))
        var response = [UInt8](repeating: 0, count: Self.longestResponse)
        var length = DWORD(response.count)
        var status = PCSCStatus(SCardTransmit(card, &header, apdu, DWORD(apdu.count), nil, &response, &length))
        // Some drivers report success when the card was removed during the command.
        if status == .success, length == 0 { status = .notTransacted }
        do throws(CTAPDeviceError) {
            try status.check(reader)
        } catch {
            disconnect()
            loss = error
            throw error
        }
        return Array(response.prefix(Int(length)))
    }

    /// Switches the card's field off and on: for the card, another tap.
    package func powerCycle() throws(CTAPDeviceError) {
        try PCSCStatus(
            SCardReconnect(try connected(), mode, Self.protocols, DWORD(SCARD_UNPOWER_CARD), &activeProtocol)
        ).check(reader)
    }

    /// Releases the card and switches its power off, which resets it for the next program.
    package func disconnect() {
        if let card { SCardDisconnect(card, DWORD(SCARD_UNPOWER_CARD)) }
        card = nil
    }

    private func connected() throws(CTAPDeviceError) -> SCARDHANDLE {
        guard let card else { throw loss ?? .disconnected("the card on the reader \(reader) was released") }
        return card
    }

    private var mode: DWORD { DWORD(sharing == .exclusive ? SCARD_SHARE_EXCLUSIVE : SCARD_SHARE_SHARED) }
    private static let protocols = DWORD(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1)
}
