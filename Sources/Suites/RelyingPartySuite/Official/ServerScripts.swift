internal import Conformance

/// The scripts of the tool's module for servers.
enum ServerScripts {
    static let table = OfficialTable(
        module: "Relying parties (server, tool 1.9)", options + registrations + attestations + assertions + metadata)

    private static let options = [
        OfficialScript(
            "Server-ServerPublicKeyCredentialCreationOptions-Req-1", "Options", OfficialScript.markers(4),
            subjects: ["creationOptions"]),
        OfficialScript(
            "Server-ServerPublicKeyCredentialGetOptionsResponse-Req-1", "Options", OfficialScript.markers(2),
            subjects: ["requestOptions"],
            matches: [OfficialMatch("P-1", ["requestOptions.allowCredentials"], .expectations)]),
    ]

    private static let registrations = [
        attestation(
            "1", OfficialScript.markers(1, 15), ["registration.response"],
            [
                "P-1": ["registration.response.valid", "accounts.excludeList"],
                "F-1": ["registration.response.id.missing"],
                "F-2": ["registration.response.id.number", "registration.response.id.null"],
                "F-3": ["registration.response.id.padded"],
                "F-4": ["registration.response.type.missing"],
                "F-5": ["registration.response.type.number", "registration.response.type.null"],
                "F-6": ["registration.response.type.other"],
                "F-7": ["registration.response.response.missing"],
                "F-8": ["registration.response.response.text", "registration.response.response.array"],
                "F-9": ["registration.response.clientDataJSON.missing"],
                "F-10": wrongTypes("registration.response.clientDataJSON"),
                "F-11": ["registration.response.clientDataJSON.empty"],
                "F-12": ["registration.response.attestationObject.missing"],
                "F-13": wrongTypes("registration.response.attestationObject"),
                "F-14": ["registration.response.attestationObject.empty"],
                "F-15": ["registration.authenticatorData.flags.notVerified"],
            ]),
        attestation(
            "2", OfficialScript.markers(0, 17), ["registration.clientData"], clientData("registration"),
            gaps: tokenBinding),
        attestation(
            "3", OfficialScript.markers(1, 19), ["registration.attestationObject", "registration.authenticatorData"],
            [
                "P-1": ["registration.authenticatorData.extensions.unknown"],
                "F-1": ["registration.attestationObject.notCBOR", "registration.attestationObject.array"],
                "F-2": ["registration.attestationObject.fmt.missing"],
                "F-3": ["registration.attestationObject.fmt.number", "registration.attestationObject.fmt.bytes"],
                "F-4": ["registration.attestationObject.attStmt.missing"],
                "F-5": ["registration.attestationObject.attStmt.text", "registration.attestationObject.attStmt.array"],
                "F-6": ["registration.attestationObject.authData.missing"],
                "F-7": [
                    "registration.attestationObject.authData.text", "registration.attestationObject.authData.array",
                ],
                "F-8": ["registration.attestationObject.authData.empty"],
                "F-9": ["registration.authenticatorData.flags.attestedMissing"],
                "F-10": ["registration.authenticatorData.attested.missing"],
                "F-11": ["registration.authenticatorData.attested.announcedOnly"],
                "F-12": ["registration.authenticatorData.length.surplus"],
                "F-13": ["attestation.packed.empty", "attestation.packedSelf.empty"],
                "F-14": ["attestation.packed.member.alg.missing"],
                "F-15": ["attestation.packed.member.alg.wrongType"],
                "F-17": ["attestation.packed.member.sig.missing"],
                "F-18": ["attestation.packed.member.sig.wrongType"],
                "F-19": ["attestation.packed.signature.empty"],
            ]),
        attestation(
            "4", OfficialScript.markers(12), ["algorithms"],
            [
                "P-2": ["algorithms.ps256.registration"], "P-5": ["algorithms.rs256.registration"],
                "P-9": ["algorithms.es256.registration"], "P-10": ["algorithms.es384.registration"],
                "P-11": ["algorithms.es512.registration"], "P-12": ["algorithms.eddsa.registration"],
            ],
            gaps: [
                "P-3": otherAlgorithm, "P-4": otherAlgorithm, "P-6": otherAlgorithm, "P-7": otherAlgorithm,
                "P-8": "RS1 is for statements of TPMs only",
            ]),
    ]

    private static let attestations = [
        attestation(
            "5", OfficialScript.markers(5, 14), ["attestation.packed"],
            [
                "P-1": ["attestation.packed.valid"], "P-2": ["attestation.packed.valid"],
                "F-1": ["registration.attestationObject.fmt.unknown"],
                "F-2": ["attestation.packed.flaw.wrongSignature"],
                "F-3": ["attestation.packed.member.x5c.missing"],
                "F-4": ["attestation.packed.member.x5c.wrongType"],
                "F-5": ["attestation.packed.flaw.emptyPath"],
                "F-6": ["attestation.packed.flaw.expired"], "F-7": ["attestation.packed.flaw.notYetValid"],
                "F-9": ["attestation.packed.flaw.unknownRoot"],
                "F-11": ["attestation.packed.flaw.wrongOrder"],
                "F-13": ["attestation.packed.signature.lastBit"], "F-14": ["attestation.packed.flaw.otherKey"],
            ]),
        attestation(
            "6", OfficialScript.markers(1, 3), ["attestation.packedSelf"],
            [
                "P-1": ["attestation.packedSelf.valid"], "F-1": ["attestation.packedSelf.flaw.wrongSignature"],
                "F-2": ["metadata.attestationType"], "F-3": ["registration.attestationObject.fmt.unknown"],
            ]),
        attestation(
            "7", OfficialScript.markers(2, 1), ["attestation.none"],
            [
                "P-1": ["attestation.none.valid"], "P-2": ["attestation.packedSelf.valid"],
                "F-1": ["attestation.none.notEmpty.selfSigned"],
            ]),
        attestation(
            "8", OfficialScript.markers(1, 2), ["attestation.fidoU2F"],
            ["P-1": ["attestation.fidoU2F.valid"], "F-2": ["attestation.fidoU2F.flaw.wrongSignature"]]),
        attestation(
            "9", ["P-1", "P-2", "P-4"] + OfficialScript.markers(0, 4), ["attestation.tpm", "attestation.tpmRS1"],
            [
                "P-1": ["attestation.tpm.valid.rs256"], "P-2": ["attestation.tpmRS1.valid"],
                "P-4": ["attestation.tpm.valid"], "F-2": ["attestation.tpm.flaw.tpmExtraData"],
                "F-3": ["attestation.tpm.flaw.tpmMagic"], "F-4": ["attestation.tpm.flaw.tpmPublicArea"],
            ]),
        attestation(
            "A", OfficialScript.markers(1, 3), ["attestation.androidKey"],
            [
                "P-1": ["attestation.androidKey.valid"], "F-1": ["attestation.androidKey.flaw.androidChallenge"],
                "F-2": ["attestation.androidKey.flaw.androidOtherKey"],
                "F-3": ["attestation.androidKey.x5c.reversed"],
            ]),
    ]

    private static let assertions = [
        assertion(
            "1", OfficialScript.markers(1, 21), ["assertion.response", "assertion.signature", "assertion.userHandle"],
            [
                "P-1": ["assertion.response.valid"], "F-1": ["assertion.response.id.missing"],
                "F-2": ["assertion.response.id.number", "assertion.response.id.null"],
                "F-3": ["assertion.response.id.padded"], "F-4": ["assertion.response.type.missing"],
                "F-5": ["assertion.response.type.number", "assertion.response.type.null"],
                "F-6": ["assertion.response.type.other"], "F-7": ["assertion.response.response.missing"],
                "F-8": ["assertion.response.response.text", "assertion.response.response.array"],
                "F-9": ["assertion.response.clientDataJSON.missing"],
                "F-10": wrongTypes("assertion.response.clientDataJSON"),
                "F-11": ["assertion.response.clientDataJSON.empty"],
                "F-12": ["assertion.response.authenticatorData.missing"],
                "F-13": wrongTypes("assertion.response.authenticatorData"),
                "F-14": ["assertion.response.authenticatorData.notBase64"],
                "F-15": ["assertion.response.authenticatorData.empty"],
                "F-16": ["assertion.response.signature.missing"],
                "F-17": wrongTypes("assertion.response.signature"),
                "F-18": ["assertion.response.signature.notBase64"],
                "F-19": ["assertion.response.signature.empty"], "F-20": ["assertion.signature.lastBit"],
            ]),
        assertion(
            "2", OfficialScript.markers(0, 17), ["assertion.clientData"], clientData("assertion"), gaps: tokenBinding),
        assertion(
            "3", OfficialScript.markers(7, 5), ["assertion.authenticatorData", "assertion.counter"],
            [
                "P-1": ["assertion.counter.zero"], "P-3": ["assertion.authenticatorData.flags.notVerified.allowed"],
                "P-5": ["assertion.authenticatorData.flags.notVerified.allowed"],
                "P-7": ["assertion.authenticatorData.extensions.unknown"],
                "F-1": ["assertion.authenticatorData.length.surplus"],
                "F-2": ["assertion.authenticatorData.rpIdHash.other"],
                "F-3": ["assertion.signature.otherClientData"], "F-4": ["assertion.counter.equal"],
                "F-5": ["assertion.authenticatorData.flags.notVerified"],
            ]),
    ]

    private static let metadata = [
        OfficialScript(
            "Server-MDS3", "Metadata", OfficialScript.markers(1, 5), subjects: ["metadata"],
            matches: [
                OfficialMatch("P-1", ["metadata.status.certified"], .expectations),
                OfficialMatch(
                    "F-1",
                    ["revoked", "verificationBypass", "attestationKey", "remoteCompromise", "physicalCompromise"]
                        .map { "metadata.status.\($0)" }, .expectations),
            ],
            gaps: Dictionary(
                uniqueKeysWithValues: (2...5).map { ("F-\($0)", "the run does not serve metadata BLOBs") }))
    ]

    private static let otherAlgorithm = "the suite has no keys of this algorithm"

    private static let tokenBinding = Dictionary(
        uniqueKeysWithValues: (15...17).map {
            ("F-\($0)", "WebAuthn Level 3 demands no step for tokenBinding")
        })

    private static func wrongTypes(_ member: String) -> [String] {
        ["null", "number", "array", "object"].map { "\(member).\($0)" }
    }

    private static func clientData(_ ceremony: String) -> [String: [String]] {
        let prefix = "\(ceremony).clientData"
        func wrongTypes(_ member: String) -> [String] {
            ["null", "number", "boolean", "array", "object"].map { "\(prefix).\(member).\($0)" }
        }
        return [
            "F-1": ["\(prefix).type.missing"], "F-2": wrongTypes("type"), "F-3": ["\(prefix).type.empty"],
            "F-4": ["case", "prefix", "surplus", "payment"].map { "\(prefix).type.\($0)" },
            "F-5": ["\(prefix).type.other"], "F-6": ["\(prefix).challenge.missing"], "F-7": wrongTypes("challenge"),
            "F-8": ["\(prefix).challenge.empty"], "F-9": ["\(prefix).challenge.padded"],
            "F-10": ["\(prefix).challenge.other"], "F-11": ["\(prefix).origin.missing"],
            "F-12": wrongTypes("origin"), "F-13": ["\(prefix).origin.empty"], "F-14": ["\(prefix).origin.other"],
        ]
    }

    private static func attestation(
        _ number: String, _ markers: [String], _ subjects: [String], _ matches: [String: [String]],
        gaps: [String: String] = [:]
    ) -> OfficialScript {
        script(
            "Server-ServerAuthenticatorAttestationResponse-Resp-\(number)", "Registration", markers, subjects, matches,
            gaps)
    }

    private static func assertion(
        _ number: String, _ markers: [String], _ subjects: [String], _ matches: [String: [String]],
        gaps: [String: String] = [:]
    ) -> OfficialScript {
        script(
            "Server-ServerAuthenticatorAssertionResponse-Resp-\(number)", "Assertion", markers, subjects, matches, gaps)
    }

    private static func script(
        _ name: String, _ group: String, _ markers: [String], _ subjects: [String], _ matches: [String: [String]],
        _ gaps: [String: String]
    ) -> OfficialScript {
        OfficialScript(
            name, group, markers, subjects: subjects,
            matches: markers.compactMap { marker in matches[marker].map { OfficialMatch(marker, $0, .expectations) } },
            gaps: gaps)
    }
}
