internal import Attestation
internal import CBOR
internal import COSE
internal import Conformance
internal import Foundation
internal import WebAuthn

/// The cases of attestation statements (WebAuthn L3 §7.1 steps 21 to 24, §8).
enum StatementCases {
    static let all: [Case] = noneFormat + AttestedFormat.all.flatMap(cases) + TPMCases.all + CertificateCases.all

    private static func cases(_ format: AttestedFormat) -> [Case] {
        [valid(format)] + algorithms(format) + flaws(format) + members(format) + signatures(format) + own(format)
    }

    /// The unchanged ceremony; a relying party supports the formats of its choice (§7.1 step 21).
    private static func valid(_ format: AttestedFormat) -> Case {
        let form = format.form
        return Case(
            "attestation.\(format.name).valid", "A registration with \(format.noun) is accepted.",
            .webauthn(format.section), level: .should,
            needs: [.attestation] + (format.isCertified ? [.testRoot] : []), effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.registerUnchanged(form, recorder)
        }
    }

    private static func algorithms(_ format: AttestedFormat) -> [Case] {
        guard [.packed, .packedBasic, .tpm, .androidKey, .apple].contains(format.kind) else { return [] }
        let algorithms = COSE.Algorithm.supported.filter { $0 != .es256 && format.kind.attests($0) }
        return algorithms.map { algorithm in
            let form = RegistrationForm(kind: format.kind, algorithm: algorithm)
            let name = "\(algorithm)".replacing("-", with: "").lowercased()
            return Case(
                "attestation.\(format.name).valid.\(name)",
                "A registration with \(format.noun) about a key for \(algorithm) is accepted.",
                .webauthn(format.section), level: .should,
                needs: [.attestation, .algorithm(algorithm)] + (format.isCertified ? [.testRoot] : []),
                effects: [.makesAccount]
            ) { bench, recorder in
                try await bench.requireControl(format.form)
                try await bench.registerUnchanged(form, recorder)
            }
        }
    }

    private static func flaws(_ format: AttestedFormat) -> [Case] {
        AttestationFlaw.allCases.filter { $0.description.kinds.contains(format.kind) }.map { flaw in
            let description = flaw.description
            let isTrust = description.step == .attestationTrust
            // WebAuthn names no registry of manufacturers, and leaves the parts of a compound statement to the policy.
            // Only §8.2.1 says that the AAGUID extension is not critical.
            let isAllowed = flaw == .criticalModel && format.kind != .packedBasic
            let level: Level = flaw == .tpmManufacturer ? .may : format.kind == .compound || isAllowed ? .should : .must
            return format.registration(
                "flaw.\(word(flaw))", ", where \(description.meaning),", level: level,
                clause: isTrust
                    ? .webauthn("7.1", step: "24")
                    : .webauthn(flaw.concernsCertificate ? format.certificateSection : format.section),
                needs: isTrust ? [.testRoot] : []
            ) { $0.flaw = flaw }
        }
    }

    private static func word(_ flaw: AttestationFlaw) -> String {
        let words = flaw.rawValue.split(separator: "-")
        return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    }

    private static func members(_ format: AttestedFormat) -> [Case] {
        format.members.flatMap { name, wrong in
            [
                format.statement("member.\(name).missing", " without \(name)") { map, _ in map[name] = nil },
                format.statement("member.\(name).wrongType", " whose \(name) is of a wrong type") { map, _ in
                    map[name] = wrong
                },
                format.statement("member.\(name).null", " whose \(name) is null") { map, _ in map[name] = .null },
            ]
        }
            + (format.members.isEmpty
                ? []
                : [
                    format.statement("member.unknown", " with an unknown member", is: .accepted, level: .may) {
                        map, _ in
                        map["newMember"] = 1
                    },
                    format.registration("empty", " without members") {
                        $0.changeStatement = { value, _ in value = [:] }
                    },
                ])
    }

    private static func signatures(_ format: AttestedFormat) -> [Case] {
        guard format.isSigned, !format.members.isEmpty else { return [] }
        func signature(_ name: String, _ what: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]) -> Case {
            format.statement("signature.\(name)", what) { map, _ in
                if case .bytes(let bytes)? = map["sig"] { map["sig"] = .bytes(change(bytes)) }
            }
        }
        return [
            signature("empty", " whose sig is empty") { _ in [] },
            signature("lastBit", " whose sig differs in its last bit") { Array($0.dropLast()) + [($0.last ?? 0) ^ 1] },
            signature("truncated", " whose sig lacks its last byte") { Array($0.dropLast()) },
            signature("surplus", " whose sig has a byte after its end") { $0 + [0] },
            signature("zeros", " whose sig is zeros") { [UInt8](repeating: 0, count: $0.count) },
        ]
    }

    private static func own(_ format: AttestedFormat) -> [Case] {
        switch format.kind {
        case .fidoU2F:
            [
                format.registration("credentialKey", " about a key that is not on P-256") { registration in
                    let key = try COSE.PrivateKey.generate(.es384) { count in
                        (0..<count).map { UInt8(truncatingIfNeeded: $0 * 5 + 1) }
                    }
                    registration.authenticatorData.attested?.key = key.publicKey.encoded
                }
            ]
        case .compound:
            [
                format.registration("single", " that holds one statement") { registration in
                    registration.changeStatement = { value, _ in
                        if case .array(let items) = value { value = .array(Array(items.prefix(1))) }
                    }
                },
                format.registration("none", " that holds no statement") {
                    $0.changeStatement = { value, _ in value = [] }
                },
                format.registration("nested", " inside a compound statement") { registration in
                    registration.changeStatement = { value, _ in
                        guard case .array(let items) = value else { return }
                        value = .array(items + [["fmt": "compound", "attStmt": value]])
                    }
                },
            ]
        case .none, .packed, .packedBasic, .tpm, .tpmRS1, .androidKey, .apple: []
        }
    }

    private static let noneFormat: [Case] =
        [
            Case(
                "attestation.none.valid", "A registration without attestation is accepted where none is asked for.",
                .webauthn("8.7"), effects: [.makesAccount]
            ) { bench, recorder in
                try await bench.registerUnchanged(RegistrationForm(), recorder)
            }
        ]
        + [
            ("member", ["alg": -7] as CBOR.Value), ("signature", ["sig": .bytes([1, 2, 3])]),
            ("selfSigned", ["alg": -7, "sig": .bytes([0x30, 0x00])]), ("null", .null), ("bytes", .bytes([])),
            ("array", []),
        ].map { name, value in
            Case(
                "attestation.none.notEmpty.\(name)",
                "A registration whose statement of the format none is not the empty map, but \(value), is refused.",
                .webauthn("8.7"), effects: [.makesAccount]
            ) { bench, recorder in
                try await bench.register(RegistrationForm(), recorder, is: .refused) {
                    $0.changeStatement = { statement, _ in statement = value }
                }
            }
        }
}

extension AttestationFlaw {
    /// Whether the flaw is in the leaf's contents, which a section of the format rules.
    fileprivate var concernsCertificate: Bool {
        switch self {
        case .criticalModel, .malformedModel, .authorityLeaf, .noBasicConstraints, .oldVersion,
            .missingUnit, .missingCountry, .unassignedCountry, .missingOrganization, .missingCommonName, .tpmUsage,
            .tpmSubject, .tpmNoName, .tpmManufacturer, .androidNoDescription, .androidMalformedDescription:
            true
        // The comparison of the AAGUID is a step of the format itself.
        case .wrongModel, .wrongSignature, .otherKey, .credentialSignature, .algorithmMismatch, .expired, .notYetValid,
            .unknownRoot,
            .missingIntermediate, .expiredIntermediate, .issuerNotAuthority, .issuerKeyUsage, .ownRoot, .wrongOrder,
            .emptyPath, .garbageCertificate, .twoCertificates,
            .wrongCurve, .tpmMagic, .tpmExtraData, .tpmName, .tpmPublicArea, .tpmVersion, .androidChallenge,
            .androidAllApplications, .androidOrigin, .androidPurpose, .androidOtherKey, .appleNoNonce,
            .appleMalformedNonce, .appleNonce, .appleOtherKey:
            false
        }
    }
}
