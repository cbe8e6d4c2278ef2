import CBOR
import COSE
import RelyingParty
import WebAuthn

extension RegistrationMutation {
    private static let signed: Set<Kind> = [.selfSigned, .certified, .tpm, .androidKey, .fidoU2F]
    /// The kinds that state the signature's algorithm.
    private static let stated = signed.subtracting([.fidoU2F])
    /// The kinds whose statement is not empty.
    private static let filled = signed.union([.apple])

    private static func edited(
        _ name: String, kinds: Set<Kind>, _ label: ReasonLabel, _ edit: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> RegistrationMutation {
        RegistrationMutation("statement: \(name)", caughtBy: [.attestationStatement: label], kinds: kinds) {
            $0.editStatement = edit
        }
    }

    /// A member that no format defines.
    private static func flagged(
        _ name: String, _ edit: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> RegistrationMutation {
        RegistrationMutation(
            "statement: \(name)", flaggedBy: [.attestationStatement: .attestationMemberUnknown], kinds: filled
        ) { $0.editStatement = edit }
    }

    private static func format(_ format: String) -> RegistrationMutation {
        RegistrationMutation("format: “\(format)”", caughtBy: [.attestationStatement: .attestationFormatUnsupported]) {
            $0.format = format
        }
    }

    static let statement: [RegistrationMutation] =
        [
            format("None"), format("PACKED"), format("packed "), format(""), format("fido-u3f"),
            format("android-safetynet"),
            edited("not empty", kinds: [.none], .attestationNoneNotEmpty) { $0["alg"] = -7 },
            edited("empty", kinds: filled, .attestationStatementMalformed) { $0 = [:] },
            edited("no signature", kinds: signed, .attestationStatementMalformed) { $0["sig"] = nil },
            edited("no algorithm", kinds: stated, .attestationStatementMalformed) { $0["alg"] = nil },
            edited("the algorithm as text", kinds: stated, .attestationStatementMalformed) { $0["alg"] = "ES256" },
            edited("the signature as text", kinds: signed, .attestationStatementMalformed) { $0["sig"] = "MEUC" },
            flagged("a member from another format") { $0["response"] = .bytes([1]) },
            flagged("a member whose name is a number") { $0[1] = true },
            edited("no certificates", kinds: filled, .attestationStatementMalformed) { $0["x5c"] = [] },
            edited("x5c as bytes", kinds: filled, .attestationStatementMalformed) { $0["x5c"] = .bytes([1]) },
            edited("nine certificates", kinds: attested, .attestationStatementMalformed) {
                guard case .array(let path)? = $0["x5c"] else { return }
                $0["x5c"] = .array((0..<9).map { _ in path[0] })
            },
            edited("another algorithm", kinds: stated, .attestationAlgorithmMismatch) { $0["alg"] = -35 },
            edited(
                "an unknown algorithm", kinds: [.certified, .tpm, .androidKey], .attestationAlgorithmUnsupported
            ) {
                $0["alg"] = -7000
            },
            RegistrationMutation(
                "statement: signed with another key", caughtBy: [.attestationStatement: .attestationSignatureInvalid],
                kinds: signed
            ) {
                $0.statementKey = try COSE.PrivateKey(
                    algorithm: .es256, rawRepresentation: [UInt8](repeating: 9, count: 32))
            },
            RegistrationMutation(
                "statement: over other authenticator data",
                caughtBy: [.attestationStatement: .attestationSignatureInvalid],
                kinds: [.selfSigned, .certified, .androidKey]
            ) {
                try $0.keepStatement()
                $0.authenticatorData.signCount &+= 1
            },
            RegistrationMutation(
                "statement: over other client data", caughtBy: [.attestationStatement: .attestationSignatureInvalid],
                kinds: [.selfSigned, .certified, .androidKey]
            ) {
                try $0.keepStatement()
                $0.rawClientData = $0.clientData.encoded + [0x20]
            },
        ]
        + ECDSABreakage.malformed.map { breakage in
            RegistrationMutation(
                "statement: \(breakage.name)", caughtBy: [.attestationStatement: .attestationSignatureMalformed],
                kinds: signed
            ) { $0.editSignature = breakage.edit }
        }
}
