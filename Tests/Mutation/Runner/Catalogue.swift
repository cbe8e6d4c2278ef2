internal import AuthenticatorSuite
internal import CBOR
internal import COSE
internal import Conformance
internal import DeviceProfiles
internal import Faults
internal import Foundation
internal import ProfileFiles
internal import RelyingParty
internal import RelyingPartySuite
internal import WebAuthn

/// The catalogue for the tables: the cases of the suites, and the members of families that the program lists.
struct Catalogue: Encodable {
    /// The identifiers of each suite's cases, in order.
    let cases: [String: [String]]
    /// The members of families, by the family's prefix.
    let families: [String: [String]]
    /// The labels that are composed from the rules of CBOR.
    let composedLabels: [String]
    /// The names of the faults.
    let faults: [String]
    /// The profiles with faults of their own.
    let quirks: [String]

    static func current() async throws -> Catalogue {
        Catalogue(
            cases: [
                "authenticator": AuthenticatorSuite.all.cases.map(\.description.id),
                "relying-party": RelyingPartySuite.all.cases.map(\.description.id),
            ],
            families: [
                "verifier.": VerificationStep.allCases.map(\.rawValue),
                "verifier.verifiesNot:": COSE.Algorithm.supported.map { "\($0)" },
                "verifier.accepts:": AuthenticatorStatus.compromised.map(\.rawValue),
                "message.lacks:": CommandMember.ofResponses.map(\.name),
                "message.ignores:": CommandMember.ofRequests.map(\.name),
            ],
            composedLabels: ["attestationObject", "authenticatorData"].flatMap { part in
                CBOR.Rule.allCases.map { "\(part).\($0.rawValue)" }
            },
            // Apps notice faults of systems, and runs of scenarios show each fault of hybrid connections.
            faults: Fault.catalogue.filter { $0.layer != .platform && $0.layer != .hybrid }.map(\.name),
            quirks: try AuthenticatorUnderTest.library.files().map(ProfileLibrary.read)
                .filter { !$0.faults.isEmpty }.map(\.name))
    }
}
