internal import CBOR
internal import Conformance
internal import WebAuthn

/// A change of authenticator data, and the right answer of a relying party in both ceremonies.
struct AuthenticatorDataRow: Sendable {
    let name: String
    /// The change, as a noun phrase after "with".
    let what: String
    let step: SharedStep
    let outcome: CeremonyOutcome
    let level: Level
    /// The requirement for user verification that the ceremony needs.
    let verification: Verification?
    let change: @Sendable (inout ForgedAuthenticatorData) -> Void

    enum Verification: Sendable {
        case required, notRequired, discouraged

        func need(_ ceremony: TestedCeremony) -> RelyingPartyNeed {
            switch (self, ceremony) {
            case (.required, .registration): .verifiedRegistration
            case (.required, .assertion): .verifiedSignIn
            case (.notRequired, .registration): .unverifiedRegistration
            case (.notRequired, .assertion): .unverifiedSignIn
            case (.discouraged, .registration): .requested(.registrationVerification)
            case (.discouraged, .assertion): .requested(.signInVerification)
            }
        }

        /// The requirement to request; nil for the relying party's own.
        var requested: String? {
            switch self {
            case .required: "required"
            case .notRequired: nil
            case .discouraged: "discouraged"
            }
        }
    }

    init(
        _ name: String, _ what: String, _ step: SharedStep, _ outcome: CeremonyOutcome = .refused,
        level: Level = .must, verification: Verification? = nil,
        _ change: @escaping @Sendable (inout ForgedAuthenticatorData) -> Void
    ) {
        self.name = name
        self.what = what
        self.step = step
        self.outcome = outcome
        self.level = level
        self.verification = verification
        self.change = change
    }

    func conformanceCase(_ ceremony: TestedCeremony) -> Case {
        let needs = verification.map { [$0.need(ceremony)] } ?? []
        let requested = verification?.requested
        let id = "authenticatorData.\(name)"
        return switch ceremony {
        case .registration:
            .registration(
                id, with: what, is: outcome, step.clause(ceremony), level: level, needs: needs,
                form: RegistrationForm(userVerification: requested)
            ) { [change] in change(&$0.authenticatorData) }
        case .assertion:
            .assertion(
                id, with: what, is: outcome, step.clause(ceremony), level: level, needs: needs,
                form: SignInForm(userVerification: requested)
            ) { [change] in change(&$0.authenticatorData) }
        }
    }

    static let all: [AuthenticatorDataRow] = hashes + flags + lengths + extensions + canonicalForm

    private static let hashes: [AuthenticatorDataRow] = [
        .init("rpIdHash.other", "the RP ID hash of another relying party", .relyingPartyID) {
            $0.relyingPartyIDHash = sha256(Array("other.example".utf8))
        },
        .init("rpIdHash.zero", "an RP ID hash of zeros", .relyingPartyID) {
            $0.relyingPartyIDHash = [UInt8](repeating: 0, count: 32)
        },
        .init("rpIdHash.bit", "an RP ID hash that differs in one bit", .relyingPartyID) {
            $0.relyingPartyIDHash[31] ^= 1
        },
        .init("rpIdHash.hashedTwice", "an RP ID hash that is hashed again", .relyingPartyID) {
            $0.relyingPartyIDHash = sha256($0.relyingPartyIDHash)
        },
        .init("rpIdHash.empty", "the hash of an empty RP ID", .relyingPartyID) { $0.relyingPartyIDHash = sha256([]) },
    ]

    private static let flags: [AuthenticatorDataRow] = [
        .init("flags.notPresent", "UP not set", .presence) { $0.flags.remove(.userPresent) },
        .init("flags.verifiedOnly", "UV set and UP not set", .presence) {
            $0.flags.remove(.userPresent)
            $0.flags.insert(.userVerified)
        },
        .init("flags.notVerified", "UV not set where it is required", .verification, verification: .required) {
            $0.flags.remove(.userVerified)
        },
        .init(
            "flags.notVerified.allowed", "UV not set where it is not required", .verification, .accepted,
            verification: .notRequired
        ) {
            $0.flags.remove(.userVerified)
        },
        .init(
            "flags.verified.discouraged", "UV set where it is discouraged", .verification, .accepted,
            verification: .discouraged
        ) {
            $0.flags.insert(.userVerified)
        },
        .init("flags.backup", "BS set and BE not set", .backup) {
            $0.flags.remove(.backupEligible)
            $0.flags.insert(.backupState)
        },
        .init("flags.reserved1", "the reserved bit 1 set", .authenticatorData, .accepted, level: .may) {
            $0.flags.insert(AuthenticatorDataFlags(rawValue: 0x02))
        },
        .init("flags.reserved2", "the reserved bit 5 set", .authenticatorData, .accepted, level: .may) {
            $0.flags.insert(AuthenticatorDataFlags(rawValue: 0x20))
        },
        .init("flags.extensions.missing", "ED set and no extension outputs", .authenticatorData) {
            $0.flags.insert(.extensionData)
        },
    ]

    private static let lengths: [AuthenticatorDataRow] = [
        .init("length.empty", "empty authenticator data", .authenticatorData) { $0.write = { _ in [] } },
        .init("length.hashOnly", "authenticator data that is the RP ID hash only", .authenticatorData) {
            $0.write = { Array($0.prefix(32)) }
        },
        .init("length.noCounter", "authenticator data that ends after the flags", .authenticatorData) {
            $0.write = { Array($0.prefix(33)) }
        },
        .init("length.shortCounter", "authenticator data that ends inside the counter", .authenticatorData) {
            $0.write = { Array($0.prefix(36)) }
        },
        .init("length.surplus", "a byte after the end of authenticator data", .authenticatorData) {
            $0.write = { $0 + [0] }
        },
        .init("length.surplusMap", "an unannounced map after the end of authenticator data", .authenticatorData) {
            $0.write = { $0 + [0xA0] }
        },
    ]

    private static let extensions: [AuthenticatorDataRow] = [
        .init("extensions.unknown", "the output of an unknown extension", .authenticatorData, .accepted, level: .should)
        {
            $0.add(extensions: ["example.unknown": true])
        },
        .init("extensions.array", "extension outputs that are an array", .authenticatorData, level: .should) {
            $0.add(extensions: [1])
        },
        .init("extensions.truncated", "extension outputs that end early", .authenticatorData, level: .should) {
            $0.add(extensions: ["example.unknown": true])
            $0.extensions.removeLast()
        },
        .init("extensions.surplus", "a byte after the extension outputs", .authenticatorData, level: .should) {
            $0.add(extensions: ["example.unknown": true])
            $0.extensions.append(0)
        },
        .init("extensions.notCBOR", "extension outputs that are not CBOR", .authenticatorData, level: .should) {
            $0.flags.insert(.extensionData)
            $0.extensions = [0xFF]
        },
        .init("extensions.unannounced", "extension outputs and ED not set", .authenticatorData, level: .should) {
            $0.add(extensions: ["example.unknown": true])
            $0.flags.remove(.extensionData)
        },
    ]
    /// Outputs that are not in the CTAP2 canonical form (WebAuthn L3 §6.1, CTAP 2.3 §8).
    private static let canonicalForm: [AuthenticatorDataRow] = [
        encoding("order", "whose names are not in order", [0xA2, 0x61, 0x62, 0xF5, 0x61, 0x61, 0xF5]),
        encoding("duplicate", "that state one name twice", [0xA2, 0x61, 0x61, 0xF5, 0x61, 0x61, 0xF5]),
        encoding("longInteger", "with a number that is not in the shortest form", [0xA1, 0x61, 0x61, 0x18, 0x01]),
        encoding("tag", "with a tag", [0xA1, 0x61, 0x61, 0xC1, 0x01]),
        encoding("invalidUTF8", "whose name is not UTF-8", [0xA1, 0x61, 0xFF, 0xF5]),
        encoding("reserved", "with a reserved initial byte", [0xA1, 0x61, 0x61, 0x1C]),
        encoding("simpleValue", "with a simple value in a wrong form", [0xA1, 0x61, 0x61, 0xF8, 0x14]),
    ]

    private static func encoding(_ name: String, _ what: String, _ bytes: [UInt8]) -> AuthenticatorDataRow {
        AuthenticatorDataRow("extensions.\(name)", "extension outputs \(what)", .authenticatorData, level: .should) {
            $0.flags.insert(.extensionData)
            $0.extensions = bytes
        }
    }
}
