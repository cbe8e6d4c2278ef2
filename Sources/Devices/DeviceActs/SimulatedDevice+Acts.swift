internal import Biometrics
internal import CTAPHID
internal import Faults
package import SimulatedDevice
internal import VirtualAuthenticator

extension SimulatedDevice {
    /// Carries out an act.
    ///
    /// - Parameter powerCycle: takes the power away where a transport has a part in it; nil for a device without one.
    /// - Returns: what came of it; an act that the device refuses changes nothing.
    package func perform(
        _ act: DeviceAct, powerCycle: (@Sendable () async -> Void)? = nil
    ) async -> DeviceActResult {
        do {
            return try await carryOut(act, powerCycle)
        } catch let refusal as GateRefusal {
            return .refused(refusal.label)
        } catch let failure as GateFailure {
            return .refused(failure.label)
        } catch {
            return .refused("\(error)")
        }
    }

    private func carryOut(
        _ act: DeviceAct, _ powerCycle: (@Sendable () async -> Void)?
    ) async throws -> DeviceActResult {
        switch act {
        case .enrol(let name, let modality): try await enrol(name, on: modality)
        case .replace(let name, let newName, let modality):
            try await replaceTemplate(named: name, with: newName, on: modality)
        case .unenrol(let name?): try await removeTemplate(named: name)
        case .unenrol(nil): await removeAllTemplates()
        case .sensor(let availability, let modality): await setSensor(availability, on: modality)
        case .lockOut(let modality):
            if await lockOut(modality)?.step == .ignored { throw GateRefusal.sensorAbsent }
        case .requireCredential(let reason):
            guard await authenticator.gate?.deviceCredential != nil else { throw GateRefusal.noDeviceCredential }
            await requireCredential(reason)
        case .powerCycle:
            if let powerCycle { await powerCycle() } else { await authenticator.powerCycle() }
        case .fault(let name, let times): await arm(try Fault(parsing: name), times: times)
        case .noFaults:
            // What was pulled out is plugged in by its transport, too.
            if transport.isUnplugged { await powerCycle?() }
            await clearFaults()
        case .lock: try await lock()
        case .unlock(let correctly): return .away(try await unlock(correctly: correctly))
        case .unlockByBiometrics: return .away(try await unlockByBiometrics())
        case .passcode(let change): try await changePasscode(change)
        case .reboot: try await reboot(powerCycle: powerCycle)
        case .airplaneMode(let isOn): try setAirplaneMode(isOn)
        case .forgetCredentials(let filter, let reach): try await forgetPasskeys(filter, reach)
        case .renamePasskey(let filter, let name): try await renamePasskey(filter, to: name)
        case .passkeyDelay(let seconds): try await setPasskeyDelay(seconds: seconds)
        case .app, .verify, .storeSecret, .readSecret, .checkSecret, .deleteSecret: return try await carryOut(act)
        }
        return .done
    }

    /// What apps do, and what happens to them.
    private func carryOut(_ act: DeviceAct) async throws -> DeviceActResult {
        switch act {
        case .app(let act, let app): return .away(try await perform(act, app: app))
        case .verify(let wanted, let app): return DeviceActResult(cause: await verifyPerson(wanted, app: app))
        case .storeSecret(let id, let value, let protection):
            try await secureStorage.store(Array(value.utf8), as: id.name, app: id.app, protection: protection)
        case .readSecret(let id):
            let reading = await secureStorage.read(id.name, app: id.app)
            guard case .value(let secret) = reading else { return DeviceActResult(cause: reading.cause) }
            return .told(String(decoding: secret, as: UTF8.self))
        case .checkSecret(let id):
            return DeviceActResult(cause: await secureStorage.check(id.name, app: id.app))
        case .deleteSecret(let id):
            guard secureStorage.ids.contains(id) else { return .refused("itemMissing") }
            try secureStorage.remove(id.name, app: id.app)
        default: break
        }
        return .done
    }
}

extension DeviceActResult {
    /// How long an app was away, in whole seconds.
    fileprivate static func away(_ span: Duration?) -> DeviceActResult {
        .told(span.map { "\(Int64($0 / .seconds(1))) s" })
    }
}
