package import CTAPHybrid
package import Causes
internal import Faults
package import HybridLink
internal import HybridTunnel
internal import SimulatedDevice
internal import Synchronization

/// The outcome of a scan.
package struct ScanOutcome: Hashable, Sendable {
    /// The reason why the computer got no answer; nil for one that was answered, and for one that ended the connection.
    package let cause: Cause?
    /// A sentence about the outcome.
    package let explanation: String

    /// Whether the code or the device was the wrong one, whatever their state.
    var isBadInput: Bool { [.codeInvalid, .codeExpired, .devicesUnsuitable].contains(cause) }
}

extension DeviceHost {
    /// The phone scans a QR code, and answers the other end until the connection ends; a cancelled task ends it.
    ///
    /// - Parameters:
    ///   - text: the text of the code, which begins with `FIDO:/`.
    ///   - followsAdapter: whether the computer's adapter follows the armed fault.
    ///   - note: is called with each action of the phone before it is performed.
    /// - Throws: the radio's error.
    package func scan(
        _ text: String, over way: HybridWay, followsAdapter: Bool = false,
        note: @escaping @Sendable (HybridAuthenticator.Action) -> Void = { _ in }
    ) async throws -> ScanOutcome {
        let outcome = try await outcome(ofScanning: text, over: way, followsAdapter: followsAdapter, note: note)
        // A new code of the computer ends the scan of the one before it.
        if let cause = outcome.cause, !Task.isCancelled { device.note(failedScan: outcome.explanation, cause: cause) }
        return outcome
    }

    private func outcome(
        ofScanning text: String, over way: HybridWay, followsAdapter: Bool,
        note: @escaping @Sendable (HybridAuthenticator.Action) -> Void
    ) async throws -> ScanOutcome {
        let watch = AnswerWatch()
        let phone = phoneWay(way, followsAdapter: followsAdapter) { action in
            watch.hear(action)
            note(action)
        }
        let idle = device.connectionFaults.idle(admitting: phone.admits)
        let rest = idle.isEmpty ? "" : " (without effect here: \(idle.joined(separator: ", ")))"
        do {
            let end = try await device.scan(text, over: phone, now: clock.now())
            return switch end {
            case .finished:
                ScanOutcome(cause: nil, explanation: "\(name) has answered the computer\(watch.words)\(rest)")
            // A computer that wanted only getInfo, or whose user has cancelled.
            case .shutdown, .tunnelClosed(.ready):
                ScanOutcome(cause: nil, explanation: "the computer has ended its connection with \(name)\(rest)")
            case .tunnelClosed, .refused, .timedOut, .cancelled:
                ScanOutcome(
                    cause: end.cause, explanation: "the connection of \(name) ended before its answer. \(end)\(rest)")
            }
        } catch let refusal as DeviceRefusal {
            return ScanOutcome(cause: refusal.cause, explanation: "\(name): \(refusal)")
        } catch let error as QRError {
            return ScanOutcome(cause: error.cause, explanation: "\(name): \(sentences(about: error))")
        }
    }

    /// The error of a code, with the remedy of this device.
    private func sentences(about error: QRError) -> String {
        guard case .fromTheFuture = error, case .simulated = clock else { return error.description }
        return error.problem + ", because the device has a simulated clock. Start it with the computer's clock: "
            + "without --simulated-clock, or in the control API with clock \(ClockReport.Kind.real.rawValue)."
    }

    /// The device's way to other ends; it gives a link where they can reach for it later.
    private func phoneWay(
        _ way: HybridWay, followsAdapter: Bool = false,
        note: @escaping @Sendable (HybridAuthenticator.Action) -> Void = { _ in }
    ) -> SimulatedDevice.PhoneWay {
        SimulatedDevice.PhoneWay(
            way, route: hybrid, identity: way.contacts == nil ? nil : scanWays.identity,
            followsAdapter: followsAdapter,
            pass: { [clock] in await clock.pass(until: clock.now() + $0) }, note: note)
    }

    /// Answers linked computers that reach for the device, until the task is cancelled.
    @Sendable private func answerContacts(over way: HybridWay) async {
        guard let identity = scanWays.identity,
            let contacts = try? await way.contacts?.contacts(of: identity.contactID)
        else { return }
        // A phone that is locked or offline does not answer; the computer gives up.
        for await contact in contacts { _ = try? await device.answer(contact, as: identity, over: phoneWay(way)) }
    }

    /// The same, over the way to a place of the computer.
    ///
    /// - Throws: ``DeviceHostError/notRunning(_:)`` for a missing part: a radio, a browser.
    package func scan(_ text: String, at place: ScanPlace) async throws(DeviceHostError) -> ScanOutcome {
        do {
            let way = try await scanWays.way(to: place, opened: answerContacts)
            let outcome: Result<ScanOutcome, any Error>
            do { outcome = .success(try await scan(text, over: way)) } catch { outcome = .failure(error) }
            if place == .browser { await way.close() }
            return try outcome.get()
        } catch {
            throw .notRunning("\(error)")
        }
    }

    /// The same; returns the sentence about the outcome.
    ///
    /// - Throws: ``DeviceHostError/refused(_:)`` for a computer without an answer, ``DeviceHostError/impossible(_:)`` for a wrong code
    ///   or device.
    func answerScan(_ text: String, at place: ScanPlace) async throws(DeviceHostError) -> String {
        let outcome = try await scan(text, at: place)
        guard outcome.cause != nil else { return outcome.explanation }
        throw outcome.isBadInput ? .impossible(outcome.explanation) : .refused(outcome.explanation)
    }
}

/// The real time from a phone's advert to its answer.
private final class AnswerWatch: Sendable {
    private let times = Mutex<(advert: ContinuousClock.Instant?, answer: ContinuousClock.Instant?)>((nil, nil))

    func hear(_ action: HybridAuthenticator.Action) {
        switch action {
        case .advertise: times.withLock { $0.advert = .now }
        case .close: times.withLock { $0.answer = .now }
        default: break
        }
    }

    /// The end of a sentence, such as `, 41 ms after its advert`; empty without an advert.
    var words: String {
        let (advert, answer) = times.withLock(\.self)
        guard let advert, let answer else { return "" }
        return ", \(Int(((answer - advert) / .milliseconds(1)).rounded())) ms after its advert"
    }
}
