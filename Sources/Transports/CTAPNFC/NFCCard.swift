package import CTAP
internal import Synchronization

/// Presents a ``CTAPDevice`` as a contactless card: command APDUs in, response APDUs out (CTAP 2.3 §11.3).
///
/// | command | APDU | answer |
/// |---|---|---|
/// | SELECT | `00 A4 04 00 08 A0000006472F0001` | `U2F_V2` or `FIDO_2_0` |
/// | NFCCTAP_MSG | `80 10 P1 00`, message | the device's answer, or 9100 and a keepalive status; 6E00 without CTAP2 |
/// | NFCCTAP_GETRESPONSE | `80 11 00 00` | the same |
/// | cancel | `80 11 11 00` | the same |
/// | END CTAP_MSG | `80 12 01 00` | 9000; the next command must be SELECT |
/// | U2F | `00 01`, `00 02`, `00 03` | the device's answer |
/// | GET RESPONSE | `00 C0 00 00` | the rest of a response |
///
/// Requests may be chained (CLA bit 0x10), and short commands get long responses in pieces (61xx). A CTAP status is
/// data under 9000.
///
/// A new card is outside the field: ``powerOn()`` is the tap.
package actor NFCCard {
    package struct Configuration: Sendable {
        /// Whether extended lengths are supported; otherwise they are refused with 0x6700.
        package var supportsExtendedLength = true
        /// The longest request in bytes; a longer NFCCTAP_MSG is answered `REQUEST_TOO_LARGE` (0x39).
        package var maximumMessageLength = 7609
        /// The time after which a client that supports NFCCTAP_GETRESPONSE receives a status update.
        package var updateInterval = Duration.milliseconds(100)

        package init() {}
    }

    private struct Running {
        let id: Int
        let task: Task<Void, Never>
        let status: LastStatus
        var response: ResponseAPDU?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let device: any CTAPDevice
    private let u2f: U2FHandler?
    private let configuration: Configuration
    private let versions: NFCApplet.Versions
    private let sleep: @Sendable (Duration) async throws -> Void
    private var applet: NFCApplet
    private var isPowered = false
    private var running: Running?
    private var requestCount = 0
    /// The request that the next one waits for.
    private var last: Task<Void, Never>?

    /// - Parameters:
    ///   - device: the device that answers; a ``PowerCyclable`` one loses its power with the field.
    ///   - u2f: answers U2F; without it SELECT answers `FIDO_2_0`, and U2F's instructions are unknown.
    ///   - clock: measures the time a request takes.
    package init<C: Clock>(
        device: any CTAPDevice, u2f: U2FHandler? = nil, configuration: Configuration = Configuration(),
        clock: C = ContinuousClock()
    ) where C.Duration == Duration {
        self.device = device
        self.u2f = u2f
        self.configuration = configuration
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
        versions = NFCApplet.Versions(u2f: u2f != nil, ctap2: device.answersCTAP2)
        applet = NFCApplet(versions, configuration: configuration)
    }

    // MARK: The field

    /// Brings the card into the field: the device and the card's state restart.
    package func powerOn() async {
        powerOff()
        isPowered = true
        await (device as? any PowerCyclable)?.powerCycle()
    }

    /// Takes the card out of the field: the running request is cancelled, and partial messages are dropped.
    package func powerOff() {
        isPowered = false
        abandon()
        applet = NFCApplet(versions, configuration: configuration)
    }

    /// Answers one command, or nil when the card is out of the field; the caller sends one command at a time.
    package func transmit(_ apdu: [UInt8]) async -> [UInt8]? {
        guard isPowered else { return nil }
        let command: CommandAPDU
        let step: NFCAppletStep
        do {
            command = try CommandAPDU(parsing: apdu)
            step = applet.receive(command)
        } catch {
            _ = applet.refuse(error)
            return error.bytes
        }
        switch step {
        case .respond(let response): return response.encoded
        case .abandon(let response):
            abandon()
            return response.encoded
        case .start(let request, let takesUpdates):
            start(request)
            return await response(to: command, within: takesUpdates ? configuration.updateInterval : nil)
        case .cancel:
            running?.task.cancel()
            return await response(to: command, within: configuration.updateInterval)
        case .poll: return await response(to: command, within: configuration.updateInterval)
        }
    }

    // MARK: The running request

    private func start(_ request: NFCRequest) {
        requestCount += 1
        let id = requestCount
        let status = LastStatus()
        let task = Task { [last] in
            await last?.value
            // A request abandoned before its turn never reaches the device.
            guard running?.id == id else { return }
            finish(id, await answer(to: request, status))
        }
        last = task
        running = Running(id: id, task: task, status: status)
    }

    private func answer(to request: NFCRequest, _ status: LastStatus) async -> ResponseAPDU {
        do throws(CTAPDeviceError) {
            switch request {
            case .ctap(let message): return ResponseAPDU(try await device.transceive(message) { status.set($0) })
            case .u2f(let command):
                let answer = try await u2f?(command.encoded) ?? []
                return ResponseAPDU(parsing: answer) ?? ResponseAPDU([], .unknown)
            }
        } catch .busy {
            if case .u2f = request { return ResponseAPDU([], .conditionsNotSatisfied) }
            return ResponseAPDU([CTAPStatus.channelBusy.rawValue])
        } catch {
            return ResponseAPDU([], .unknown)
        }
    }

    private func finish(_ id: Int, _ response: ResponseAPDU) {
        guard running?.id == id else { return }
        running?.response = response
        wake(id)
    }

    /// The response to the running request, or a status update after the limit.
    private func response(to command: CommandAPDU, within limit: Duration?) async -> [UInt8]? {
        guard let id = running?.id, running?.waiter == nil else { return StatusWord.conditionsNotSatisfied.bytes }
        await wait(for: id, within: limit)
        // Meanwhile the card may have left the field, or the request may have been abandoned.
        guard let running, running.id == id else { return nil }
        guard let response = running.response else {
            return ResponseAPDU([running.status.value.rawValue], .statusUpdate).encoded
        }
        self.running = nil
        return applet.finish(response, answering: command).encoded
    }

    private func wait(for id: Int, within limit: Duration?) async {
        guard running?.response == nil else { return }
        let timer = limit.map { limit in
            Task { [sleep] in
                guard (try? await sleep(limit)) != nil else { return }
                wake(id)
            }
        }
        await withCheckedContinuation { running?.waiter = $0 }
        timer?.cancel()
    }

    private func wake(_ id: Int) {
        guard running?.id == id else { return }
        running?.waiter?.resume()
        running?.waiter = nil
    }

    private func abandon() {
        running?.task.cancel()
        running?.waiter?.resume()
        running = nil
    }
}

/// The device's last keepalive status.
private final class LastStatus: Sendable {
    private let last = Mutex(KeepaliveStatus.processing)

    var value: KeepaliveStatus { last.withLock { $0 } }

    func set(_ status: KeepaliveStatus) { last.withLock { $0 = status } }
}
