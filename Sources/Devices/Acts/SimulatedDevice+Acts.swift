internal import Biometrics
internal import CTAPHID
internal import Faults
internal import VirtualAuthenticator

extension SimulatedDevice {
    /// Carries out an act.
    ///
    /// - Parameter powerCycle: takes the power away where a transport has a part in it; nil for a device without one.
    /// - Returns: what came of it; an act that the device refuses changes nothing.
    public func perform(
        _ act: DeviceAct, powerCycle: (@Sendable () async -> Void)? = nil
    ) async -> DeviceActResult {
        do {
            return try await carryOut(act, powerCycle)
        } catch let refusal as GateRefusal {
            return .refused(refusal.label)
        } catch {
            return .refused("\(error)")
        }
    }

    private func carryOut(
        _ act: DeviceAct, _ powerCycle: (@Sendable () async -> Void)?
    ) async throws -> DeviceActResult {
        switch act {
        case .enrol(let name): try await enrol(name)
        case .unenrol(let name?): try await removeTemplate(named: name)
        case .unenrol(nil): await removeAllTemplates()
        case .unlock(let correctly):
            if case .ended(.failed(let failure))? = await unlock(correctly: correctly)?.step {
                return .refused(failure.label)
            }
        case .sensor(let availability): await setSensor(availability)
        case .powerCycle:
            if let powerCycle { await powerCycle() } else { await authenticator.powerCycle() }
        case .forgetCredentials:
            for credential in await authenticator.snapshot().credentials {
                await authenticator.removeCredential(credential.id)
            }
        case .fault(let name, let times): await arm(try Fault(parsing: name), times: times)
        case .noFaults:
            // What was pulled out is plugged in by its transport, too.
            if transport.isUnplugged { await powerCycle?() }
            await clearFaults()
        case .storeSecret(let name, let access):
            try await secureStorage.store(Array("token".utf8), as: name, access: access)
        case .readSecret(let name):
            if let cause = await secureStorage.read(name).cause { return .refused(cause) }
        }
        return .done
    }
}
