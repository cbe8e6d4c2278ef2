internal import HybridLink

/// The place of the computer whose QR code a device scans.
package enum ScanPlace: String, Hashable, Sendable, Codable, CaseIterable {
    /// A program of the user on this computer, such as `touchstone keys info --device hybrid:`.
    case program
    /// The browser that `touchstone browser --hybrid` started.
    case browser
}

/// The ways of a device's process to other ends, each opened with the first scan.
actor ScanWays {
    private var ways: [ScanPlace: Task<HybridWay, any Error>] = [:]

    /// The way to a place.
    ///
    /// - Throws: the radio's error, and `HybridPlaceError` without a browser.
    func way(to place: ScanPlace) async throws -> HybridWay {
        switch place {
        case .program:
            let task = ways[place] ?? Task { try await HybridWay.onThisComputer() }
            ways[place] = task
            do {
                return try await task.value
            } catch {
                ways[place] = nil
                throw error
            }
        // Each browser has a bus of its own.
        case .browser: return try await BrowserPlace.current().way()
        }
    }

    func close() async {
        let open = ways.values
        ways = [:]
        for task in open { await (try? task.value)?.close() }
    }
}
