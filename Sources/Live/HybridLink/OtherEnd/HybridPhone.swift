package import CTAP
package import CTAPHybrid
internal import Radio
internal import Synchronization

/// A phone as a device: each command has a connection of its own, by a new QR code or by a link.
///
/// getInfo is answered from the first message of the first connection, which then serves one command.
package actor HybridPhone: CTAPDevice {
    /// The surroundings of the other end.
    package struct Environment: Sendable {
        /// Opens a way, for which ``HybridPhone/close()`` closes.
        package var way: @Sendable () async throws -> HybridWay
        /// Seconds since the Unix epoch.
        package var now: @Sendable () -> UInt64
        /// Returns this many random bytes.
        package var randomBytes: @Sendable (Int) -> [UInt8]
        /// Returns after a time; throws when the task is cancelled.
        package var wait: @Sendable (Duration) async throws -> Void

        package init(
            way: @escaping @Sendable () async throws -> HybridWay, now: @escaping @Sendable () -> UInt64,
            randomBytes: @escaping @Sendable (Int) -> [UInt8],
            wait: @escaping @Sendable (Duration) async throws -> Void
        ) {
            (self.way, self.now, self.randomBytes, self.wait) = (way, now, randomBytes, wait)
        }
    }

    /// The start of a connection.
    package enum Introduction: Hashable, Sendable {
        /// A QR code for each connection.
        case code
        /// The first connection by QR code, which asks the phone for a link; the others by the link.
        case linking
        case link(LinkedPhone)
    }

    /// What the user learns.
    package enum Sign: Hashable, Sendable {
        /// A phone must scan this code.
        case code(QRContents)
        /// A linked phone of this name is called, for the first time.
        case called(String)
        /// The phone's advert was seen.
        case found
        /// Commands may be sent: with each code, and with the first call of a linked phone.
        case connected
        /// The phone gave a link, which takes the place of an earlier one with the same key.
        case linked(LinkedPhone)
        /// The link is no longer valid.
        case forgotten(LinkedPhone)
    }

    /// The time for a phone to scan and to connect.
    package static let usualLimit = Duration.seconds(60)
    /// The time for a connected phone to give a link.
    private static let linkLimit = Duration.seconds(5)

    private let environment: Environment
    private let limit: Duration
    private let show: @Sendable (Sign) -> Void
    private let start: Introduction
    private var introduction: Introduction
    /// The link with which the phone started, when it is no longer valid.
    private var goneLink: LinkedPhone?
    private var way: HybridWay?
    /// A connection that has taken no command yet.
    private var ready: ScannedPhone?
    private var info: [UInt8]?
    private var isBusy = false
    private var hasCalled = false
    private var expected: QROperation

    /// - Parameters:
    ///   - operation: the hint of a code that is shown before the command is known.
    ///   - show: is called with what the user learns.
    package init(
        _ introduction: Introduction, limit: Duration = usualLimit, operation: QROperation = .getAssertion,
        environment: Environment, show: @escaping @Sendable (Sign) -> Void
    ) {
        (start, self.introduction, self.limit, expected) = (introduction, introduction, limit, operation)
        (self.environment, self.show) = (environment, show)
    }

    package nonisolated var takesOneCommand: Bool { true }

    /// Sets the hint of a code that is shown before the command is known.
    package func expect(_ operation: QROperation) { expected = operation }

    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let isInfo = message == [CTAPCommand.getInfo.rawValue]
        if isInfo, let info { return [CTAPStatus.ok.rawValue] + info }
        guard !isBusy else { throw .busy }
        isBusy = true
        defer { isBusy = false }
        // A library between would give a silent device up long before a phone has scanned the code.
        onKeepalive(.processing)
        guard let phone = try await connection(for: message) else { return [CTAPStatus.keepaliveCancel.rawValue] }
        if isInfo, let info { return [CTAPStatus.ok.rawValue] + info }
        ready = nil
        let answer: Result<[UInt8], CTAPDeviceError>
        do {
            answer = .success(try await phone.transceive(message, onKeepalive: { _ in }))
        } catch {
            answer = .failure(error)
        }
        await phone.close()
        return try answer.get()
    }

    /// Ends the connection, and the way.
    package func close() async {
        await ready?.close()
        ready = nil
        await way?.close()
        way = nil
    }

    // MARK: Connecting

    /// A connection without a command; nil for a cancelled task.
    private func connection(for message: [UInt8]) async throws(CTAPDeviceError) -> ScannedPhone? {
        if let ready, await ready.isOpen { return ready }
        let operation: QROperation =
            switch message.first {
            case CTAPCommand.makeCredential.rawValue: .makeCredential
            case CTAPCommand.getAssertion.rawValue: .getAssertion
            default: expected
            }
        do {
            let phone = try await connected(operation)
            ready = phone
            if info == nil { info = await phone.info }
            if case .link = introduction, hasCalled { return phone }
            if case .link = introduction { hasCalled = true }
            show(.connected)
            return phone
        } catch is CancellationError {
            return nil
        } catch let error as CTAPDeviceError {
            throw error
        } catch {
            throw .disconnected("\(error)")
        }
    }

    private func connected(_ operation: QROperation) async throws -> ScannedPhone {
        let way = try await openedWay()
        let (links, offered) = AsyncStream.makeStream(of: Result<LinkedPhone, LinkingError>.self)
        defer { offered.finish() }
        let isFound = Mutex(false)
        let isForgotten = Mutex(false)
        let note: @Sendable (HybridInitiator.Action) -> Void = { [show] action in
            switch action {
            case .openTunnel(let request):
                if case .contact = request.endpoint { break }
                isFound.withLock { $0 = true }
                show(.found)
            case .keep(let link): offered.yield(.success(link))
            case .ignore(.linking(let error)):
                offered.yield(.failure(error))
            case .forget(let link):
                isForgotten.withLock { $0 = true }
                show(.forgotten(link))
            default: break
            }
        }
        switch introduction {
        case .link(let link):
            if let goneLink { throw Self.gone(goneLink) }
            if !hasCalled { show(.called(link.name)) }
            let random = environment.randomBytes
            do {
                return try await inTime({ Self.silence(of: link, limit: $0) }) {
                    try await ScannedPhone.connect(
                        link, operation: operation, way: way, randomBytes: random, note: note)
                }
            } catch {
                if isForgotten.withLock(\.self) { forget(link) }
                throw error
            }
        case .code, .linking:
            let canLink = introduction == .linking
            let code = ScannedPhone.Code(
                operation: operation, now: environment.now(), canLink: canLink, randomBytes: environment.randomBytes)
            guard let code else { throw CTAPDeviceError.disconnected(HybridRefusal.noEphemeralKey.description) }
            show(.code(code.contents))
            let phone = try await inTime({ Self.silence(isFound: isFound.withLock(\.self), limit: $0) }) {
                try await ScannedPhone.connect(code, way: way, note: note)
            }
            guard canLink else { return phone }
            do {
                try await keepLink(links)
            } catch {
                await phone.close()
                throw error
            }
            return phone
        }
    }

    private func openedWay() async throws -> HybridWay {
        if let way { return way }
        let opened = try await environment.way()
        way = opened
        return opened
    }

    /// Waits for the link, which the phone sends after its first message.
    ///
    /// - Throws: `CTAPDeviceError` for a phone that gives none, or one without proof.
    private func keepLink(_ links: AsyncStream<Result<LinkedPhone, LinkingError>>) async throws {
        let offer = try await inTime(Self.noLink, limit: Self.linkLimit) {
            for await offer in links { return offer }
            throw CancellationError()
        }
        switch offer {
        case .success(let link):
            introduction = .link(link)
            show(.linked(link))
        case .failure(let error):
            throw CTAPDeviceError.protocolViolation(
                "the phone's link is not kept: \(error) Mend the phone, or run the command without asking for a link.")
        }
    }

    /// Ends the use of a link that the phone no longer knows: the next command needs a code, where the link came by one.
    private func forget(_ link: LinkedPhone) {
        hasCalled = false
        if case .link = start { goneLink = link } else { introduction = start }
    }

    /// The result of work, which is cancelled when it takes too long.
    private func inTime<Result: Sendable>(
        _ error: @escaping @Sendable (Duration) -> CTAPDeviceError, limit: Duration? = nil,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let limit = limit ?? self.limit
        return try await withThrowingTaskGroup(of: Result?.self) { [wait = environment.wait] group in
            group.addTask { try await work() }
            group.addTask {
                try await wait(limit)
                return nil
            }
            defer { group.cancelAll() }
            // The group has two tasks, so that the first result is there.
            guard let first = try await group.next(), let result = first else { throw error(limit) }
            return result
        }
    }

    private static func silence(isFound: Bool, limit: Duration) -> CTAPDeviceError {
        let seconds = limit.components.seconds
        return .timedOut(
            isFound
                ? "a phone is near, and has not connected within \(seconds) s; look at the phone, and scan a new code"
                : "no phone has scanned the code within \(seconds) s; run the command again, and scan its code")
    }

    private static func noLink(_ limit: Duration) -> CTAPDeviceError {
        .timedOut(
            "the phone is connected, and gave no link within \(limit.components.seconds) s; run the command without asking "
                + "for a link, or use a phone that gives links")
    }

    private static func gone(_ link: LinkedPhone) -> CTAPDeviceError {
        .disconnected("the phone \(link.name) no longer knows this link; link it again with a code")
    }

    private static func silence(of link: LinkedPhone, limit: Duration) -> CTAPDeviceError {
        .timedOut(
            "the linked phone \(link.name) has not connected within \(limit.components.seconds) s; start it, or scan a code"
        )
    }
}
