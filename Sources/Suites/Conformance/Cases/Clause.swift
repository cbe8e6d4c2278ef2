/// A specification whose clauses cases look at.
package enum Specification: String, Codable, CaseIterable, Sendable {
    case ctap20 = "CTAP 2.0"
    case ctap21 = "CTAP 2.1"
    case ctap22 = "CTAP 2.2"
    case ctap23 = "CTAP 2.3"
    case u2f = "U2F 1.2"
    case iso7816 = "ISO 7816-4"
    case rfc8949 = "RFC 8949"
    case rfc9052 = "RFC 9052"
    case webauthn2 = "WebAuthn L2"
    case webauthn3 = "WebAuthn L3"
    case metadata = "FIDO MDS 3.1"
    case metadataStatement = "FIDO Metadata Statement 3.1"
    case x509 = "RFC 5280"
}

/// A place in a specification.
package struct Clause: Hashable, Codable, Sendable, CustomStringConvertible {
    package let specification: Specification
    /// The section's number, such as `6.1.2`.
    package let section: String
    /// The step of the section's list, such as `12` or `7.1`; nil for the whole section.
    package let step: String?

    package init(_ specification: Specification, _ section: String, step: String? = nil) {
        self.specification = specification
        self.section = section
        self.step = step
    }

    /// A clause of CTAP 2.3.
    package static func ctap(_ section: String, step: String? = nil) -> Clause { Clause(.ctap23, section, step: step) }

    /// A clause of WebAuthn Level 3.
    package static func webauthn(_ section: String, step: String? = nil) -> Clause {
        Clause(.webauthn3, section, step: step)
    }

    /// `CTAP 2.3 §6.1.2 step 12`.
    package var description: String { "\(specification.rawValue) §\(section)" + (step.map { " step \($0)" } ?? "") }
}

/// How strongly a specification demands a behaviour (RFC 2119).
package enum Level: String, Codable, CaseIterable, Sendable {
    /// A deviation is a failure.
    case must
    /// A deviation is a warning.
    case should
    /// The case reports the subject's choice; a deviation is a warning.
    case may
}
