internal import COSE
internal import Conformance
internal import Documents
internal import ForeignParties

/// The declarations of a relying party: the options of its ceremonies, and its settings for the run.
struct PartyDeclarations: Sendable {
    /// The creation options without a request of the caller.
    var creation: JSONValue
    /// The creation options where the caller requested attestation.
    var attested: JSONValue
    /// The creation options where the caller required user verification.
    var verified: JSONValue
    /// The request options for an account; nil without a passkey.
    var request: JSONValue?
    /// The same where the caller required user verification.
    var verifiedRequest: JSONValue?
    /// The request options without an account; nil where the relying party refuses.
    var anonymousRequest: JSONValue?
    /// The requests that the description passes on.
    var requested: Set<RelyingPartyNeed.Requested>
    /// The reason why the run cannot have two accounts; nil where it can.
    var obstacleToAccounts: String?
    var told: ToldFacts

    var algorithms: [COSE.Algorithm] {
        (creation["pubKeyCredParams"]?.array ?? []).compactMap { item in
            item["alg"]?.integer.map { COSE.Algorithm(rawValue: $0) }
        }
    }

    /// The algorithm of ceremonies that do not look at one: ES256 where it is offered.
    var usualAlgorithm: COSE.Algorithm {
        let offered = algorithms
        return offered.contains(.es256) ? .es256 : offered.first(where: COSE.Algorithm.supported.contains) ?? .es256
    }

    /// The attestation conveyance preference of options; the default is `none` (WebAuthn L3 §5.4).
    static func conveyance(_ options: JSONValue) -> String { options["attestation"]?.text ?? "none" }

    /// The requirement for user verification of options; the default is `preferred` (WebAuthn L3 §5.4.4, §5.5).
    static func verification(_ options: JSONValue) -> String {
        options["userVerification"]?.text ?? options["authenticatorSelection"]?["userVerification"]?.text ?? "preferred"
    }

    func obstacle(to need: RelyingPartyNeed) -> CaseStop? {
        switch need {
        case .algorithm(let algorithm):
            return Self.demand(algorithms.contains(algorithm), "pubKeyCredParams does not offer \(algorithm)")
        case .unofferedAlgorithm(let algorithm):
            return Self.demand(!algorithms.contains(algorithm), "pubKeyCredParams offers \(algorithm)")
        case .attestation: return Self.demand(Self.conveyance(attested) != "none", "the options ask for no attestation")
        case .testRoot:
            return Self.demand(told.trustsTestRoot, "the relying party was not told the root of the test authority")
        case .metadata:
            return Self.demand(told.hasMetadata, "the relying party was not told the metadata of the suite's models")
        case .verifiedRegistration:
            return Self.demand(
                Self.verification(verified) == "required", "the options do not require user verification")
        case .unverifiedRegistration:
            return Self.demand(Self.verification(creation) != "required", "the options require user verification")
        case .verifiedSignIn, .unverifiedSignIn, .allowList, .appID: return signInObstacle(to: need)
        case .anonymousSignIn:
            return Self.demand(
                anonymousRequest.map { Self.allowed($0).isEmpty } ?? false,
                "without an account the relying party gives no options, or options that name credentials")
        case .accounts: return obstacleToAccounts.map(CaseStop.notApplicable)
        case .movableTime: return told.movesTime ? nil : .notRun("the time of the relying party cannot be moved")
        case .requested(let request):
            return Self.demand(requested.contains(request), "the description has no place for it")
        }
    }

    private func signInObstacle(to need: RelyingPartyNeed) -> CaseStop? {
        guard let request, let verifiedRequest else {
            return .blocked("no passkey could be registered, or the relying party gives no options for it")
        }
        switch need {
        case .verifiedSignIn:
            return Self.demand(
                Self.verification(verifiedRequest) == "required", "the options do not require user verification")
        case .unverifiedSignIn:
            return Self.demand(Self.verification(request) != "required", "the options require user verification")
        case .appID:
            return Self.demand(
                request["extensions"]?["appid"]?.text != nil, "the options do not ask for the extension appid")
        default: return Self.demand(!Self.allowed(request).isEmpty, "the options name no credentials")
        }
    }

    private static func demand(_ holds: Bool, _ reason: String) -> CaseStop? { holds ? nil : .notApplicable(reason) }

    static func allowed(_ options: JSONValue) -> [JSONValue] { options["allowCredentials"]?.array ?? [] }
}

/// The settings of a relying party for the run.
package struct ToldFacts: Sendable {
    /// Whether it trusts the root of the test authority (`touchstone attestation root`), and no other for its models.
    package var trustsTestRoot = false
    /// Whether it has the metadata of ``SuiteModel``.
    package var hasMetadata = false
    package var movesTime = false

    package init() {}
}
