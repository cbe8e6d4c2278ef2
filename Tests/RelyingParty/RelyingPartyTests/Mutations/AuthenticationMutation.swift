import CBOR
import COSE
import RelyingParty
import Testing
import WebAuthn

/// A named change to a valid authentication, and its expected result.
struct AuthenticationMutation: Sendable, CustomTestStringConvertible {
    let name: String
    /// The steps that must fail, each with one of its reasons; empty when the response stays valid.
    let caughtBy: [VerificationStep: ReasonLabel]
    /// Whether it applies only to an ECDSA credential.
    let isForECDSA: Bool
    let apply: @Sendable (inout AuthenticationSample) throws -> Void

    init(
        _ name: String, caughtBy: [VerificationStep: ReasonLabel], isForECDSA: Bool = false,
        apply: @escaping @Sendable (inout AuthenticationSample) throws -> Void
    ) {
        self.name = name
        self.caughtBy = caughtBy
        self.isForECDSA = isForECDSA
        self.apply = apply
    }

    var testDescription: String {
        let steps = caughtBy.keys.map(\.rawValue).sorted().joined(separator: " ")
        return "\(name) → \(steps.isEmpty ? "accepted" : steps)"
    }

    static let all = response + users + clientDataRules + authenticatorDataRules + signatures + counters

    private static let response: [AuthenticationMutation] = [
        AuthenticationMutation("nothing", caughtBy: [:]) { _ in },
        AuthenticationMutation(
            "a credential that was not allowed", caughtBy: [.allowedCredential: .credentialNotAllowed]
        ) {
            $0.expectation.allowedCredentials = [[1, 2, 3]]
        },
        AuthenticationMutation("one of several allowed credentials", caughtBy: [:]) {
            $0.expectation.allowedCredentials.insert([1, 2, 3], at: 0)
        },
        AuthenticationMutation("no list of allowed credentials", caughtBy: [:]) {
            $0.expectation.allowedCredentials = []
        },
        AuthenticationMutation("id is not rawId", caughtBy: [.allowedCredential: .credentialIDMismatch]) {
            $0.editResponse = { $0.id = Base64URL.encode([1, 2, 3]) }
        },
        AuthenticationMutation("another credential type", caughtBy: [.allowedCredential: .credentialTypeInvalid]) {
            $0.editResponse = { $0.type = "password" }
        },
    ]

    private static let users: [AuthenticationMutation] = [
        AuthenticationMutation("known user, no handle", caughtBy: [:]) { $0.userHandle = nil },
        AuthenticationMutation("known user, foreign handle", caughtBy: [.knownUser: .userHandleMismatch]) {
            $0.userHandle = Example.otherUserHandle
        },
        AuthenticationMutation("known user, another user's credential", caughtBy: [.knownUser: .credentialOtherUser]) {
            $0.record?.userHandle = Example.otherUserHandle
        },
        AuthenticationMutation(
            "known user, another user's credential and handle", caughtBy: [.knownUser: .credentialOtherUser]
        ) {
            $0.record?.userHandle = Example.otherUserHandle
            $0.userHandle = Example.otherUserHandle
        },
        AuthenticationMutation("known user without this credential", caughtBy: [.knownUser: .credentialUnknown]) {
            $0.record = nil
        },
        AuthenticationMutation(
            "a look-up that answers with another credential", caughtBy: [.knownUser: .credentialUnknown]
        ) {
            $0.record?.id = [1, 2, 3]
        },
        AuthenticationMutation("unknown user, own handle", caughtBy: [:]) { $0.expectation.user = .unknown },
        AuthenticationMutation("unknown user, no handle", caughtBy: [.userHandle: .userHandleMissing]) {
            $0.expectation.user = .unknown
            $0.userHandle = nil
        },
        AuthenticationMutation("unknown user, foreign handle", caughtBy: [.userHandle: .userHandleMismatch]) {
            $0.expectation.user = .unknown
            $0.userHandle = Example.otherUserHandle
        },
        AuthenticationMutation("unknown user, empty handle", caughtBy: [.userHandle: .userHandleMismatch]) {
            $0.expectation.user = .unknown
            $0.userHandle = []
        },
        AuthenticationMutation("unknown user, unknown credential", caughtBy: [.userHandle: .credentialUnknown]) {
            $0.expectation.user = .unknown
            $0.record = nil
        },
    ]

    private static let clientDataRules = ClientDataMutation.all.map { mutation in
        let first = mutation.caughtBy.min { $0.key.rawValue < $1.key.rawValue }
        return AuthenticationMutation(
            "client data: \(mutation.name)", caughtBy: first.map { [.assertionClientData: $0.value] } ?? [:]
        ) { mutation.apply(&$0.clientData, &$0.rawClientData, &$0.expectation.ceremony) }
    }

    /// An assertion scoped to an app ID (WebAuthn L3 §10.1.1).
    private static func appID(
        _ name: String, requested: Bool, stated: Bool, isValid: Bool
    ) -> AuthenticationMutation {
        AuthenticationMutation(
            name, caughtBy: isValid ? [:] : [.assertionAuthenticatorData: .relyingPartyIDHashMismatch]
        ) {
            $0.expectation.appID = requested ? Example.appID : nil
            $0.authenticatorData.relyingPartyIDHash = sha256(Array(Example.appID.utf8))
            $0.editResponse = { $0.clientExtensionResults.appid = stated }
        }
    }

    private static let authenticatorDataRules: [AuthenticationMutation] = [
        AuthenticationMutation(
            "another RP's hash", caughtBy: [.assertionAuthenticatorData: .relyingPartyIDHashMismatch]
        ) {
            $0.authenticatorData.relyingPartyIDHash = sha256(Array("example.com".utf8))
        },
        appID("the app ID's hash, as the client states", requested: true, stated: true, isValid: true),
        appID("the app ID's hash, which the client does not state", requested: true, stated: false, isValid: false),
        appID("the app ID's hash, which was not requested", requested: false, stated: true, isValid: false),
        AuthenticationMutation(
            "the RP's hash, though the client states the app ID",
            caughtBy: [.assertionAuthenticatorData: .relyingPartyIDHashMismatch]
        ) {
            $0.expectation.appID = Example.appID
            $0.editResponse = { $0.clientExtensionResults.appid = true }
        },
        AuthenticationMutation(
            "authenticator data ends early", caughtBy: [.assertionAuthenticatorData: .authenticatorDataTruncated]
        ) {
            $0.rawAuthenticatorData = $0.authenticatorData.encoded.dropLast()
        },
        AuthenticationMutation(
            "a byte after authenticator data", caughtBy: [.assertionAuthenticatorData: .authenticatorDataSurplus]
        ) {
            $0.rawAuthenticatorData = $0.authenticatorData.encoded + [0]
        },
        AuthenticationMutation(
            "attested credential data", caughtBy: [.assertionAuthenticatorData: .attestedDataUnexpected]
        ) {
            $0.authenticatorData.attestedCredentialData = AttestedCredentialData(
                aaguid: .zero, credentialID: [1], credentialPublicKey: 1)
            $0.authenticatorData.flags.insert(.attestedCredentialData)
        },
        AuthenticationMutation(
            "ED set, no extensions", caughtBy: [.assertionAuthenticatorData: .authenticatorDataTruncated]
        ) {
            $0.authenticatorData.flags.insert(.extensionData)
        },
        AuthenticationMutation("UP not set", caughtBy: [.assertionUserPresence: .userPresentMissing]) {
            $0.authenticatorData.flags.remove(.userPresent)
        },
        AuthenticationMutation(
            "UV not set though required", caughtBy: [.assertionUserVerification: .userVerifiedMissing]
        ) {
            $0.authenticatorData.flags.remove(.userVerified)
            $0.expectation.ceremony.userVerification = .required
        },
        AuthenticationMutation("UV not set, merely preferred", caughtBy: [:]) {
            $0.authenticatorData.flags.remove(.userVerified)
        },
        AuthenticationMutation("BS set, BE not", caughtBy: [.assertionBackup: .backupStateWithoutEligibility]) {
            $0.authenticatorData.flags.remove(.backupEligible)
            $0.authenticatorData.flags.insert(.backupState)
            $0.record?.backupEligible = false
        },
        AuthenticationMutation("BE newly set", caughtBy: [.assertionBackup: .backupEligibilityChanged]) {
            $0.authenticatorData.flags.insert(.backupEligible)
            $0.record?.backupEligible = false
        },
        AuthenticationMutation("BE no longer set", caughtBy: [.assertionBackup: .backupEligibilityChanged]) {
            $0.authenticatorData.flags.subtract([.backupEligible, .backupState])
            $0.record?.backupEligible = true
        },
        AuthenticationMutation("BS against policy", caughtBy: [.assertionBackup: .backupStateAgainstPolicy]) {
            $0.authenticatorData.flags.subtract([.backupEligible, .backupState])
            $0.record?.backupEligible = false
            $0.expectation.ceremony.backup.state = .required
        },
        AuthenticationMutation("BS newly set", caughtBy: [:]) {
            $0.authenticatorData.flags.formUnion([.backupEligible, .backupState])
            $0.record?.backupEligible = true
            $0.record?.backupState = false
        },
    ]

    private static let signatures: [AuthenticationMutation] =
        [
            AuthenticationMutation("signed with another key", caughtBy: [.signature: .signatureInvalid]) {
                var calls: UInt8 = 0
                $0.signingKey = try .generate($0.credentialKey.algorithm) { count in
                    calls += 1
                    return [UInt8](repeating: calls, count: count)
                }
            },
            AuthenticationMutation("signed over other client data", caughtBy: [.signature: .signatureInvalid]) {
                let signature = try $0.response().response.signature.bytes
                $0.rawClientData = $0.clientData.encoded + [0x20]
                $0.editSignature = { _ in signature }
            },
            AuthenticationMutation("signed over another counter", caughtBy: [.signature: .signatureInvalid]) {
                let signature = try $0.response().response.signature.bytes
                $0.authenticatorData.signCount = 77
                $0.editSignature = { _ in signature }
            },
            AuthenticationMutation("the last byte of the signature flipped", caughtBy: [.signature: .signatureInvalid])
            {
                $0.editSignature = { $0.dropLast() + [($0.last ?? 0) ^ 1] }
            },
            AuthenticationMutation("a bad signature under changed flags", caughtBy: [.signature: .signatureInvalid]) {
                $0.record?.backupEligible = true
                $0.authenticatorData.flags.insert(.backupEligible)
                let signature = try $0.response().response.signature.bytes
                $0.authenticatorData.flags.formSymmetricDifference([.backupState, .userVerified])
                $0.editSignature = { _ in signature }
            },
            AuthenticationMutation("a stored key that cannot be read", caughtBy: [.signature: .storedKeyInvalid]) {
                $0.record?.publicKey = [0xA0]
            },
        ]
        + ECDSABreakage.malformed.map { breakage in
            AuthenticationMutation(breakage.name, caughtBy: [.signature: .signatureMalformed], isForECDSA: true) {
                $0.editSignature = breakage.edit
            }
        }

    private static func counter(
        _ name: String, stored: UInt32, received: UInt32, isCaught: Bool
    ) -> AuthenticationMutation {
        AuthenticationMutation("counter: \(name)", caughtBy: isCaught ? [.signatureCounter: .counterNotIncreased] : [:])
        {
            $0.record?.signCount = stored
            $0.authenticatorData.signCount = received
        }
    }

    private static let counters: [AuthenticationMutation] = [
        counter("both zero", stored: 0, received: 0, isCaught: false),
        counter("one up", stored: 41, received: 42, isCaught: false),
        counter("a leap", stored: 1, received: .max, isCaught: false),
        counter("the first one after zero", stored: 0, received: 1, isCaught: false),
        counter("equal", stored: 42, received: 42, isCaught: true),
        counter("lower", stored: 42, received: 41, isCaught: true),
        counter("zero after non-zero", stored: 42, received: 0, isCaught: true),
        counter("wrapped round", stored: .max, received: 1, isCaught: true),
        AuthenticationMutation("counter: lower, flagged by policy", caughtBy: [:]) {
            $0.record?.signCount = 42
            $0.authenticatorData.signCount = 41
            $0.expectation.counterPolicy = .flag
        },
    ]
}
