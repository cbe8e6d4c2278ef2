import CBOR
import COSE
import RelyingParty
import WebAuthn

extension RegistrationMutation {
    static let response: [RegistrationMutation] = [
        RegistrationMutation("nothing", caughtBy: [:]) { _ in },
        RegistrationMutation("another credential type", caughtBy: [.registrationResponse: .credentialTypeInvalid]) {
            $0.editResponse = { $0.type = "password" }
        },
        RegistrationMutation("id is not rawId", caughtBy: [.registrationResponse: .credentialIDMismatch]) {
            $0.editResponse = { $0.id = Base64URL.encode([1, 2, 3]) }
        },
        RegistrationMutation("id is padded", caughtBy: [.registrationResponse: .credentialIDMismatch]) {
            $0.editResponse = { $0.id += "=" }
        },
        RegistrationMutation(
            "id and rawId are not the attested ID", caughtBy: [.registrationResponse: .credentialAttestedIDMismatch]
        ) {
            $0.editResponse = {
                $0.rawId.bytes[0] ^= 1
                $0.id = Base64URL.encode($0.rawId.bytes)
            }
        },
        RegistrationMutation(
            "copy: other authenticator data", flaggedBy: [.attestedCredentialData: .responseAuthenticatorDataMismatch]
        ) { sample in
            var data = sample.authenticatorDataBytes
            data[32] ^= 4
            sample.editResponse = { $0.response.authenticatorData = Base64URLBytes(data) }
        },
        copy("a bare point", algorithms: .ecdsa) { Array($0.rawRepresentation.dropFirst()) },
        copy("a bare point behind 0x04", algorithms: .ecdsa) { $0.rawRepresentation },
        copy("the COSE key") { $0.encoded },
        copy("another key") { $0.subjectPublicKeyInfo.dropLast() + [($0.subjectPublicKeyInfo.last ?? 0) ^ 1] },
        copy("no bytes") { _ in [] },
        RegistrationMutation(
            "copy: another algorithm", flaggedBy: [.credentialKey: .responseAlgorithmMismatch]
        ) { $0.editResponse = { $0.response.publicKeyAlgorithm = -300 } },
    ]

    /// A `publicKey` beside the attestation object that is not the key's `SubjectPublicKeyInfo`.
    private static func copy(
        _ name: String, algorithms: Algorithms = .any, _ bytes: @escaping @Sendable (COSE.PublicKey) -> [UInt8]
    ) -> RegistrationMutation {
        RegistrationMutation(
            "copy: \(name)", flaggedBy: [.credentialKey: .responsePublicKeyMismatch], algorithms: algorithms
        ) { sample in
            let key = sample.credentialKey.publicKey
            sample.editResponse = { $0.response.publicKey = Base64URLBytes(bytes(key)) }
        }
    }

    private static func object(
        _ name: String, _ label: ReasonLabel, _ edit: @escaping @Sendable (AttestationObject) -> [UInt8]
    ) -> RegistrationMutation {
        RegistrationMutation("attestation object: \(name)", caughtBy: [.attestationObject: label]) {
            $0.rawAttestationObject = edit
        }
    }

    private static func members(_ object: AttestationObject) -> CBOR.Map {
        [
            "fmt": .text(object.format), "attStmt": object.statement, "authData": .bytes(object.authenticatorData),
        ]
    }

    static let attestationObject: [RegistrationMutation] = [
        object("empty", "attestationObject.truncated") { _ in [] },
        object("trailing byte", "attestationObject.trailingBytes") { $0.encoded + [0] },
        object("truncated", "attestationObject.truncated") { $0.encoded.dropLast() },
        RegistrationMutation(
            "attestation object: members out of order",
            flaggedBy: [.attestationObject: "attestationObject.unsortedKeys"]
        ) {
            $0.rawAttestationObject = {
                CBOR.encode(.map(.init(uncheckedEntries: members($0).reversed())), ordering: .asGiven)
            }
        },
        RegistrationMutation(
            "attestation object: the statement's members out of order",
            flaggedBy: [.attestationObject: "attestationObject.unsortedKeys"], kinds: [.certified, .tpm, .androidKey]
        ) {
            $0.rawAttestationObject = {
                guard case .map(let statement) = $0.statement else { return [] }
                var map = members($0)
                map["attStmt"] = .map(.init(uncheckedEntries: statement.reversed()))
                return CBOR.encode(.map(map), ordering: .asGiven)
            }
        },
        object("fmt twice", "attestationObject.duplicateKey") {
            let entries = [("fmt", .text($0.format))] + Array(members($0))
            return CBOR.encode(.map(.init(uncheckedEntries: entries)), ordering: .asGiven)
        },
        object("indefinite length", "attestationObject.indefiniteLength") {
            [0xBF] + $0.encoded.dropFirst() + [0xFF]
        },
        object("length in too many bytes", "attestationObject.nonMinimalInteger") {
            [0xB8, 0x03] + $0.encoded.dropFirst()
        },
        object("an array", "attestationObject.invalidMember") {
            CBOR.encode([.text($0.format), $0.statement, .bytes($0.authenticatorData)])
        },
        object("no fmt", .attestationObjectMissingMember) { object in
            CBOR.encode(["attStmt": object.statement, "authData": .bytes(object.authenticatorData)])
        },
        object("no attStmt", .attestationObjectMissingMember) { object in
            CBOR.encode(["fmt": .text(object.format), "authData": .bytes(object.authenticatorData)])
        },
        object("no authData", .attestationObjectMissingMember) { object in
            CBOR.encode(["fmt": .text(object.format), "attStmt": object.statement])
        },
        object("authData as text", .attestationObjectInvalidMember) {
            var map = members($0)
            map["authData"] = "bytes"
            return CBOR.encode(.map(map))
        },
        object("attStmt as bytes", .attestationObjectInvalidMember) {
            var map = members($0)
            map["attStmt"] = .bytes([])
            return CBOR.encode(.map(map))
        },
        object("fmt as a number", .attestationObjectInvalidMember) {
            var map = members($0)
            map["fmt"] = 1
            return CBOR.encode(.map(map))
        },
    ]
}
