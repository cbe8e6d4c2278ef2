internal import CBOR
internal import Conformance

/// The cases of the attestation object (WebAuthn L3 §6.5.4, §7.1 steps 13 and 21).
enum AttestationObjectCases {
    static let all: [Case] = members + formats + encodings

    private static let decoding = Clause.webauthn("7.1", step: "13")

    private static func member(
        _ name: String, _ what: String, is outcome: CeremonyOutcome = .refused, level: Level = .must,
        clause: Clause = decoding, _ change: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> Case {
        .registration("attestationObject.\(name)", with: what, is: outcome, clause, level: level) {
            $0.changeObject = change
        }
    }

    private static func bytes(
        _ name: String, _ what: String, level: Level = .must, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Case {
        .registration("attestationObject.\(name)", with: what, is: .refused, decoding, level: level) {
            $0.writeObject = change
        }
    }

    private static let members: [Case] =
        ["fmt", "attStmt", "authData"].flatMap { name in
            let values: [(String, String, CBOR.Value)] = [
                ("null", "is null", .null), ("number", "is a number", 1), ("boolean", "is true", true),
                ("tagged", "is tagged", .tagged(24, .bytes([]))),
            ]
            return [member("\(name).missing", "an attestation object without \(name)") { $0[name] = nil }]
                + values.map { suffix, words, value in
                    member("\(name).\(suffix)", "an attestation object whose \(name) \(words)") { $0[name] = value }
                }
        } + [
            member("fmt.bytes", "an attestation object whose fmt is a byte string") { $0["fmt"] = .bytes([0x6E]) },
            member("attStmt.text", "an attestation object whose attStmt is a text") { $0["attStmt"] = "" },
            member("attStmt.array", "an attestation object whose attStmt is an array") { $0["attStmt"] = [] },
            member("authData.text", "an attestation object whose authData is a text") { $0["authData"] = "" },
            member("authData.empty", "an attestation object whose authData is empty") { $0["authData"] = .bytes([]) },
            member("authData.array", "an attestation object whose authData is an array") { map in
                map["authData"] = .array([map["authData"] ?? .null])
            },
            member(
                "unknownMember", "an attestation object with an unknown member", is: .accepted, level: .may,
                clause: .webauthn("6.5.4")
            ) { $0["newMember"] = 1 },
        ]

    private static func format(_ name: String, _ format: String, _ what: String) -> Case {
        member("fmt.\(name)", "an attestation object \(what)", clause: .webauthn("7.1", step: "21")) {
            $0["fmt"] = .text(format)
        }
    }

    private static let formats: [Case] = [
        format("unknown", "example-unknown", "of an unknown format"),
        format("empty", "", "whose format is empty"),
        format("case", "None", "whose format is in capitals"),
        format("space", "none ", "whose format ends with a space"),
        format("packedAsNone", "packed", "of the format packed with the statement of none"),
        format("u2fAsNone", "fido-u2f", "of the format fido-u2f with the statement of none"),
        format("tpmAsNone", "tpm", "of the format tpm with the statement of none"),
        format("androidKeyAsNone", "android-key", "of the format android-key with the statement of none"),
        format("appleAsNone", "apple", "of the format apple with the statement of none"),
        format("safetyNetAsNone", "android-safetynet", "of the format android-safetynet with the statement of none"),
        member(
            "fmt.safetyNetUnsigned", "an attestation object of the format android-safetynet whose response is unsigned",
            clause: .webauthn("7.1", step: "21")
        ) {
            $0["fmt"] = "android-safetynet"
            $0["attStmt"] = ["ver": "1", "response": .bytes(Array("eyJhbGciOiJub25lIn0.e30.".utf8))]
        },
        format("compoundAsNone", "compound", "of the format compound with the statement of none"),
    ]

    private static let encodings: [Case] = [
        bytes("notCBOR", "an attestation object that is not CBOR") { _ in [0xFF, 0xFE] },
        bytes("json", "an attestation object in JSON") { _ in Array(#"{"fmt":"none"}"#.utf8) },
        bytes("emptyMap", "an empty attestation object") { _ in [0xA0] },
        bytes("array", "an attestation object that is an array") { [0x81] + $0 },
        bytes("bytes", "an attestation object that is a byte string") { CBOR.encode(.bytes($0)) },
        bytes("truncated", "an attestation object that ends early") { Array($0.dropLast()) },
        bytes("surplus", "a byte after the attestation object", level: .should) { $0 + [0] },
        bytes("surplus.map", "a second map after the attestation object", level: .should) { $0 + [0xA0] },
        bytes("missingEntry", "an attestation object that announces a member too many") { object in
            [(object.first ?? 0) + 1] + object.dropFirst()
        },
        bytes("duplicate", "an attestation object that states its format twice", level: .should) { object in
            [(object.first ?? 0) + 1] + CBOR.encode("fmt") + CBOR.encode("packed") + object.dropFirst()
        },
        bytes("byteKey", "an attestation object whose first key is a byte string") { object in
            // The major type of the key fmt changes from text to bytes.
            Array(object.prefix(1)) + [0x43] + object.dropFirst(2)
        },
        .registration(
            "attestationObject.order", with: "an attestation object whose members are in another order", is: .accepted,
            .webauthn("6.5.4"), level: .may
        ) { registration in
            registration.ordering = .asGiven
            registration.changeObject = { map in
                var other = CBOR.Map()
                for key in ["authData", "attStmt", "fmt"] { other[key] = map[key] }
                map = other
            }
        },
    ]
}
