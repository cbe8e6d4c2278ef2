/// A deliberate error of a tunnel service.
package enum TunnelFault: Hashable, Sendable {
    /// Refuses the other end with a status, such as 400, or 302 with a place elsewhere.
    case refuses(status: Int, location: String? = nil)
    /// Refuses the phone with a status.
    case refusesPhone(status: Int)
    /// Closes both connections after this many messages; 0 as soon as both ends are there.
    case drops(after: Int)
    /// Takes messages, and hands none on.
    case isSilent
}
