public import Faults
internal import VirtualAuthenticator

extension SimulatedDevice {
    /// Makes something go wrong from now on.
    ///
    /// - Parameter times: how many answers it changes; nil until ``clearFaults()``.
    public func arm(_ fault: Fault, times: Int? = nil) async {
        switch fault {
        case .authenticator(let fault): await authenticator.arm(fault, times: times)
        case .ctap(let fault): ctap.arm(fault, times: times)
        }
    }

    /// Makes everything right again.
    public func clearFaults() async {
        await authenticator.clearFaults()
        ctap.clear()
    }

    /// The faults that are on, by name.
    public var armedFaults: [String] {
        get async { await authenticator.armedFaults + ctap.armed.map(\.name) }
    }
}

extension DeviceProfile {
    /// The faults that are the authenticator's own.
    var authenticatorFaults: [AuthenticatorFault] {
        faults.compactMap { if case .authenticator(let fault) = $0 { fault } else { nil } }
    }
}
