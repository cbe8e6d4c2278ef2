import Attestation
import CTAP
import Faults
import RelyingParty
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Faults of the authenticator") struct AuthenticatorFaultTests {
    static let registrationFaults = AuthenticatorFault.all.filter { $0.ceremonies.contains(.registration) }.map(\.name)
    static let assertionFaults = AuthenticatorFault.all.filter { $0.ceremonies.contains(.authentication) }.map(\.name)

    private static func told(_ ledger: Ledger) -> [String] {
        ledger.failures.flatMap { failure in
            failure.outcome.reasons.map { "\(failure.step.rawValue) \($0.label.rawValue)" }
        }
    }

    private static func fault(_ name: String) throws -> AuthenticatorFault {
        try #require(AuthenticatorFault.named(name))
    }

    private static func steps(_ fault: AuthenticatorFault, _ ceremony: String) -> [String] {
        fault.noticedBy.map(\.rawValue).filter { $0.hasPrefix(ceremony) }
    }

    @Test func ceremoniesWithoutFaultsAreAccepted() async throws {
        let rig = try CeremonyRig()
        #expect(try await rig.register().isAccepted)
        #expect(try await rig.signIn(namesCredentials: true).isAccepted)
        #expect(try await rig.signIn(namesCredentials: false).isAccepted)
    }

    @Test("A registration with a fault fails at the step it targets", arguments: registrationFaults)
    func registrationsAreCaught(name: String) async throws {
        let fault = try Self.fault(name)
        // Another model is detected only with a certificate.
        let rig = try CeremonyRig(attestation: name == "aaguid" ? [.packedBasic] : [.packed])
        // An earlier credential, for faults that repeat its data.
        #expect(try await rig.register().isAccepted)
        await rig.authenticator.arm(fault)
        let ledger = try await rig.register()
        #expect(!ledger.isAccepted)
        #expect(
            !Set(ledger.failures.map(\.step.rawValue)).isDisjoint(with: Self.steps(fault, "r")), "\(ledger.failures)")
        #expect(rig.credentials.count == 1)
        // The device itself works.
        await rig.authenticator.clearFaults()
        #expect(try await rig.register().isAccepted)
    }

    @Test("An assertion with a fault fails at the step it targets", arguments: assertionFaults)
    func assertionsAreCaught(name: String) async throws {
        let fault = try Self.fault(name)
        // The step that checks the user handle depends on whether the account is known beforehand.
        let steps = Self.steps(fault, "a")
        for namesCredentials in [true, false] where namesCredentials ? steps != ["a3"] : !steps.contains("a1") {
            let rig = try CeremonyRig()
            #expect(try await rig.register().isAccepted)
            #expect(try await rig.signIn(namesCredentials: namesCredentials).isAccepted)
            await rig.authenticator.arm(fault)
            for _ in 1...2 {
                let ledger = try await rig.signIn(namesCredentials: namesCredentials)
                #expect(!ledger.isAccepted)
                #expect(
                    !Set(ledger.failures.map(\.step.rawValue)).isDisjoint(with: steps),
                    "named: \(namesCredentials), \(ledger.failures)")
            }
        }
    }

    @Test("Every kind of attestation without a flaw is accepted", arguments: AttestationKind.allCases)
    func everyKindIsAccepted(kind: AttestationKind) async throws {
        let rig = try CeremonyRig(attestation: [kind])
        let ledger = try await rig.register()
        #expect(ledger.isAccepted, "\(ledger.failures)")
        #expect(try await rig.signIn(namesCredentials: true).isAccepted)
    }

    @Test("Every flaw has its own reason", arguments: AttestationFlaw.allCases)
    func everyFlawHasItsOwnReason(flaw: AttestationFlaw) async throws {
        for kind in flaw.description.kinds {
            let rig = try CeremonyRig(attestation: [kind])
            await rig.authenticator.arm(try Self.fault("attestation-\(flaw.rawValue)"))
            let ledger = try await rig.register()
            let told = Self.told(ledger)
            #expect(told.contains("\(flaw.description.step.rawValue) \(flaw.description.reason)"), "\(kind): \(told)")
        }
    }

    @Test func armedFlawsAreAppliedOneAtATime() async throws {
        let rig = try CeremonyRig(attestation: [.packedBasic])
        await rig.authenticator.arm(try Self.fault("attestation-expired"), times: 1)
        await rig.authenticator.arm(try Self.fault("attestation-wrong-model"), times: 1)
        #expect(try await Self.told(rig.register()).contains("r17 attestation.certificate.expired"))
        #expect(await rig.authenticator.armedFaults.map(\.name) == ["attestation-wrong-model"])
        #expect(try await Self.told(rig.register()).contains("r16 attestation.certificate.aaguidMismatch"))
        #expect(try await rig.register().isAccepted)
    }

    @Test func faultArmedForTwoResponsesDoesNotChangeTheThird() async throws {
        let rig = try CeremonyRig()
        #expect(try await rig.register().isAccepted)
        await rig.authenticator.arm(try Self.fault("signature"), times: 2)
        #expect(try await !rig.signIn(namesCredentials: true).isAccepted)
        #expect(try await !rig.signIn(namesCredentials: true).isAccepted)
        #expect(await rig.authenticator.armedFaults.isEmpty)
        #expect(try await rig.signIn(namesCredentials: true).isAccepted)
    }

    @Test func namesAreUniqueAndEveryFaultNamesItsObservers() {
        let names = AuthenticatorFault.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Fault.catalogue.allSatisfy { !$0.noticedBy.isEmpty })
    }
}
