internal import Attestation
internal import CBOR
internal import COSE
internal import Conformance

/// A kind of attestation with the preconditions of its cases.
struct AttestedFormat: Sendable {
    let kind: AttestationKind
    let name: String
    /// The name in titles, with its article.
    let noun: String
    let section: String
    /// The section of the rules for its leaf certificate.
    let certificateSection: String
    /// The members of the statement, each with a value of a wrong type.
    let members: [(name: String, wrong: CBOR.Value)]
    var isCertified = true
    /// Whether the format has the member sig.
    var isSigned = true

    var form: RegistrationForm { RegistrationForm(kind: kind) }

    static let all: [AttestedFormat] = [
        AttestedFormat(
            kind: .packedBasic, name: "packed", noun: "a packed statement", section: "8.2", certificateSection: "8.2.1",
            members: [("alg", "ES256"), ("sig", 1), ("x5c", 1)]),
        AttestedFormat(
            kind: .packed, name: "packedSelf", noun: "a packed self statement", section: "8.2",
            certificateSection: "8.2", members: [("alg", "ES256"), ("sig", 1)], isCertified: false),
        AttestedFormat(
            kind: .fidoU2F, name: "fidoU2F", noun: "a fido-u2f statement", section: "8.6", certificateSection: "8.6",
            members: [("sig", 1), ("x5c", 1)]),
        AttestedFormat(
            kind: .tpm, name: "tpm", noun: "a tpm statement", section: "8.3", certificateSection: "8.3.1",
            members: [("ver", 2), ("alg", "ES256"), ("x5c", 1), ("sig", 1), ("certInfo", 1), ("pubArea", 1)]),
        AttestedFormat(
            kind: .tpmRS1, name: "tpmRS1", noun: "a tpm statement signed with RS1", section: "8.3",
            certificateSection: "8.3.1", members: []),
        AttestedFormat(
            kind: .androidKey, name: "androidKey", noun: "an android-key statement", section: "8.4",
            certificateSection: "8.4.1", members: [("alg", "ES256"), ("sig", 1), ("x5c", 1)]),
        AttestedFormat(
            kind: .apple, name: "apple", noun: "an apple statement", section: "8.8", certificateSection: "8.8",
            members: [("x5c", 1)], isSigned: false),
        AttestedFormat(
            kind: .compound, name: "compound", noun: "a compound statement", section: "8.9", certificateSection: "8.9",
            members: [], isSigned: false),
    ]

    func registration(
        _ id: String, _ what: String, is outcome: CeremonyOutcome = .refused, level: Level = .must,
        clause: Clause? = nil, needs: [RelyingPartyNeed] = [],
        _ change: @escaping RelyingPartyBench.RegistrationChange
    ) -> Case {
        let form = form
        return Case(
            "attestation.\(name).\(id)", "A registration with \(noun)\(what) is \(outcome.word).",
            clause ?? .webauthn(section), level: level, needs: [.attestation] + needs, effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.register(form, recorder, is: outcome, change)
        }
    }

    /// A case that changes the members of the finished statement.
    func statement(
        _ id: String, _ what: String, is outcome: CeremonyOutcome = .refused, level: Level = .must,
        clause: Clause? = nil, needs: [RelyingPartyNeed] = [],
        _ change: @escaping @Sendable (inout CBOR.Map, (([UInt8]) throws -> [UInt8])) throws -> Void
    ) -> Case {
        registration(id, what, is: outcome, level: level, clause: clause, needs: needs) {
            $0.changeStatement = { value, sign in
                guard case .map(var map) = value else { return }
                try change(&map, sign)
                value = .map(map)
            }
        }
    }
}
