internal import Mutations

/// Behaviours of the authenticator that a mutation run switches off.
///
/// The refusals have a family of their own, ``RefusalMutation``.
package enum AuthenticatorMutation: String, Mutation {
    package static let room = "authenticator"

    // MARK: Messages and runs of commands

    /// A request must be canonical CBOR.
    case canonicalRequests
    /// Another command ends a run of assertions.
    case assertionsEnd
    /// Another command ends an enumeration.
    case enumerationsEnd
    /// A run of commands ends together with its token.
    case stateTokenCheck
    /// Each getNextAssertion starts the timer of the next one.
    case nextAssertionTimer

    // MARK: Data and signatures

    /// UP is set when the user was present, and only then.
    case userPresentFlag
    /// UV is set when the user was verified, and only then.
    case userVerifiedFlag
    /// The counter grows with each signature.
    case counterIncrement
    /// An assertion's signature covers the client data's hash.
    case signedHash
    /// The newest account answers first.
    case newestFirst
    /// Names of accounts go out to a verified user only.
    case namesNeedVerification
    /// Only discoverable credentials answer with a user handle.
    case handleOfDiscoverable
    /// A GetAssertion with `up` false asks for no touch.
    case silentLookup

    // MARK: Credentials

    /// The option `rk` makes a discoverable credential.
    case residentKey
    /// A new discoverable credential replaces its account's earlier one.
    case accountReplaced
    /// The first algorithm of the request that the device has is taken.
    case preferredAlgorithm
    /// Entries of unknown types are skipped.
    case unknownTypesSkipped
    /// An excluded credential that requires user verification stays hidden without it.
    case excludedStaysHidden
    /// A credential can be deleted.
    case credentialDeletion
    /// The user of a credential can be changed.
    case credentialUpdate

    // MARK: PIN

    /// An attempt costs a retry.
    case retryCount
    /// The right PIN restores the retries.
    case retriesRestored
    /// The right PIN restores the built-in retries.
    case uvRetriesRestored
    /// The PIN is compared.
    case pinComparison
    /// Three wrong PINs in a row block until the power is cycled.
    case consecutiveMismatches
    /// The right PIN ends the count of wrong ones in a row.
    case mismatchesForgotten
    /// A power cycle ends the block.
    case powerEndsBlock
    /// A PIN's length is that of its code points.
    case codePoints
    /// A new PIN meets the demand to change it.
    case changeFulfilled
    /// A wrong PIN ends the key agreement.
    case keyAgreementEndsWithMismatch
    /// The power ends the key agreement.
    case keyAgreementEndsWithPower

    // MARK: Tokens

    /// A token belongs to the relying party of its first use.
    case tokenBinding
    /// A new token ends the earlier ones.
    case tokenReplaced
    /// A test of user presence spends a token's permissions.
    case tokenPermissionsSpent
    /// The permission for large blobs is not spent.
    case largeBlobPermissionKept
    /// A test of user presence spends a token's verification.
    case tokenVerificationSpent
    /// A test of user presence spends a token's evidence of presence.
    case tokenPresenceSpent
    /// The evidence of presence ends after thirty seconds.
    case userPresentLimit
    /// An unused token ends.
    case initialUseLimit
    /// A token ends.
    case tokenLifetime
    /// The power ends the tokens.
    case tokensEndWithPower
    /// A new PIN ends the tokens.
    case tokenEndsWithPIN
    /// A new PIN ends the persistent token.
    case persistentTokenEndsWithPIN
    /// The demand to change the PIN ends the tokens.
    case tokenEndsWithDemand

    // MARK: Reset

    /// A reset erases the credentials on the device.
    case resetErasesCredentials
    /// A reset ends the credentials that are sealed in their IDs.
    case resetRenewsKeys
    /// A reset erases the PIN.
    case resetErasesPIN
    /// A reset erases the fingerprints.
    case resetErasesFingerprints
    /// A reset erases the large blobs.
    case resetErasesLargeBlobs
    /// A reset renews the identifier.
    case resetRenewsIdentifier
    /// A reset restores always-require-UV as it left the factory.
    case resetEndsAlwaysUV
    /// A reset disables enterprise attestation.
    case resetDisablesEnterpriseAttestation

    // MARK: Configuration and fingerprints

    /// toggleAlwaysUv switches always-require-UV.
    case alwaysUVToggle
    /// setMinPINLength sets the minimum.
    case minimumLengthKept
    /// setMinPINLength sets the relying parties that may read the minimum.
    case minimumLengthReaders
    /// A PIN that is too short, or forceChangePin, demands a new PIN.
    case changeDemanded
    /// An enrolment can be cancelled.
    case enrolmentCancelled
    /// A bad sample is none.
    case badSample
    /// Fingers can be enrolled, renamed and removed.
    case templateChange

    // MARK: Extensions and large blobs

    /// The level of credProtect is kept.
    case protectionKept
    /// A credential of level 2 is hidden from requests that neither name it nor verify the user.
    case protectionByList
    /// A credential of level 3 is hidden without user verification.
    case protectionByVerification
    /// hmac-secret has another secret with user verification.
    case secretWithoutVerification
    /// Each credential has its own hmac-secret.
    case secretOfCredential
    /// A blob of a credential is kept.
    case blobKept
    /// A blob that is too long is not kept.
    case blobLimit
    /// Only chosen relying parties read the PIN policy.
    case pinPolicyReaders
    /// A large-blob array that was written is kept.
    case largeBlobKept

    // MARK: U2F

    /// Always-require-UV switches U2F off.
    case u2fWithoutVerification
    /// The request for the version has no data.
    case u2fVersionLength
    /// A registration needs a touch.
    case u2fRegistrationTouch
    /// An authentication needs a touch.
    case u2fTouch
    /// A check of a key handle signs nothing.
    case u2fCheckOnly
    /// The byte of user presence is set when the user was present, and only then.
    case u2fPresenceByte
    /// The signature covers the challenge.
    case u2fSignedChallenge
    /// A credential that requires user verification is hidden from U2F.
    case u2fProtection
}
