internal import Mutations

/// Single errors that verifiers have made, each in one comparison.
package enum VerifierMutation: String, Mutation {
    package static let room = "verifier"

    // Client data.
    case typeInAnyCase, typePrefix
    case challengePrefix, challengePadding
    case originPrefix, originSuffix, originInAnyCase, originWithoutPort, originWithoutScheme, originWithoutSlash
    case crossOriginDemanded, topOriginAlone
    // Authenticator data.
    case hashPrefix, presenceByVerification, verificationByPresence, verificationDemanded
    case backupRefused, eligibilityRefused, reservedFlagsRefused, extensionsRefused
    case gainedEligibility, lostEligibility
    // The credential.
    case longIDsRefused, shortIDsRefused
    // The assertion.
    case handleOfNamedUser, handleDemanded
    case equalCounter, zeroCounter, zeroCountersRefused, signedCounter
    case signatureOverData, signatureOverHash, signatureInReverse, signatureOverDigest, signatureOverHashedHash
    // Attestation.
    case certificateCountry, certificateOrganization, certificateUnit, certificateName
    case oneOfCompound
}
