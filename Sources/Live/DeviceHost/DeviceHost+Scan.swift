package import CTAPHybrid
package import Causes
package import HybridLink
internal import SimulatedDevice

/// The outcome of a scan.
package struct ScanOutcome: Hashable, Sendable {
    /// The reason why the computer got no answer; nil for an answered computer.
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
    ///   - note: is called with each action of the phone before it is performed.
    /// - Throws: the radio's error.
    package func scan(
        _ text: String, over way: HybridWay, note: @escaping @Sendable (HybridAuthenticator.Action) -> Void = { _ in }
    ) async throws -> ScanOutcome {
        do {
            let end = try await device.scan(
                text, over: way, route: hybrid, now: clock.now(),
                pass: { [clock] in await clock.pass(until: clock.now() + $0) }, note: note)
            return end == .finished
                ? ScanOutcome(cause: nil, explanation: "\(name) has answered the computer")
                : ScanOutcome(cause: end.cause, explanation: "the connection of \(name) ended before its answer. \(end)")
        } catch let refusal as DeviceRefusal {
            return ScanOutcome(cause: refusal.cause, explanation: "\(name): \(refusal)")
        } catch let error as QRError {
            return ScanOutcome(cause: error.cause, explanation: "\(name): \(error)")
        }
    }

    /// The same, over the way to a place of the computer.
    ///
    /// - Throws: ``DeviceHostError/notRunning(_:)`` for a missing part: a radio, a browser.
    package func scan(_ text: String, at place: ScanPlace) async throws(DeviceHostError) -> ScanOutcome {
        do {
            let way = try await scanWays.way(to: place)
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
