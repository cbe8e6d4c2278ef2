internal import CTAPHybrid
internal import HybridLink
internal import VirtualAuthenticator

/// The place of the computer whose QR code a device scans.
package enum ScanPlace: String, Hashable, Sendable, Codable, CaseIterable {
    /// A program of the user on this computer, such as `touchstone keys info --device hybrid:`.
    case program
    /// The browser that `touchstone browser --hybrid` started.
    case browser
}

/// The ways of a device's process to other ends; that to programs is opened with the first scan, and stays open.
actor ScanWays {
    private var toPrograms: Task<HybridWay, any Error>?
    private var answering: Task<Void, Never>?
    /// The device's identity for links, which ends with its process.
    nonisolated let identity: PhoneIdentity?

    /// - Parameter name: the device's name, which linked computers show.
    init(name: String) { identity = PhoneIdentity(name: name, randomBytes: SystemRandomSource().bytes) }

    /// The way to a place.
    ///
    /// - Parameter opened: is called with a new way that stays open; ``close()`` cancels it.
    /// - Throws: the radio's error, and `HybridPlaceError` without a browser.
    func way(
        to place: ScanPlace, opened: @escaping @Sendable (HybridWay) async -> Void
    ) async throws -> HybridWay {
        // Each browser has a bus of its own.
        guard place == .program else { return try await BrowserPlace.current().way() }
        let task = toPrograms ?? Task { try await HybridWay.onThisComputer() }
        toPrograms = task
        do {
            let way = try await task.value
            if answering == nil { answering = Task { await opened(way) } }
            return way
        } catch {
            toPrograms = nil
            throw error
        }
    }

    func close() async {
        answering?.cancel()
        await answering?.value
        answering = nil
        let task = toPrograms
        toPrograms = nil
        await (try? task?.value)?.close()
    }
}
