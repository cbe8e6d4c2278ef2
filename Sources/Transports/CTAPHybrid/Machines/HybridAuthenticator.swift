internal import CBOR
internal import CTAP

/// A phone's end of a hybrid connection as a state machine: events in, actions out.
///
/// It has no socket, radio or clock. Its owner performs the actions in order, and reports what happens on the tunnel and
/// the device's answers.
package struct HybridAuthenticator: Sendable {
    package enum Event: Hashable, Sendable {
        /// The tunnel is open; the service's answer had this ``TunnelRequest/routingIDHeader``.
        case tunnelOpened(routingID: String?)
        /// The service refused the tunnel with an HTTP status, or was not reached; the reason is a text with the remedy.
        case tunnelFailed(status: Int?, reason: String? = nil)
        /// A binary WebSocket message.
        case frame([UInt8])
        case tunnelClosed
        /// The device's answer to the command: the status and its parameters.
        case answer([UInt8])
        /// End the connection.
        case close
    }

    package enum Action: Hashable, Sendable {
        case openTunnel(TunnelRequest)
        /// Broadcast the advert until ``stopAdvertising``.
        case advertise(HybridAdvert)
        case stopAdvertising
        /// Send a WebSocket message a time after the one before it.
        case send([UInt8], after: Duration = .zero)
        /// The other end is connected.
        case ready
        /// Perform a CTAP command, and report with ``Event/answer(_:)``.
        case perform([UInt8])
        /// Cancel the command; its answer is no longer needed.
        case cancel
        /// Nothing happens, for this reason.
        case ignore(HybridRefusal)
        /// A deliberate fault has an effect on the actions that follow.
        case apply(HybridFault)
        /// Close the tunnel; no action follows.
        case close(HybridEnd)
    }

    private enum Peer: Sendable {
        case code(QRContents)
        case link(PhoneIdentity, secret: [UInt8], clientNonce: [UInt8], TunnelRequest)
    }

    private let peer: Peer
    private let configuration: PhoneConfiguration
    private let ephemeralKey: HybridKey
    /// Random bytes for the advert, and for a link.
    private let nonce: [UInt8]
    private let linkID: [UInt8]
    private let revision: HybridRevision
    private let construction: FrameConstruction
    private var faults: HybridFaults
    private var preSharedKey: [UInt8] = []
    private var crypter: HybridCrypter?
    private var hasTakenCommand = false
    private var isPerforming = false
    private var isAdvertising = false

    package private(set) var stage = HybridStage.discovery

    /// A phone that has scanned a QR code; nil when the random source gives no key.
    package init?(scanned code: QRContents, _ configuration: PhoneConfiguration, randomBytes: (Int) -> [UInt8]) {
        self.init(
            .code(code), configuration, code.supportsStateAssisted == nil ? .version20 : .version21, randomBytes)
    }

    /// A linked phone that was contacted; nil when the random source gives no key.
    ///
    /// - Parameters:
    ///   - payload: the contact request.
    ///   - request: the tunnel that the service waits at.
    package init?(
        contacted payload: ClientPayload, _ request: TunnelRequest, identity: PhoneIdentity,
        _ configuration: PhoneConfiguration, randomBytes: (Int) -> [UInt8]
    ) {
        let secret = identity.linkSecret(payload.linkID)
        let peer = Peer.link(identity, secret: secret, clientNonce: payload.clientNonce, request)
        self.init(peer, configuration, .version21, randomBytes)
    }

    private init?(
        _ peer: Peer, _ configuration: PhoneConfiguration, _ revision: HybridRevision, _ randomBytes: (Int) -> [UInt8]
    ) {
        guard let key = HybridKey(randomBytes: randomBytes) else { return nil }
        self.peer = peer
        self.configuration = configuration
        faults = configuration.faults
        let older = faults.revision20()
        self.revision = older == nil ? revision : .version20
        construction = older ?? self.revision.usualConstruction
        ephemeralKey = key
        nonce = randomBytes(AdvertPlaintext.length - 1)
        linkID = randomBytes(LinkingInformation.linkIDLength)
    }

    /// Opens the tunnel.
    package mutating func start() -> [Action] { noting(stage == .discovery ? open() : []) }

    package mutating func handle(_ event: Event) -> [Action] { noting(react(to: event)) }

    /// Actions, after the faults that have their effect in them.
    private mutating func noting(_ actions: [Action]) -> [Action] {
        let slowed = actions.map { action in
            guard case .send(let message, let delay) = action else { return action }
            return .send(message, after: delay + faults.messageDelay())
        }
        return faults.takeApplied().map(Action.apply) + slowed
    }

    private mutating func open() -> [Action] {
        stage = .tunnel
        if faults.drops(in: stage) { return close(.tunnelClosed(stage)) }
        switch peer {
        case .code(let code):
            guard code.admitsWebSocket else { return close(.refused(.noCommonChannel)) }
            let tunnelID = KeyPurpose.tunnelID.derive(from: code.secret)
            return [.openTunnel(TunnelRequest(domain: configuration.domain, endpoint: .new(tunnelID: tunnelID)))]
        case .link(_, _, _, let request): return [.openTunnel(request)]
        }
    }

    private mutating func react(to event: Event) -> [Action] {
        guard stage != .closed else { return [] }
        switch event {
        case .tunnelOpened(let routingID): return advertise(routingID)
        case .tunnelFailed(let status, let reason):
            guard stage == .tunnel else { return [.ignore(.unexpected(stage))] }
            return close(.refused(.tunnel(status: status, reason: reason)))
        case .frame(let frame): return receive(frame)
        case .tunnelClosed: return close(.tunnelClosed(stage))
        case .answer(let answer): return send(answer)
        case .close: return close(.finished)
        }
    }

    // MARK: Tunnel and advert

    private mutating func advertise(_ header: String?) -> [Action] {
        guard stage == .tunnel else { return [.ignore(.unexpected(stage))] }
        var plaintext: AdvertPlaintext?
        let secret: [UInt8]
        var clientNonce: [UInt8] = []
        switch peer {
        case .code(let code):
            guard let routingID = header.flatMap({ RoutingID(headerValue: $0) }) else {
                return close(.refused(.noRoutingID))
            }
            plaintext = AdvertPlaintext(
                nonce: Array(nonce.prefix(AdvertPlaintext.nonceLength)), routingID: routingID,
                domain: configuration.domain)
            secret = code.secret
        case .link(_, let linkSecret, let nonceOfClient, _):
            // Without a tunnel to find, everything after the first byte is random.
            plaintext = AdvertPlaintext(uncheckedBytes: [0] + nonce)
            secret = linkSecret
            clientNonce = nonceOfClient
        }
        guard let plaintext = plaintext.map({ faults.plaintext($0) }) else { return close(.refused(.noEphemeralKey)) }
        let key = EIDKey(secret: faults.eidSecret(secret), clientNonce: clientNonce)
        preSharedKey = faults.preSharedKey(KeyPurpose.preSharedKey.derive(from: secret, salt: plaintext.bytes))
        stage = .handshake
        if faults.drops(in: stage) { return close(.tunnelClosed(stage)) }
        let suffix = configuration.suffix?.encoded ?? []
        let advert = HybridAdvert(services: configuration.services, serviceData: key.seal(plaintext) + suffix)
        guard let advert = faults.advert(advert) else { return [] }
        isAdvertising = true
        return [.advertise(advert)]
    }

    // MARK: Handshake

    private mutating func receive(_ frame: [UInt8]) -> [Action] {
        do throws(HybridRefusal) {
            switch stage {
            case .handshake: return try answerHandshake(frame)
            case .ready, .command: return try read(frame)
            default: throw .unexpected(stage)
            }
        } catch {
            return close(.refused(error))
        }
    }

    private mutating func answerHandshake(_ message: [UInt8]) throws(HybridRefusal) -> [Action] {
        let identity: HandshakeResponder.Identity =
            switch peer {
            case .code(let code): .peer(code.publicKey)
            case .link(let identity, _, _, _): .own(identity.key)
            }
        let answer: [UInt8]
        let result: HandshakeResult
        do {
            (answer, result) = try HandshakeResponder.answer(
                message, identity: identity, preSharedKey: preSharedKey, ephemeralKey: ephemeralKey)
        } catch {
            throw .handshake(error)
        }
        crypter = HybridCrypter(result, construction: construction)
        var actions: [Action] = isAdvertising ? [.stopAdvertising] : []
        isAdvertising = false
        guard let answer = faults.handshake(answer) else { return actions }
        actions.append(.send(answer))
        stage = .firstMessage
        if faults.drops(in: stage) { return actions + close(.tunnelClosed(stage)) }
        actions += try sendFirstMessage(result)
        stage = .ready
        return actions + (faults.drops(in: stage) ? close(.tunnelClosed(stage)) : [.ready])
    }

    private mutating func sendFirstMessage(_ result: HandshakeResult) throws(HybridRefusal) -> [Action] {
        let linking = linking(result)
        var message = FirstMessage(info: configuration.info, features: configuration.features)
        if revision == .version20 { message.linking = linking }
        guard let (text, delay) = faults.firstMessage(message, revision) else { return [] }
        var actions = [Action.send(try seal(text), after: delay)]
        if revision == .version21, let linking,
            let text = HybridFrame.update(faults.update(UpdateMessage.encode(linking))).encoded(revision)
        {
            actions.append(.send(try seal(text)))
        }
        return actions
    }

    /// The linking information for the owner of a QR code that can use it.
    private mutating func linking(_ result: HandshakeResult) -> LinkingInformation? {
        guard case .code(let code) = peer, code.supportsStateAssisted == true,
            let information = configuration.identity?
                .information(linkID: linkID, peer: code.publicKey, handshakeHash: result.hash)
        else { return nil }
        return faults.linking(information)
    }

    // MARK: Messages

    private mutating func read(_ frame: [UInt8]) throws(HybridRefusal) -> [Action] {
        let message: HybridFrame
        do {
            guard let text = try crypter?.open(frame) else { throw HybridRefusal.unexpected(stage) }
            message = try HybridFrame(text, revision)
        } catch let error as FrameError {
            throw .frame(error)
        } catch {
            throw .unexpected(stage)
        }
        switch message {
        case .ctap(let command): return try take(command)
        case .shutdown: return close(.shutdown)
        case .json: throw .json
        // No update of the other end is defined.
        case .update(let payload):
            return (try? CBOR.decode(payload, options: .lenient)) == nil ? [.ignore(.linking(.malformed))] : []
        }
    }

    private mutating func take(_ command: [UInt8]) throws(HybridRefusal) -> [Action] {
        if let info = configuration.info, stage == .ready, command == [CTAPCommand.getInfo.rawValue] {
            return try answers([CTAPStatus.ok.rawValue] + info)
        }
        guard !hasTakenCommand || faults.takesFurtherCommands() else { throw .secondCommand }
        guard stage == .ready else { throw .commandInFlight }
        hasTakenCommand = true
        stage = .command
        guard !faults.drops(in: stage) else { return close(.tunnelClosed(stage)) }
        isPerforming = true
        return [.perform(command)]
    }

    private mutating func send(_ answer: [UInt8]) -> [Action] {
        guard isPerforming, !answer.isEmpty else { return [.ignore(.unsolicitedAnswer)] }
        isPerforming = false
        do throws(HybridRefusal) {
            let actions = try answers(answer)
            stage = .ready
            // After a lost answer the phone stays.
            return actions + (actions.isEmpty || faults.takesFurtherCommands() ? [] : close(.finished))
        } catch {
            return close(.refused(error))
        }
    }

    private mutating func answers(_ answer: [UInt8]) throws(HybridRefusal) -> [Action] {
        guard let text = HybridFrame.ctap(answer).encoded(revision) else { return [] }
        var actions: [Action] = []
        for text in faults.answer(text, revision) {
            let (frame, delay) = faults.answerFrame(try seal(text))
            actions.append(.send(frame, after: delay))
        }
        return actions
    }

    private mutating func close(_ end: HybridEnd) -> [Action] {
        var actions: [Action] = isAdvertising ? [.stopAdvertising] : []
        if isPerforming { actions.append(.cancel) }
        isAdvertising = false
        stage = .closed
        return actions + [.close(end)]
    }

    private mutating func seal(_ text: [UInt8]) throws(HybridRefusal) -> [UInt8] {
        do { return try crypter?.seal(text) ?? [] } catch { throw .frame(error) }
    }
}
