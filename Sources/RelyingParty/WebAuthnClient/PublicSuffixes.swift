internal import CPSL

/// The Public Suffix List: domains open to registration by the public, which no page below them may claim as RP ID.
///
/// Hosts are lower-case ASCII; internationalised labels are in punycode. A suffix without a rule counts as public when
/// it is a single label, as the list itself prescribes.
enum PublicSuffixes {
    /// The newer of the system's list and the one in libpsl; read-only, and kept for the life of the process.
    private nonisolated(unsafe) static let list: OpaquePointer? = psl_latest(nil) ?? psl_builtin()

    static func contains(_ domain: String) -> Bool {
        // libpsl has no list at all when it was built without one.
        guard let list else { return !domain.contains(".") }
        return psl_is_public_suffix(list, domain) != 0
    }

    /// Whether two hosts are the same or have the same registrable domain (HTML §7.1.1, "same site").
    static func isSameSite(_ left: String, _ right: String) -> Bool {
        guard left != right else { return true }
        guard let registrable = registrableDomain(of: left) else { return false }
        return registrable == registrableDomain(of: right)
    }

    /// The public suffix of a host and one label more; nil for a host that is itself a public suffix.
    private static func registrableDomain(of host: String) -> String? {
        guard let list else { return nil }
        // The result points into the host's own bytes.
        return host.withCString { psl_registrable_domain(list, $0).map { String(cString: $0) } }
    }
}
