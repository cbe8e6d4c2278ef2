internal import Biometrics
internal import Causes
internal import DeviceProfiles
internal import PlatformErrors
internal import VirtualAuthenticator

/// The place of a device, as its theft protection sees it.
package enum DevicePlace: String, Sendable, CaseIterable {
    /// Home, work, or another place where the device is used often.
    case familiar
    case away
}

/// Protection of a stolen device whose passcode is known: Stolen Device Protection on iOS, Identity Check on Android.
///
/// Away from familiar places the passcode does not replace the sensor for passkeys, and on iOS changes to the lock screen
/// wait for an hour.
extension SimulatedDevice {
    package func setTheftProtection(_ isOn: Bool) async throws {
        guard profile.offersTheftProtection else {
            throw DeviceRefusal(
                .notOnThisPlatform, "\(profile.name) does not have a protection of stolen devices")
        }
        try requireScreen()
        guard let gate = await authenticator.gate, gate.deviceCredential != nil else {
            throw GateFailure.noDeviceCredential
        }
        guard gate.sensors.contains(where: { !$0.templates.isEmpty }) else { throw GateFailure.notEnrolled }
        if !isOn { try await requireSecurityDelay() }
        try life.change { $0.hasTheftProtection = isOn }
    }

    package func move(to place: DevicePlace) throws {
        try requireScreen()
        try life.change { $0.isAway = place == .away }
    }

    /// Verifies the user twice with the sensor, an hour apart, before a change that iOS protects.
    func requireSecurityDelay() async throws {
        guard profile.platform == .ios, life.refusesPasscode() else { return }
        switch await authenticator.verifyUser(PromptOptions(allowsDeviceCredential: false)) {
        case .verified: break
        case let result?: throw DeviceRefusal(result.cause)
        case nil: throw DeviceRefusal.appCancelled
        }
        let end = life.state.securityDelayEnd ?? life.now + .seconds(3600)
        let isOver = life.now >= end
        try life.change { $0.securityDelayEnd = isOver ? nil : end }
        guard isOver else {
            throw DeviceRefusal(
                .securityDelay, "the change is possible an hour after the first request, with the sensor")
        }
    }
}
