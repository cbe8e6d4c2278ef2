internal import Foundation
internal import Synchronization
internal import Wording

/// The refusals that calls of the app got, which are mistakes of a test.
///
/// No app gets them on a real phone: its code cannot run there.
extension Phone {
    /// The refusals that calls of the app got since the last check, oldest first; they count as expected from then on.
    ///
    /// ``checkActs()`` and `use` report the other ones. An app's own `catch` could otherwise take a refusal for an error of
    /// the phone, so that a test with a stopped app passes.
    ///
    /// ```swift
    /// import SimulatedPhone
    ///
    /// func stoppedApp() async throws -> Bool {
    ///     let phone = try Phone("iphone-face-id")
    ///     try phone.kill()
    ///     _ = try? await SimulatedLAContext(phone: phone).evaluatePolicy(
    ///         .deviceOwnerAuthentication, localizedReason: "Open the diary")
    ///     return phone.takeRefusals().count == 1
    /// }
    /// ```
    public func takeRefusals() -> [PhoneRefusal] { refusals.take() }

    /// Remembers the refusal of an app's call until the next check.
    func noting(_ refusal: PhoneRefusal) -> PhoneRefusal {
        refusals.note(refusal)
        return refusal
    }

    /// Reports a call without a phone where a developer sees it: the app receives an error of the phone for it.
    static func reportMissingPhone(_ call: String) {
        NSLog("\(call): \(missing)")
    }

    /// The reason and the remedy of a call without a phone.
    static let missing =
        "no simulated phone is in use; run the code in phone.use { … }, or give the initializer a phone, as on a queue of "
        + "Dispatch"
}

/// The refusals of a phone since its last check.
final class RefusalLedger: Sendable {
    private let refusals = Mutex<[PhoneRefusal]>([])

    func note(_ refusal: PhoneRefusal) { refusals.withLock { $0.append(refusal) } }

    func take() -> [PhoneRefusal] {
        refusals.withLock { refusals in
            defer { refusals = [] }
            return refusals
        }
    }

    /// Forgets the refusals, and returns a sentence for each kind of them.
    func takeMistakes() -> [String] {
        let taken = take()
        var kinds: [PhoneRefusal] = []
        for refusal in taken where !kinds.contains(refusal) { kinds.append(refusal) }
        return kinds.map { kind in
            let count = taken.filter { $0 == kind }.count
            return "\(Wording.counted(count, "call")) of the app could not run: \(kind.sentence); "
                + "if the test expects this, it calls phone.takeRefusals() before the check"
        }
    }
}
