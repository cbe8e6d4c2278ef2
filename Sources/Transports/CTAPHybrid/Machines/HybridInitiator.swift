internal import CTAP

/// The other end of a hybrid connection, such as a browser, as a state machine: events in, actions out.
///
/// It has no socket, radio or clock. Its owner passes adverts and what happens on the tunnel, and performs the actions in
/// order. A limit of time is the owner's: ``Event/close`` ends the connection.
///
/// By QR code, the advert leads to the tunnel (CTAP 2.3 §11.5). A linked phone is first contacted through its tunnel
/// service, and the advert proves that it is near.
package struct HybridInitiator: Sendable {
    package enum Event: Hashable, Sendable {
        /// Service data under one of the ``HybridService``s.
        case advert([UInt8])
        /// The tunnel is open; the service may announce that it signals the phone's connection with one byte 0.
        case tunnelOpened(signalsConnection: Bool)
        /// The service refused the tunnel with an HTTP status, or was not reached; the reason is a text with the remedy.
        case tunnelFailed(status: Int?, reason: String? = nil)
        /// A binary WebSocket message.
        case frame([UInt8])
        case tunnelClosed
        /// Send a CTAP command: the command byte and its parameters.
        case send([UInt8])
        /// End the connection.
        case close
    }

    package enum Action: Hashable, Sendable {
        case openTunnel(TunnelRequest)
        case send([UInt8])
        /// The phone is connected to the tunnel service.
        case phoneConnected
        /// Commands may be sent: getInfo's answer without a status, nil for a phone without CTAP.
        case ready(info: [UInt8]?, HybridRevision)
        /// The answer to the command: the status and its parameters.
        case deliver([UInt8])
        /// Keep the link, in place of an earlier one with the same key.
        case keep(LinkedPhone)
        /// Forget the link: the tunnel service no longer knows it.
        case forget(LinkedPhone)
        /// Nothing happens, for this reason; a kept link stays.
        case ignore(HybridRefusal)
        /// Close the tunnel; no action follows.
        case close(HybridEnd)
    }

    private enum Peer: Sendable {
        case code(identity: HybridKey, secret: [UInt8])
        case link(LinkedPhone, payload: ClientPayload)
    }

    private let peer: Peer
    private let eidKey: EIDKey
    private let ephemeralKey: HybridKey
    private var plaintext: AdvertPlaintext?
    private var isTunnelOpen = false
    private var awaitsSignal = false
    private var handshake: HandshakeInitiator?
    private var crypter: HybridCrypter?
    private var handshakeHash: [UInt8] = []
    private var revision = HybridRevision.version21
    private var info: [UInt8]?

    package private(set) var stage = HybridStage.discovery

    /// The other end of a QR code.
    ///
    /// - Parameters:
    ///   - identity: the key pair of the code's public key.
    ///   - secret: the code's secret.
    ///   - ephemeralKey: a new key.
    package init(identity: HybridKey, secret: [UInt8], ephemeralKey: HybridKey) {
        peer = .code(identity: identity, secret: secret)
        eidKey = EIDKey(secret: secret)
        self.ephemeralKey = ephemeralKey
    }

    /// The other end of a link; call ``start()`` next.
    ///
    /// - Parameters:
    ///   - clientNonce: 16 new random bytes.
    ///   - ephemeralKey: a new key.
    package init(link: LinkedPhone, clientNonce: [UInt8], operation: QROperation?, ephemeralKey: HybridKey) {
        peer = .link(
            link, payload: ClientPayload(linkID: link.linkID, clientNonce: clientNonce, operation: operation))
        eidKey = EIDKey(secret: link.linkSecret, clientNonce: clientNonce)
        self.ephemeralKey = ephemeralKey
    }

    /// Opens the tunnel to a linked phone; by QR code nothing happens before the advert.
    package mutating func start() -> [Action] {
        guard case .link(let link, let payload) = peer, stage == .discovery else { return [] }
        stage = .tunnel
        return [
            .openTunnel(
                TunnelRequest(
                    domain: link.domain, endpoint: .contact(contactID: link.contactID), clientPayload: payload))
        ]
    }

    package mutating func handle(_ event: Event) -> [Action] {
        guard stage != .closed else { return [] }
        switch event {
        case .advert(let data): return see(data)
        case .tunnelOpened(let signalsConnection): return openTunnel(signalsConnection)
        case .tunnelFailed(let status, let reason): return fail(status, reason)
        case .frame(let frame): return awaitsSignal ? signal(frame) : receive(frame)
        case .tunnelClosed: return close(.tunnelClosed(stage))
        case .send(let command): return send(command)
        case .close: return finish()
        }
    }

    // MARK: Discovery and tunnel

    private mutating func see(_ data: [UInt8]) -> [Action] {
        // A phone repeats its advert; only the first counts.
        guard plaintext == nil else { return [] }
        let opened: OpenedAdvert
        do {
            opened = try eidKey.open(data)
        } catch {
            return [.ignore(.advert(error))]
        }
        guard case .code(_, let secret) = peer else {
            plaintext = opened.plaintext
            return beginHandshake()
        }
        let domain = opened.plaintext.domain
        guard domain.host != nil else { return [.ignore(.unassignedDomain(domain))] }
        plaintext = opened.plaintext
        stage = .tunnel
        let tunnelID = KeyPurpose.tunnelID.derive(from: secret)
        return [
            .openTunnel(
                TunnelRequest(domain: domain, endpoint: .connect(opened.plaintext.routingID, tunnelID: tunnelID)))
        ]
    }

    private mutating func openTunnel(_ signalsConnection: Bool) -> [Action] {
        guard stage == .tunnel, !isTunnelOpen else { return [.ignore(.unexpected(stage))] }
        isTunnelOpen = true
        awaitsSignal = signalsConnection
        return beginHandshake()
    }

    private mutating func fail(_ status: Int?, _ reason: String?) -> [Action] {
        guard stage == .tunnel, !isTunnelOpen else { return [.ignore(.unexpected(stage))] }
        let end = close(.refused(.tunnel(status: status, reason: reason)))
        guard case .link(let link, _) = peer, status == TunnelRequest.goneStatus else { return end }
        return [.forget(link)] + end
    }

    private mutating func signal(_ frame: [UInt8]) -> [Action] {
        guard frame == [0] else { return close(.refused(.connectionSignal)) }
        awaitsSignal = false
        return [.phoneConnected]
    }

    // MARK: Handshake

    /// Sends the first handshake message when both the advert was seen and the tunnel is open.
    private mutating func beginHandshake() -> [Action] {
        guard isTunnelOpen, let plaintext, handshake == nil else { return [] }
        stage = .handshake
        do {
            let begun =
                switch peer {
                case .code(let identity, let secret):
                    try HandshakeInitiator(
                        identity: .own(identity),
                        preSharedKey: KeyPurpose.preSharedKey.derive(from: secret, salt: plaintext.bytes),
                        ephemeralKey: ephemeralKey)
                case .link(let link, _):
                    try HandshakeInitiator(
                        identity: .peer(link.publicKey),
                        preSharedKey: KeyPurpose.preSharedKey.derive(from: link.linkSecret, salt: plaintext.bytes),
                        ephemeralKey: ephemeralKey)
                }
            handshake = begun
            return [.send(begun.message)]
        } catch {
            return close(.refused(.handshake(error)))
        }
    }

    private mutating func receive(_ frame: [UInt8]) -> [Action] {
        do throws(HybridRefusal) {
            switch stage {
            case .handshake: try finishHandshake(frame)
            case .firstMessage: return try readFirstMessage(frame)
            case .ready, .command: return try read(frame)
            case .discovery, .tunnel, .closed: throw .unexpected(stage)
            }
            return []
        } catch {
            return close(.refused(error))
        }
    }

    private mutating func finishHandshake(_ frame: [UInt8]) throws(HybridRefusal) {
        guard let handshake else { throw .unexpected(stage) }
        do {
            let result = try handshake.finish(frame)
            crypter = HybridCrypter(result, construction: nil)
            handshakeHash = result.hash
            stage = .firstMessage
        } catch {
            throw .handshake(error)
        }
    }

    private mutating func readFirstMessage(_ frame: [UInt8]) throws(HybridRefusal) -> [Action] {
        let text = try open(frame)
        do {
            let (message, revision, linkingError) = try FirstMessage.read(text)
            self.revision = revision
            info = message.info
            stage = .ready
            var actions = [Action.ready(info: message.info, revision)]
            if let linkingError { actions.append(.ignore(.linking(linkingError))) }
            if let linking = message.linking { actions.append(link(linking)) }
            return actions
        } catch {
            throw .firstMessage(error)
        }
    }

    // MARK: Messages

    private mutating func read(_ frame: [UInt8]) throws(HybridRefusal) -> [Action] {
        let text = try open(frame)
        let message: HybridFrame
        do { message = try HybridFrame(text, revision) } catch { throw .frame(error) }
        switch message {
        case .ctap(let answer):
            guard stage == .command else { throw .unsolicitedAnswer }
            stage = .ready
            return [.deliver(answer)]
        case .update(let payload): return update(payload)
        case .shutdown: throw .wrongDirection
        case .json: throw .json
        }
    }

    /// A malformed update, or one without proof, neither ends the connection nor touches a kept link.
    private func update(_ payload: [UInt8]) -> [Action] {
        do {
            return try UpdateMessage.read(payload).map { [link($0)] } ?? []
        } catch {
            return [.ignore(.linking(error))]
        }
    }

    private func link(_ information: LinkingInformation) -> Action {
        guard case .code(let identity, _) = peer, let domain = plaintext?.domain else {
            return .ignore(.linking(.notByQRCode))
        }
        do {
            try information.verify(with: identity, handshakeHash: handshakeHash)
            return .keep(LinkedPhone(information, domain: domain))
        } catch {
            return .ignore(.linking(error))
        }
    }

    private mutating func send(_ command: [UInt8]) -> [Action] {
        guard stage != .command else { return [.ignore(.commandInFlight)] }
        guard stage == .ready, !command.isEmpty else { return [.ignore(.unexpected(stage))] }
        // The first message has the answer already.
        if command == [CTAPCommand.getInfo.rawValue], let info {
            return [.deliver([CTAPStatus.ok.rawValue] + info)]
        }
        do throws(HybridRefusal) {
            let frame = try seal(.ctap(command))
            stage = .command
            return [.send(frame)]
        } catch {
            return close(.refused(error))
        }
    }

    private mutating func finish() -> [Action] {
        guard stage == .ready || stage == .command, revision == .version21, let frame = try? seal(.shutdown) else {
            return close(.finished)
        }
        return [.send(frame)] + close(.finished)
    }

    private mutating func close(_ end: HybridEnd) -> [Action] {
        stage = .closed
        return [.close(end)]
    }

    private mutating func open(_ frame: [UInt8]) throws(HybridRefusal) -> [UInt8] {
        guard crypter != nil else { throw .unexpected(stage) }
        do { return try crypter?.open(frame) ?? [] } catch { throw .frame(error) }
    }

    private mutating func seal(_ message: HybridFrame) throws(HybridRefusal) -> [UInt8] {
        guard let text = message.encoded(revision), crypter != nil else { throw .unexpected(stage) }
        do { return try crypter?.seal(text) ?? [] } catch { throw .frame(error) }
    }
}
