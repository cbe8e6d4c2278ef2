internal import Attestation
internal import COSE
internal import Conformance
internal import Documents
internal import ForeignParties

extension PartyDeclarations {
    init(_ told: ToldFacts, _ party: ForeignParty) {
        (creation, attested, verified) = (.null, .null, .null)
        self.told = told
        obstacleToAccounts = party.obstacleToAccounts
        requested = Set(
            RelyingPartyNeed.Requested.allCases.filter { request in
                let ceremony = request == .signInVerification ? party.signIn : party.registration
                return request == .displayName
                    ? party.takesDisplayName : party.missingPlaceholder(for: request.requirements, in: ceremony) == nil
            })
    }
}

extension RelyingPartyNeed.Requested {
    fileprivate var requirements: PartyRequirements {
        var requirements = PartyRequirements()
        switch self {
        case .attestation: requirements.attestation = "direct"
        case .residentKey: requirements.residentKey = "required"
        case .registrationVerification, .signInVerification: requirements.userVerification = "required"
        case .displayName: break
        }
        return requirements
    }
}

extension RelyingPartyBench {
    /// The declarations of the relying party, read with an account of its own.
    func scouted() async throws -> PartyDeclarations {
        var found = declarations
        found.creation = try await scoutedCreation { _ in }
        found.attested = try await scoutedCreation { $0.attestation = "direct" }
        found.verified = try await scoutedCreation { $0.userVerification = "required" }
        let form = RegistrationForm(kind: .none, algorithm: found.usualAlgorithm)
        guard let passkey = try? await newPasskey(form) else { return found }
        var requirements = PartyRequirements(account: passkey.account)
        found.request = try await beginSignIn(passkey.account, requirements)?.options
        requirements.userVerification = "required"
        found.verifiedRequest = try await beginSignIn(passkey.account, requirements)?.options
        found.anonymousRequest = try? await beginSignIn(passkey.account, PartyRequirements())?.options
        return found
    }

    private func scoutedCreation(_ require: (inout PartyRequirements) -> Void) async throws -> JSONValue {
        var requirements = PartyRequirements()
        require(&requirements)
        guard let begun = try await beginRegistration(requirements) else {
            throw PartyError.unexpected("the relying party gives no creation options: \(lastRefusal)")
        }
        return begun.options
    }
}
