internal import Attestation
internal import COSE
internal import Conformance

/// The cases of authenticator metadata (FIDO MDS 3.1 §3.1.3 and §3.1.4), which the relying party's policy acts on.
enum AuthenticatorMetadataCases {
    private static func model(
        _ id: String, _ what: String, _ model: SuiteModel, is outcome: CeremonyOutcome, _ clause: Clause,
        level: Level = .should, algorithm: COSE.Algorithm = .es256, flaw: AttestationFlaw? = nil
    ) -> Case {
        Case(
            "metadata.\(id)", "A registration with \(what) is \(outcome.word).", clause, level: level,
            needs: [.metadata, .attestation, .algorithm(algorithm)], effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.requireControl(RegistrationForm(kind: .packedBasic, algorithm: algorithm))
            let form = RegistrationForm(kind: .packedBasic, algorithm: algorithm, model: model)
            bench.judge(try await bench.registration(form) { $0.flaw = flaw }.reply, outcome, recorder)
        }
    }

    private static let status = Clause(.metadata, "3.1.4")

    static let all: [Case] = [
        model("status.certified", "a certified model", .certified, is: .accepted, status),
        model("status.updateAvailable", "a model with an update available", .updateAvailable, is: .accepted, status),
        model("status.revoked", "a revoked model", .revoked, is: .refused, status),
        model(
            "status.verificationBypass", "a model whose user verification can be bypassed", .verificationBypass,
            is: .refused, status),
        model(
            "status.attestationKey", "a model whose attestation key is compromised", .attestationKey, is: .refused,
            status),
        model(
            "status.remoteCompromise", "a model whose keys can be extracted remotely", .remoteCompromise, is: .refused,
            status),
        model(
            "status.physicalCompromise", "a model whose keys can be extracted with the device", .physicalCompromise,
            is: .refused, status),
        model(
            "attestationType", "a certificate of a model that has self attestation only", .surrogateOnly, is: .refused,
            Clause(.metadata, "3.1.1")),
        model(
            "intermediateAnchor", "the leaf alone of a model whose trust anchor is the leaf's issuer",
            .intermediateAnchor, is: .accepted, .webauthn("7.1", step: "24"), level: .must, flaw: .missingIntermediate),
        model(
            "leafAnchor", "a certificate that is itself the model's trust anchor", .leafAnchor, is: .accepted,
            .webauthn("7.1", step: "24"), flaw: .missingIntermediate),
        model(
            "algorithm", "an algorithm that the model's statement does not list", .certified, is: .refused,
            Clause(.metadata, "3.1.1"), algorithm: .es384),
    ]
}
