internal import Attestation
internal import COSE
internal import Conformance
internal import Documents
internal import ForeignParties

extension PartyDeclarations {
    /// Nothing yet.
    init(_ told: ToldFacts, _ party: ForeignParty) {
        (creation, attested, verified) = (.null, .null, .null)
        self.told = told
        hasAccounts = party.hasAccounts
        wishes = Set(
            RelyingPartyNeed.Wish.allCases.filter { wish in
                let ceremony = wish == .signInVerification ? party.signIn : party.registration
                return party.missingPlaceholder(for: wish.wishes, in: ceremony) == nil
            })
    }
}

extension RelyingPartyNeed.Wish {
    /// The request, as a ceremony has it.
    fileprivate var wishes: PartyWishes {
        var wishes = PartyWishes()
        switch self {
        case .attestation: wishes.attestation = "direct"
        case .residentKey: wishes.residentKey = "required"
        case .registrationVerification, .signInVerification: wishes.userVerification = "required"
        }
        return wishes
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
        var wishes = PartyWishes()
        wishes.account = passkey.account
        found.request = try await beginSignIn(passkey.account, wishes)?.options
        wishes.userVerification = "required"
        found.verifiedRequest = try await beginSignIn(passkey.account, wishes)?.options
        found.anonymousRequest = try? await beginSignIn(passkey.account, PartyWishes())?.options
        return found
    }

    private func scoutedCreation(_ wish: (inout PartyWishes) -> Void) async throws -> JSONValue {
        var wishes = PartyWishes()
        wish(&wishes)
        guard let begun = try await beginRegistration(wishes) else {
            throw PartyError.unexpected("the relying party gives no creation options: \(lastRefusal)")
        }
        return begun.options
    }
}
