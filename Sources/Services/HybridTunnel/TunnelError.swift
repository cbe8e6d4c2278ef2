internal import CTAPHybrid

/// The reason why there is no tunnel.
package enum TunnelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The advert names a domain without a host.
    case unassignedDomain(UInt16)
    case refused(status: Int, location: String?)
    case unreachable(String)
    /// No phone of this computer has opened the tunnel.
    case noPhone
    /// The service of this computer's phones does not start, or their files cannot be used.
    case unusable(String)

    package var description: String {
        switch self {
        case .unassignedDomain(let number):
            "The advert names tunnel domain \(number), which stands for no host. Use 0, 1, or a number from 256 on."
        case .refused(let status, let location):
            "The tunnel service refuses the connection with HTTP status \(status)"
                + (location.map { " and leads to \($0), where hybrid clients do not follow." } ?? ".")
                + (status == TunnelRequest.goneStatus ? " Scan the QR code again: no phone waits in this tunnel." : "")
        case .noPhone:
            "No phone of this computer waits in the tunnel: its program has ended. Start the phone, and scan a new code."
        case .unusable(let reason): "The tunnel between programs of this computer cannot be used: \(reason)."
        case .unreachable(let reason): "The tunnel service cannot be reached: \(reason). Start it, or check its port."
        }
    }
}
