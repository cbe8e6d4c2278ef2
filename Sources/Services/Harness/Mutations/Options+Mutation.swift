internal import COSE
internal import Mutations
internal import WebAuthn

// The options with the change of the active mutation; a release build returns them as they are.

extension CreationOptions {
    func mutated(random: (Int) -> [UInt8]) -> CreationOptions {
        #if DEBUG
            guard let mutation = OptionsMutation.allCases.first(where: \.isActive) else { return self }
            var options = self
            mutation.change(&options.challenge, &options.timeout)
            switch mutation {
            case .relyingPartyOther: options.rp.id = "other.example"
            case .verificationWish: options.authenticatorSelection?.userVerification = .preferred
            case .userHandleEmpty: options.user.id = Base64URLBytes([])
            case .userHandleNamed: options.user.id = Base64URLBytes(Array(user.name.utf8))
            case .userHandleFresh: options.user.id = Base64URLBytes(random(32))
            case .userHandleShared: options.user.id = Base64URLBytes(OptionsMutation.constant)
            case .algorithmsNone: options.pubKeyCredParams = []
            case .algorithmsTwice: options.pubKeyCredParams += pubKeyCredParams.prefix(1)
            case .algorithmsSHA1: options.pubKeyCredParams.append(.init(alg: COSE.Algorithm.rs1.rawValue))
            case .algorithmsFew: options.pubKeyCredParams.removeAll { $0.alg == COSE.Algorithm.rs256.rawValue }
            case .algorithmType: options.pubKeyCredParams = pubKeyCredParams.map { .init(type: "public", alg: $0.alg) }
            case .excludedType: options.excludeCredentials = OptionsMutation.withoutType(excludeCredentials)
            case .residentKeyLegacy: options.authenticatorSelection?.requireResidentKey = false
            case .residentKeyWish: options.authenticatorSelection?.residentKey = .preferred
            case .attestationWish: options.attestation = AttestationConveyancePreference.none
            case .challengeShort, .challengeAlike, .challengeConstant, .timeoutZero, .timeoutShort, .allowedTransports,
                .allowedOthers, .allowedType, .allowedAnonymously:
                break
            }
            return options
        #else
            return self
        #endif
    }
}

extension RequestOptions {
    func mutated(random: (Int) -> [UInt8]) -> RequestOptions {
        #if DEBUG
            guard let mutation = OptionsMutation.allCases.first(where: \.isActive) else { return self }
            var options = self
            mutation.change(&options.challenge, &options.timeout)
            switch mutation {
            case .relyingPartyOther: options.rpId = "other.example"
            case .verificationWish: options.userVerification = .preferred
            case .allowedTransports:
                options.allowCredentials = allowCredentials?.map { CredentialDescriptor(id: $0.id.bytes) }
            case .allowedOthers:
                options.allowCredentials = allowCredentials?.map { _ in CredentialDescriptor(id: random(32)) }
            case .allowedType: options.allowCredentials = OptionsMutation.withoutType(allowCredentials)
            case .allowedAnonymously:
                if allowCredentials?.isEmpty ?? true {
                    options.allowCredentials = [CredentialDescriptor(id: random(32))]
                }
            case .challengeShort, .challengeAlike, .challengeConstant, .timeoutZero, .timeoutShort, .userHandleEmpty,
                .userHandleNamed, .userHandleFresh, .userHandleShared, .algorithmsNone, .algorithmsTwice,
                .algorithmsSHA1, .algorithmsFew, .algorithmType, .excludedType, .residentKeyLegacy, .residentKeyWish,
                .attestationWish:
                break
            }
            return options
        #else
            return self
        #endif
    }
}

#if DEBUG
    extension OptionsMutation {
        fileprivate static let constant = (0..<32).map { UInt8($0 * 7 % 251) }

        /// Changes the members that both kinds of options have.
        fileprivate func change(_ challenge: inout Base64URLBytes, _ timeout: inout UInt32?) {
            switch self {
            case .challengeShort: challenge = Base64URLBytes(Array(challenge.bytes.prefix(8)))
            case .challengeAlike: challenge = Base64URLBytes([UInt8](repeating: 0x41, count: 32))
            case .challengeConstant: challenge = Base64URLBytes(Self.constant)
            case .timeoutZero: timeout = 0
            case .timeoutShort: timeout = 1000
            case .relyingPartyOther, .verificationWish, .userHandleEmpty, .userHandleNamed, .userHandleFresh,
                .userHandleShared, .algorithmsNone, .algorithmsTwice, .algorithmsSHA1, .algorithmsFew, .algorithmType,
                .excludedType, .residentKeyLegacy, .residentKeyWish, .attestationWish, .allowedTransports,
                .allowedOthers, .allowedType, .allowedAnonymously:
                break
            }
        }

        fileprivate static func withoutType(_ list: [CredentialDescriptor]?) -> [CredentialDescriptor]? {
            list?.map { CredentialDescriptor(type: "public", id: $0.id.bytes, transports: $0.transports) }
        }
    }
#endif
