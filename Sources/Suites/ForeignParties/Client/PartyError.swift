internal import Foundation
internal import LoopbackHTTP

/// The reason why a relying party cannot be used as its description says, as opposed to a refusal.
package enum PartyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No answer.
    case unreachable(String)
    /// An answer without a member that the description names.
    case unexpected(String)

    package var description: String {
        switch self {
        case .unreachable(let reason), .unexpected(let reason): reason
        }
    }

    init(_ error: LoopbackClientError, at address: PartyAddress) {
        guard !error.isOfAuthorities else {
            self = .unreachable("certificate-authorities: \(error)")
            return
        }
        let advice =
            error.isClosed && address.scheme == .http ? "; write https:// in its url if it answers on https" : ""
        self = .unreachable("\(address) cannot be reached: \(error)\(advice)")
    }
}

extension LoopbackClient.Answer {
    /// Whether the answer of a host over http is the usual hint that it answers on https: a redirect, or an error page.
    func asksForHTTPS(of host: String) -> Bool {
        switch status {
        case 301, 302, 307, 308:
            let target = values(of: "location").first.flatMap { URLComponents(string: $0) }
            return target?.scheme?.lowercased() == "https" && target?.host?.lowercased() == host
        case 400:
            // The words of nginx and Go, and those of Apache.
            return String(decoding: body.prefix(4096), as: UTF8.self)
                .contains(/(?i)\bHTTP request\b.*\bHTTPS\b|plain HTTP to an SSL/)
        default: return false
        }
    }
}
