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
        }
    }

    /// Clears every fault and plugs the device in again.
    package func clearFaults() async {
        await authenticator.clearFaults()
        ctapFaults.clear()
        life.faults.clear()
        // An unplugged device had no power.
        if transportFaults.clear() { await authenticator.powerCycle() }
    }

    /// The armed faults as they are written, with the number of responses each still changes.
    package var armedFaults: [String] {
        get async {
            await authenticator.armedFaults.map(Self.words)
                + ctapFaults.armed.map { Self.words($0.fault.spelling, $0.remaining) }
                + transportFaults.armed.map { Self.words($0.fault.name, $0.remaining) }
                + life.faults.armed.map { Self.words($0.fault.rawValue, $0.remaining) }
                + (transportFaults.isUnplugged ? ["unplugged until it is plugged in again"] : [])
        }
    }

    private static func words(_ fault: String, _ remaining: Int?) -> String {
        fault + (remaining.map { ", \($0) more" } ?? "")
    }
}
