internal import Attestation
internal import Conformance

typealias Case = ConformanceCase<RelyingPartyBench>
typealias Group = ConformanceGroup<RelyingPartyBench>

extension Case {
    /// A case that registers with one change.
    ///
    /// - Parameter what: the change, as a noun phrase after "with".
    static func registration(
        _ id: String, with what: String, is outcome: CeremonyOutcome, _ clause: Clause, level: Level = .must,
        needs: [RelyingPartyNeed] = [], form: RegistrationForm = RegistrationForm(),
        _ change: @escaping RelyingPartyBench.RegistrationChange
    ) -> Case {
        Case(
            "registration.\(id)", "A registration with \(what) is \(outcome.word).", clause, level: level, needs: needs,
            effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.register(form, recorder, is: outcome, change)
        }
    }

    /// A case that signs in with one change.
    static func assertion(
        _ id: String, with what: String, is outcome: CeremonyOutcome, _ clause: Clause, level: Level = .must,
        needs: [RelyingPartyNeed] = [], form: SignInForm = SignInForm(),
        _ change: @escaping RelyingPartyBench.AssertionChange
    ) -> Case {
        Case(
            "assertion.\(id)", "An assertion with \(what) is \(outcome.word).", clause, level: level, needs: needs,
            effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.signIn(form, recorder, is: outcome, change)
        }
    }
}

/// A step of the verification that both ceremonies have.
enum SharedStep: Sendable {
    case instance, decoding, parsing, type, challenge, origin, crossOrigin, topOrigin, relyingPartyID
    case presence, verification, backup, authenticatorData

    func clause(_ ceremony: TestedCeremony) -> Clause {
        let numbers: (registration: String, assertion: String)? =
            switch self {
            case .instance: ("3", "3")
            case .decoding: ("5", "8")
            case .parsing: ("6", "9")
            case .type: ("7", "10")
            case .challenge: ("8", "11")
            case .origin: ("9", "12")
            case .crossOrigin: ("10", "13")
            case .topOrigin: ("11", "14")
            case .relyingPartyID: ("14", "15")
            case .presence: ("15", "16")
            case .verification: ("16", "17")
            case .backup: ("17", "18")
            case .authenticatorData: nil
            }
        guard let numbers else { return .webauthn("6.1") }
        return .webauthn(ceremony.section, step: ceremony == .registration ? numbers.registration : numbers.assertion)
    }
}
