#if SYSTEM_LIBRARIES
internal import CPSL
#endif

/// The Public Suffix List: domains open to registration by the public, which no page below them may claim as RP ID.
///
/// Hosts are lower-case ASCII; internationalised labels are in punycode. A suffix without a rule counts as public when
/// it is a single label, as the list itself prescribes; in a build without libpsl, this is the only rule.
enum PublicSuffixes {
    static func contains(_ domain: String) -> Bool {
        #if SYSTEM_LIBRARIES
        // libpsl has no list at all when it was built without one.
        if let list { return psl_is_public_suffix(list, domain) != 0 }
        #endif
        return !domain.contains(".")
    }

    /// Whether two hosts are the same or have the same registrable domain (HTML §7.1.1, "same site").
    static func isSameSite(_ left: String, _ right: String) -> Bool {
        guard left != right else { return true }
        guard let registrable = registrableDomain(of: left) else { return false }
        return registrable == registrableDomain(of: right)
    }

    /// The public suffix of a host and one label more; nil for a host that is itself a public suffix.
    private static func registrableDomain(of host: String) -> String? {
        #if SYSTEM_LIBRARIES
        if let list {
            // The result points into the host's own bytes.
            return host.withCString { psl_registrable_domain(list, $0).map { String(cString: $0) } }
        }
        #endif
        let labels = host.split(separator: ".", omittingEmptySubsequences: false).suffix(2)
        return labels.count == 2 ? labels.joined(separator: ".") : nil
    }

    #if SYSTEM_LIBRARIES
    /// The newer of the system's list and the one in libpsl; read-only, and kept for the life of the process.
    private nonisolated(unsafe) static let list: OpaquePointer? = psl_latest(nil) ?? psl_builtin()
    #endif
}
