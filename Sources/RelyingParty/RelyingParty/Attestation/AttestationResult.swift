/// The result of a valid statement.
public struct AttestationResult: Hashable, Sendable {
    /// The kind of attestation (WebAuthn L3 §6.5.3).
    public enum Kind: String, Hashable, Sendable {
        /// No attestation.
        case none
        /// Signed with the credential's own key.
        case `self`
        /// Backed by a certificate path; only its trust anchor determines the exact kind.
        case certified
        /// Several statements of different formats about one credential.
        case compound
    }

    /// The kind.
    public let kind: Kind
    /// The certificate path in DER, leaf first; empty unless certified.
    public internal(set) var trustPath: [[UInt8]] = []
    /// The valid statements, in order; empty unless compound.
    public internal(set) var components: [AttestationComponent] = []
    /// The number of ``components`` that the relying party's policy must accept; zero unless compound.
    package internal(set) var componentsNeeded = 0
    /// The statement's deviations from its format that do not refuse it.
    package internal(set) var flags: [Reason] = []
    /// Whether the certified key's signature covers the AAGUID.
    package internal(set) var provesModel = false

    private init(kind: Kind) { self.kind = kind }

    package static let none = AttestationResult(kind: .none)

    package static let `self` = AttestationResult(kind: .`self`)

    package static func `self`(flags: [Reason]) -> AttestationResult {
        var result = AttestationResult.`self`
        result.flags = flags
        return result
    }

    package static func certified(
        _ trustPath: [[UInt8]], flags: [Reason] = [], provesModel: Bool = true
    ) -> AttestationResult {
        var result = AttestationResult(kind: .certified)
        result.trustPath = trustPath
        result.flags = flags
        result.provesModel = provesModel
        return result
    }

    /// Several valid statements, of which this many must be accepted.
    package static func compound(_ components: [AttestationComponent], needed: Int) -> AttestationResult {
        var result = AttestationResult(kind: .compound)
        result.components = components
        result.componentsNeeded = needed
        result.flags = components.flatMap(\.result.flags)
        return result
    }
}

/// One valid statement inside a compound one.
public struct AttestationComponent: Hashable, Sendable {
    /// The statement's format.
    public let format: String
    /// Its result.
    public let result: AttestationResult
}
