/// A deliberate fault of a hybrid connection, by the part that has it.
package enum HybridConnectionFault: Hashable, Sendable {
    case code(QRFault)
    case adapter(AdapterFault)
    case phone(HybridFault)
    case tunnel(TunnelFault)
    /// The other end sends its command again on the same connection.
    case commandAgain
}

extension Sequence<HybridConnectionFault> {
    /// The faults of the code.
    package var ofCode: [QRFault] { compactMap { if case .code(let fault) = $0 { fault } else { nil } } }

    /// The faults of the phone.
    package var ofPhone: [HybridFault] { compactMap { if case .phone(let fault) = $0 { fault } else { nil } } }

    /// The faults of the tunnel service.
    package var ofTunnel: [TunnelFault] { compactMap { if case .tunnel(let fault) = $0 { fault } else { nil } } }
}
