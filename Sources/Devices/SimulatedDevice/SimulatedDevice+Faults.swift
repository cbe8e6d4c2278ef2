internal import CTAP
internal import CTAPHID
internal import DeviceProfiles
package import Faults
internal import PlatformErrors
internal import VirtualAuthenticator

extension SimulatedDevice {
    /// Arms a fault for a number of responses; nil means until ``clearFaults()``.
    ///
    /// - Throws: for a fault of a system that the device does not have.
    package func arm(_ fault: Fault, times: Int? = nil) async throws(DeviceRefusal) {
        switch fault.change {
        case .authenticator(let fault): await authenticator.arm(fault, times: times)
        case .ctap(let fault): ctapFaults.arm(fault, times: times)
        case .transport(let fault): transportFaults.arm(fault, times: times)
        case .platform(let fault):
            guard hasScreen else { throw .noScreen }
            guard !fault.isOfAndroid || profile.platform == .android else {
                throw .notOn(profile.platform, "a BiometricManager")
            }
            life.faults.arm(fault, times: times)
        case .hybrid(let fault):
            guard profile.scansCodes else { throw .scansNoCodes(profile.name) }
            connectionFaults.arm(fault, times: times)
        }
    }

    /// Clears the faults that were armed since the start, and plugs the device in again; those of its profile stay.
    package func clearArmedFaults() async {
        await clearFaults()
        for fault in profile.faults {
            // The profile's reader checked that the device can have it.
            try? await arm(fault)
        }
    }

    /// Clears every fault, those of the profile too, and plugs the device in again.
    package func clearFaults() async {
        await authenticator.clearFaults()
        ctapFaults.clear()
        life.faults.clear()
        connectionFaults.clear()
        // An unplugged device had no power.
        if transportFaults.clear() { await authenticator.powerCycle() }
    }

    /// The armed faults as they are written, with the number of responses each still changes.
    package var armedFaults: [String] {
        get async {
            await authenticator.armedFaults.map(words)
                + ctapFaults.armed.map { words($0.fault.spelling, $0.remaining) }
                + transportFaults.armed.map { words($0.fault.spelling, $0.remaining) }
                + connectionFaults.armed.map { words($0.fault.spelling, $0.remaining) }
                + life.faults.armed.map { words($0.fault.rawValue, $0.remaining) }
                + (transportFaults.isUnplugged ? ["unplugged until it is plugged in again"] : [])
        }
    }

    private func words(_ fault: String, _ remaining: Int?) -> String {
        if let remaining { return "\(fault), \(remaining) more" }
        return fault + (profile.faults.contains { $0.spelling == fault } ? ", of the profile" : "")
    }
}
