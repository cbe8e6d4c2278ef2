internal import Mutations

/// Errors of options that relying parties have made, each in one member.
package enum OptionsMutation: String, Mutation {
    package static let room = "options"

    // Both ceremonies.
    case challengeShort, challengeAlike, challengeConstant
    case timeoutZero, timeoutShort
    case relyingPartyOther, verificationWish
    // Registrations.
    case userHandleEmpty, userHandleNamed, userHandleFresh, userHandleShared
    case algorithmsNone, algorithmsTwice, algorithmsSHA1, algorithmsFew, algorithmType
    case excludedType, residentKeyLegacy, residentKeyWish, attestationWish
    // Sign-ins.
    case allowedTransports, allowedOthers, allowedType, allowedAnonymously
}
