internal import CTAP
internal import Causes
internal import DeviceProfiles
internal import PlatformErrors
internal import ReferenceApp
internal import SimulatedDevice

/// The app's items in secure storage, and the key or state that tells of a changed enrolment.
extension AppHost {
    func store(_ item: AppItem, _ text: String, _ access: ItemAccess) async -> SensorTrouble? {
        do {
            try await device.secureStorage.store(
                Array(text.utf8), as: item.rawValue,
                protection: SecureStorage.Protection(access == .boundToEnrolment ? .currentSet : .none))
            return nil
        } catch {
            return notStored(error)
        }
    }

    private func notStored(_ error: any Error) -> SensorTrouble {
        let cause = (error as? any CausedError)?.cause ?? .storageFailed
        note(.refused(cause, .store))
        return SensorTrouble(cause)
    }

    func delete(_ item: AppItem) {
        try? device.secureStorage.remove(item.rawValue)
        // The key watches over the enrolment of this item only.
        if item == .biometricSession { try? device.secureStorage.remove(Self.canary) }
    }

    /// The key whose invalidation shows a change on platforms without a domain state.
    private static let canary = "enrolment-canary"

    /// - Returns: the reason why the platform makes no such key.
    func rememberEnrolment() async -> SensorTrouble? {
        guard !device.profile.platform.hasDomainState else {
            _ = try? await device.compareEnrolment()
            return nil
        }
        do {
            _ = try await device.secureStorage.makeKey(Self.canary, protection: SecureStorage.Protection(.currentSet))
            return nil
        } catch {
            return notStored(error)
        }
    }

    /// Whether a match would still open the session's item, as far as the app's style can know without a prompt.
    func isEnrolmentIntact() async -> Bool {
        switch settings.style {
        case .booleanGate: true
        case .domainState: await isSameEnrolment()
        case .boundKey:
            ![.keyInvalidated, .itemMissing].contains(
                await device.secureStorage.check(AppItem.biometricSession.rawValue))
        }
    }

    private func isEnrolled() async -> Bool {
        do throws(DeviceRefusal) {
            try await device.checkVerification(AppPrompt())
            return true
        } catch {
            return error.cause != .notEnrolled
        }
    }

    func isSameEnrolment() async -> Bool {
        guard device.profile.platform.hasDomainState else {
            return ![.keyInvalidated, .itemMissing].contains(await device.secureStorage.check(Self.canary))
        }
        switch try? await device.compareEnrolment() {
        case .same, .first: return true
        case .changed, nil: return false
        // The error of canEvaluatePolicy tells a lockout from removed templates.
        case .some(.none): return await isEnrolled()
        }
    }
}

extension Platform {
    /// Whether apps can ask for `evaluatedPolicyDomainState`.
    fileprivate var hasDomainState: Bool { self == .ios || self == .macos }
}
