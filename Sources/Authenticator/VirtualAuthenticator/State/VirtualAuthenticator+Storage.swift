public import CTAP
internal import Causes
internal import Foundation

extension VirtualAuthenticator {
    /// The counter values one write reserves, so that not every signature waits for the disk.
    static let counterReservation: UInt32 = 32

    /// Commits the changes to storage; throws 0x7F when writing failed, and commits the change again with the next one.
    func commit(erasing: Bool = false) throws(Refusal) {
        if erasing { state.hasUnsavedErasure = true }
        if environment.storage != nil, try !write({ try pendingChange() }) { return }
        state.markSaved()
    }

    /// Whether there was a change, which is now written; throws 0x7F when writing failed.
    private func write(_ pending: () throws -> StorageChange) throws(Refusal) -> Bool {
        do {
            let change = try pending()
            guard !change.isEmpty else { return false }
            try environment.storage?.commit(change)
            reservedCounter = change.globalCounter ?? reservedCounter
            return true
        } catch {
            throw Refusal(.other, RefusalReason("storage", .writeFailed, "CTAP 2.3 §8.2"), detail: "\(error)")
        }
    }

    /// Commits a change made outside a command; a failure only reaches the log.
    func commitOutsideCommand() {
        do {
            try commit()
        } catch {
            record(.answer(CTAPCommand(rawValue: 0), error.status, error))
        }
    }

    /// Writes the whole state and releases reserved counter values, for an orderly shutdown.
    ///
    /// - Throws: the refusal 0x7F when writing failed.
    public func flush() throws(Refusal) {
        guard environment.storage != nil else { return }
        try commit()
        guard reservedCounter > state.globalCounter else { return }
        var change = StorageChange()
        change.globalCounter = state.globalCounter
        _ = try write { change }
    }

    private func pendingChange() throws -> StorageChange {
        var change = StorageChange()
        let erasing = state.hasUnsavedErasure
        change.erasesEverything = erasing
        if state.hasUnsavedSettings || erasing { change.settings = try encodedSettings() }
        if state.globalCounter > reservedCounter || (erasing && state.globalCounter > 0) {
            let (reserved, overflows) = state.globalCounter.addingReportingOverflow(Self.counterReservation)
            change.globalCounter = overflows ? .max : reserved
        }
        let unsaved = state.credentials.unsaved
        for id in unsaved.changed {
            change.credentials[id] = state.credentials.credential(id).map { EncodedCredential($0) }
        }
        change.removedCredentials = erasing ? [] : unsaved.removed
        for key in unsaved.counters { change.sealedCounters[key] = state.credentials.sealedCounters[key] }
        if state.hasUnsavedLargeBlobs || erasing { change.largeBlobs = state.largeBlobs }
        return change
    }

    private func encodedSettings() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(state.settings))
    }

    /// The persistent state, for a snapshot or a clone.
    ///
    /// - Throws: an encoding error, which is a defect of this library.
    public func exportState() throws -> StoredAuthenticator {
        StoredAuthenticator(
            settings: try encodedSettings(), globalCounter: state.globalCounter,
            credentials: state.credentials.all.map(\.encoded), sealedCounters: state.credentials.sealedCounters,
            largeBlobs: state.largeBlobs)
    }

    /// Restores a stored state, of this device or another one, and cycles the power.
    ///
    /// - Throws: ``StoredAuthenticatorError`` for a state that cannot be read, which changes nothing; or the refusal
    ///   0x7F when storage could not be written.
    public func restore(_ stored: StoredAuthenticator) throws {
        state = try Self.state(from: stored, in: environment)
        reservedCounter = 0
        losePower()
        for credential in state.credentials.all { state.credentials.markUnsaved(credential.id) }
        state.credentials.markCountersUnsaved()
        try commit(erasing: true)
    }

    static func state(
        from stored: StoredAuthenticator, in environment: Environment
    ) throws(StoredAuthenticatorError) -> AuthenticatorState {
        let settings: DeviceSettings
        do {
            settings = try JSONDecoder().decode(DeviceSettings.self, from: Data(stored.settings))
        } catch {
            throw .unreadableSettings("\(error)")
        }
        var state = AuthenticatorState(settings: settings, in: environment)
        var credentials: [StoredCredential] = []
        credentials.reserveCapacity(stored.credentials.count)
        for (index, encoded) in stored.credentials.enumerated() {
            guard let credential = StoredCredential(encoded: encoded) else {
                throw .unreadableCredential(number: index + 1)
            }
            credentials.append(credential)
        }
        state.credentials.restore(credentials)
        state.credentials.restoreSealedCounters(stored.sealedCounters)
        state.globalCounter = stored.globalCounter
        state.largeBlobs = stored.largeBlobs
        state.hasUnsavedSettings = false
        state.hasUnsavedLargeBlobs = false
        return state
    }
}
