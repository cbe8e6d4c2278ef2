package import COSE

/// A precondition of a case, which the relying party's declarations meet or not.
package enum RelyingPartyNeed: Hashable, Sendable, CustomStringConvertible {
    case algorithm(COSE.Algorithm)
    case unofferedAlgorithm(COSE.Algorithm)
    /// The creation options ask for attestation where a ceremony requests it.
    case attestation
    case testRoot
    case metadata
    /// The creation options require user verification where a ceremony requests it.
    case verifiedRegistration
    /// The request options require user verification where a ceremony requests it.
    case verifiedSignIn
    case unverifiedRegistration
    case unverifiedSignIn
    case allowList
    case anonymousSignIn
    /// The request options ask for the extension appid.
    case appID
    case accounts
    case movableTime
    /// The description passes a requested value on to the request that begins a ceremony.
    case requested(Requested)

    /// A value that a ceremony may request.
    package enum Requested: String, CaseIterable, Sendable {
        case attestation
        case residentKey = "resident key"
        case registrationVerification = "user verification at registration"
        case signInVerification = "user verification at sign-in"
        case displayName = "a display name"
    }

    package var description: String {
        switch self {
        case .algorithm(let algorithm): "\(algorithm) in pubKeyCredParams"
        case .unofferedAlgorithm(let algorithm): "no \(algorithm) in pubKeyCredParams"
        case .attestation: "options that ask for attestation"
        case .testRoot: "the root of the test authority as a trust anchor"
        case .metadata: "the metadata of the suite's models"
        case .verifiedRegistration: "registration options that require user verification"
        case .verifiedSignIn: "sign-in options that require user verification"
        case .unverifiedRegistration: "registration options that do not require user verification"
        case .unverifiedSignIn: "sign-in options that do not require user verification"
        case .allowList: "sign-in options that list the account's credentials"
        case .anonymousSignIn: "a sign-in without an account's name"
        case .appID: "sign-in options with the extension appid"
        case .accounts: "accounts"
        case .movableTime: "a relying party whose time can be moved"
        case .requested(let requested): "a place for \(requested.rawValue) in the description"
        }
    }
}
