internal import CTAPHID
internal import Faults
internal import SimulatedDevice
internal import Wording

struct ArmFault: PlainAct, StateAct {
    static let form = Form(
        "fault", "arms a fault from now on",
        .required("name", \.fault, "a name of `touchstone faults list`"),
        .optional("times", \.times, of: .number(1...1000), "the number of answers to change; default: all"))

    /// A device may claim the verification, and only ask for a touch.
    static let canEndVerification = true
    static let isPreparation = false

    /// Set by the required parameter.
    var fault: Fault?
    var times: Int?

    var words: String {
        "has the fault \(fault?.spelling ?? "")" + (times.map { ", " + Wording.counted($0, "time") } ?? "")
    }

    func perform(on device: SimulatedDevice) async throws {
        if let fault { try await device.arm(fault, times: times) }
    }
}

struct ClearFaults: DeclaredAct, StateAct {
    static let form = Form("no-faults", "clears the armed faults; the faults of the device's profile stay")

    var words: String { "has no armed faults" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async -> DeviceActResult {
        // The transport of an unplugged device must plug it in again, too.
        if device.transportFaults.isUnplugged { await powerCycle?() }
        await device.clearArmedFaults()
        return .done
    }
}
