import CBOR
import COSE
import RelyingParty
import WebAuthn

extension RegistrationMutation {
    private static func raw(
        _ name: String, _ label: ReasonLabel, _ edit: @escaping @Sendable (AuthenticatorData) -> [UInt8]
    ) -> RegistrationMutation {
        RegistrationMutation("authenticator data: \(name)", caughtBy: [.attestedCredentialData: label]) {
            $0.rawAuthenticatorData = edit($0.authenticatorData)
        }
    }

    static let authenticatorDataRules: [RegistrationMutation] =
        head + [
            raw("AT not set, the data still there", .attestedDataMissing) {
                var data = $0
                data.flags.remove(.attestedCredentialData)
                return data.encoded
            },
            RegistrationMutation("AT not set, no data", caughtBy: [.attestedCredentialData: .attestedDataMissing]) {
                $0.rawAuthenticatorData =
                    AuthenticatorData(
                        relyingPartyIDHash: $0.authenticatorData.relyingPartyIDHash,
                        flags: $0.authenticatorData.flags, signCount: 0
                    ).encoded
            },
            raw("empty", .authenticatorDataTruncated) { _ in [] },
            raw("ends inside its head", .authenticatorDataTruncated) { Array($0.encoded.prefix(36)) },
            raw("ends inside the AAGUID", .authenticatorDataTruncated) { Array($0.encoded.prefix(50)) },
            raw("ends inside the credential ID", .authenticatorDataTruncated) { Array($0.encoded.prefix(60)) },
            raw("ends inside the key", .authenticatorDataTruncated) { $0.encoded.dropLast() },
            raw("a byte too many", .authenticatorDataSurplus) { $0.encoded + [0] },
            raw("ED set, no extensions", .authenticatorDataTruncated) {
                var data = $0
                data.flags.insert(.extensionData)
                return data.encoded
            },
            raw("ED not set, extensions there", .authenticatorDataSurplus) {
                var data = $0
                data.extensions = ["credProtect": 2]
                return data.encoded
            },
            raw("extensions in an array", .extensionsNotAMap) {
                var data = $0
                data.flags.insert(.extensionData)
                return data.encoded + CBOR.encode([1])
            },
            raw("a key whose parameters are out of order", "authenticatorData.unsortedKeys") {
                var data = $0
                guard case .map(let key)? = data.attestedCredentialData?.credentialPublicKey else { return [] }
                data.attestedCredentialData?.credentialPublicKey = 0
                let entries = Array(key.reversed())
                return data.encoded.dropLast()
                    + CBOR.encode(.map(.init(uncheckedEntries: entries)), ordering: .asGiven)
            },
            RegistrationMutation("acceptable extension outputs", caughtBy: [:]) {
                $0.authenticatorData.extensions = ["credProtect": 2]
                $0.authenticatorData.flags.insert(.extensionData)
            },
        ]

    private static let head: [RegistrationMutation] = [
        RegistrationMutation("another RP's hash", caughtBy: [.relyingPartyIDHash: .relyingPartyIDHashMismatch]) {
            $0.authenticatorData.relyingPartyIDHash = sha256(Array("example.com".utf8))
        },
        RegistrationMutation("the origin's hash", caughtBy: [.relyingPartyIDHash: .relyingPartyIDHashMismatch]) {
            $0.authenticatorData.relyingPartyIDHash = sha256(Array("https://example.org".utf8))
        },
        RegistrationMutation("UP not set", caughtBy: [.userPresence: .userPresentMissing]) {
            $0.authenticatorData.flags.remove(.userPresent)
        },
        RegistrationMutation("UP not set in a conditional create", caughtBy: [:]) {
            $0.authenticatorData.flags.remove(.userPresent)
            $0.expectation.requiresUserPresence = false
        },
        RegistrationMutation("UV not set though required", caughtBy: [.userVerification: .userVerifiedMissing]) {
            $0.authenticatorData.flags.remove(.userVerified)
            $0.expectation.ceremony.userVerification = .required
        },
        RegistrationMutation("UV not set, merely preferred", caughtBy: [:]) {
            $0.authenticatorData.flags.remove(.userVerified)
        },
        RegistrationMutation("UV set as required", caughtBy: [:]) {
            $0.authenticatorData.flags.insert(.userVerified)
            $0.expectation.ceremony.userVerification = .required
        },
        RegistrationMutation("BS set, BE not", caughtBy: [.backupConsistency: .backupStateWithoutEligibility]) {
            $0.authenticatorData.flags.insert(.backupState)
            $0.authenticatorData.flags.remove(.backupEligible)
        },
        RegistrationMutation("BE forbidden by policy", caughtBy: [.backupPolicy: .backupEligibilityAgainstPolicy]) {
            $0.authenticatorData.flags.insert(.backupEligible)
            $0.expectation.ceremony.backup.eligibility = .forbidden
        },
        RegistrationMutation("BS required by policy", caughtBy: [.backupPolicy: .backupStateAgainstPolicy]) {
            $0.authenticatorData.flags.remove(.backupState)
            $0.expectation.ceremony.backup.state = .required
        },
        RegistrationMutation("BE and BS as the policy wants them", caughtBy: [:]) {
            $0.authenticatorData.flags.formUnion([.backupEligible, .backupState])
            $0.expectation.ceremony.backup = BackupPolicy(eligibility: .required, state: .required)
        },
    ]

    private static func editedKey(
        _ name: String, _ label: ReasonLabel, algorithms: Algorithms = .any,
        _ edit: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> RegistrationMutation {
        RegistrationMutation("key: \(name)", caughtBy: [.credentialKey: label], algorithms: algorithms) {
            try $0.editKey(edit)
        }
    }

    static let key: [RegistrationMutation] = [
        RegistrationMutation("key: algorithm not offered", caughtBy: [.credentialKey: .algorithmNotOffered]) {
            $0.expectation.algorithms = [.ps256, .esp256]
        },
        RegistrationMutation("key: nothing was offered", caughtBy: [.credentialKey: .algorithmNotOffered]) {
            $0.expectation.algorithms = []
        },
        editedKey("downgraded to RSA with SHA-1", .algorithmNotOffered) { $0 = [1: 3, 3: -65535, -1: .bytes([1])] },
        editedKey("an unknown algorithm", .algorithmUnsupported) { $0[3] = -7000 },
        RegistrationMutation(
            "key: an offered but unknown algorithm", caughtBy: [.credentialKey: .algorithmUnsupported]
        ) {
            try $0.editKey { $0[3] = -7000 }
            $0.expectation.algorithms.append(COSE.Algorithm(rawValue: -7000))
        },
        editedKey("another key type", .publicKeyTypeMismatch) { $0[1] = $0[1] == 2 ? 1 : 2 },
        editedKey("another curve", .publicKeyCurveMismatch, algorithms: .elliptic) { $0[-1] = $0[-1] == 2 ? 1 : 2 },
        editedKey("a point off the curve", .publicKeyNotOnCurve, algorithms: .ecdsa) {
            guard case .bytes(var y)? = $0[-3] else { return }
            y[y.count - 1] ^= 1
            $0[-3] = .bytes(y)
        },
        editedKey("a compressed point", .publicKeyCompressed, algorithms: .ecdsa) { $0[-3] = true },
        editedKey("no y", .publicKeyMissingParameter, algorithms: .ecdsa) { $0[-3] = nil },
        editedKey("a modulus of 1024 bits", .publicKeyModulusSize, algorithms: .rsa) {
            $0[-1] = .bytes([UInt8](repeating: 0xFF, count: 128))
        },
        editedKey("a modulus with a leading zero", .publicKeyLeadingZero, algorithms: .rsa) {
            guard case .bytes(let modulus)? = $0[-1] else { return }
            $0[-1] = .bytes([0] + modulus)
        },
        editedKey("an even exponent", .publicKeyMalformed, algorithms: .rsa) { $0[-2] = .bytes([2]) },
        editedKey("no x, or no exponent", .publicKeyMissingParameter) { $0[-2] = nil },
        editedKey("no algorithm", .publicKeyMissingParameter) { $0[3] = nil },
        editedKey("no curve, or no modulus", .publicKeyMissingParameter) { $0[-1] = nil },
        editedKey("x too long", .publicKeyWrongLength, algorithms: .elliptic) {
            guard case .bytes(let x)? = $0[-2] else { return }
            $0[-2] = .bytes([0] + x)
        },
        editedKey("x, or the exponent, as text", .publicKeyMalformed) { $0[-2] = "x" },
        editedKey("the algorithm as text", .publicKeyMalformed) { $0[3] = "ES256" },
        editedKey("an optional parameter", .publicKeyUnexpectedParameter) { $0[4] = [1] },
        RegistrationMutation("key: an array", caughtBy: [.credentialKey: .publicKeyMalformed]) {
            $0.authenticatorData.attestedCredentialData?.credentialPublicKey = []
        },
    ]
}
