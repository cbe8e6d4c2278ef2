internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance
internal import WebAuthn

extension MakeCredentialCases {
    /// A case that looks at the response to a valid request.
    private static func made(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must, needs: [AuthenticatorNeed] = [],
        requested: CredentialRequest = CredentialRequest(),
        _ look: @escaping @Sendable (AuthenticatorBench, BenchCredential) throws -> Void
    ) -> Case {
        request(name, title, clause, level: level, needs: needs, person: [.touch], requested: requested) {
            bench, parameters in
            let answer = try await bench.send(.makeCredential, parameters)
            try look(bench, try bench.note(answer, of: parameters))
        }
    }

    /// A case that reads the authenticator data of a new ES256 credential.
    private static func data(
        _ name: String, _ title: String, _ clause: Clause,
        _ look: @escaping @Sendable (AuthenticatorBench, AuthenticatorData) throws -> Void
    ) -> Case {
        let requested = CredentialRequest(algorithms: [.es256])
        return request(
            "data.\(name)", title, clause, needs: [.algorithm(.es256)], person: [.touch], requested: requested
        ) {
            bench, parameters in
            let response = try bench.response(try await bench.send(.makeCredential, parameters))
            let bytes = try bench.bytes(response, 2, "authData (0x02)")
            let read: AuthenticatorData
            do {
                read = try AuthenticatorData(parsing: bytes)
            } catch {
                guard name == "form" else { throw CaseStop.notRun("authData cannot be read, see makeCredential.data") }
                throw bench.fail("authenticator data", seen: "\(error)")
            }
            try look(bench, read)
        }
    }

    private static func flag(
        _ name: String, _ title: String, _ clause: Clause, _ holds: @escaping @Sendable (AuthenticatorDataFlags) -> Bool
    ) -> Case {
        request("flags.\(name)", title, clause, person: [.touch]) { bench, parameters in
            // The flags are readable where the parts that they announce are not.
            let flags = try flags(try await bench.send(.makeCredential, parameters), bench)
            bench.expect(
                holds(flags), title, seen: "the flags \(flags.abbreviations) (0x\(String(flags.rawValue, radix: 16)))")
        }
    }

    private static func flags(
        _ answer: AuthenticatorAnswer, _ bench: AuthenticatorBench
    ) throws -> AuthenticatorDataFlags {
        let bytes = try bench.bytes(try bench.response(answer), 2, "authData (0x02)")
        guard bytes.count > 32 else { throw CaseStop.notRun("authData has no flags, see makeCredential.data") }
        return AuthenticatorDataFlags(rawValue: bytes[32])
    }

    /// The response (CTAP 2.3 §6.1.2, WebAuthn L3 §6.1).
    @CaseTable static var response: [Case] {
        data("form", "authData has the form that its flags announce, and nothing more.", .webauthn("6.1")) { _, _ in }
        data("credential", "authData has a new credential.", .webauthn("6.5.1")) { bench, data in
            bench.expect(data.attestedCredentialData != nil, "attested credential data", seen: "none")
        }
        data("key", "The public key is valid for its algorithm.", .webauthn("6.5.1.1")) { bench, data in
            guard let made = data.attestedCredentialData else { throw CaseStop.notRun("authData has no credential") }
            do {
                _ = try COSE.PublicKey(cbor: made.credentialPublicKey)
            } catch {
                throw bench.fail("a public key", seen: "\(error)")
            }
        }
        data("key.algorithm", "The public key names an algorithm of the request.", .webauthn("6.5.1.1")) {
            bench, data in
            guard case .map(let key)? = data.attestedCredentialData?.credentialPublicKey else {
                throw CaseStop.notRun("authData has no credential")
            }
            let algorithm: CBOR.Value? = key[3]
            bench.expect(algorithm == .integer(COSE.Algorithm.es256.rawValue), "ES256", seen: "\(algorithm ?? .null)")
        }
        flag("up", "UP is 1 in a new credential's data.", .webauthn("6.1")) { $0.contains(.userPresent) }
        flag("at", "AT is 1 in a new credential's data.", .webauthn("6.1")) { $0.contains(.attestedCredentialData) }
        flag("ed", "ED is 0 without extension outputs.", .webauthn("6.1")) { !$0.contains(.extensionData) }
        flag("backup", "BS is 0 unless BE is 1.", .webauthn("6.1.3")) {
            $0.contains(.backupEligible) || !$0.contains(.backupState)
        }
        flag("reserved", "The reserved bits 1 and 5 are 0.", .webauthn("6.1")) { $0.rawValue & 0x22 == 0 }
        Case(
            "makeCredential.flags.withoutVerification", "UV is 0 in a new credential's data without user verification.",
            .webauthn("6.1"), needs: [.ctap2, .optionOff(.uv), .optionOff(.alwaysUv)], person: [.touch]
        ) { bench in
            guard !bench.isProtected || bench.has(.makeCredUvNotRqd) else {
                throw CaseStop.notApplicable("each new credential needs user verification")
            }
            let flags = try flags(try await bench.send(.makeCredential, bench.makeCredentialParameters()), bench)
            bench.expect(!flags.contains(.userVerified), "UV 0", seen: "the flags \(flags.abbreviations)")
        }
        Case(
            "makeCredential.flags.uv", "UV is 1 after user verification with a token.", .webauthn("6.1"),
            needs: [.ctap2, .pin, .optionOff(.noMcGaPermissionsWithClientPin)], effects: [.changesPIN], person: [.touch]
        ) { bench in
            try await bench.ensurePIN()
            let requested = CredentialRequest(verified: true)
            let flags = try await bench.newCredential(requested).authenticatorData.flags
            bench.expect(flags.contains(.userVerified), "UV 1", seen: "the flags \(flags.abbreviations)")
        }
        Case(
            "makeCredential.flags.edWithOutput", "ED is 1 with an extension output.", .webauthn("6.1"),
            needs: [.ctap2, .credentials, .supported("credProtect")], person: [.touch]
        ) { bench in
            let requested = CredentialRequest(extensions: ["credProtect": 1])
            let data = try await bench.newCredential(requested).authenticatorData
            bench.expect(data.flags.contains(.extensionData), "ED 1", seen: "the flags \(data.flags.abbreviations)")
        }
        made("rpIdHash", "authData begins with the hash of the RP ID.", .webauthn("6.1")) { bench, credential in
            let expected = sha256(Array(credential.relyingPartyID.utf8))
            let seen = credential.authenticatorData.relyingPartyIDHash
            bench.expect(seen == expected, Hex.encode(expected), seen: Hex.encode(seen))
        }
        made("aaguid", "The AAGUID is that of getInfo.", .ctap("6.1.2", step: "16")) { bench, credential in
            guard case .bytes(let stated)? = bench.infoMembers[InfoMember.aaguid.rawValue], stated.count == 16 else {
                throw CaseStop.notRun(
                    "getInfo has no AAGUID that can be read, see getInfo.required and getInfo.aaguid.type")
            }
            let seen = credential.authenticatorData.attestedCredentialData?.aaguid
            let format: CBOR.Value? = credential.response[1]
            // fido-u2f attests the AAGUID zero (WebAuthn L3 §8.6).
            let isAllowed = seen == bench.info.aaguid || (format == "fido-u2f" && seen == .zero)
            bench.expect(isAllowed, "\(bench.info.aaguid)", seen: seen.map { "\($0)" } ?? "nothing")
        }
        made("credentialID.length", "The credential ID has 16 to 1023 bytes.", .webauthn("5.8.3")) {
            bench, credential in
            bench.expect((16...1023).contains(credential.id.count), "16 to 1023 bytes", seen: "\(credential.id.count)")
        }
        made(
            "credentialID.limit", "The credential ID is no longer than maxCredentialIdLength.", .ctap("6.4"),
            needs: [.member(.maxCredentialIdLength)]
        ) { bench, credential in
            let limit = bench.info.maxCredentialIdLength ?? 0
            bench.expect(credential.id.count <= limit, "at most \(limit) bytes", seen: "\(credential.id.count)")
        }
        request(
            "credentialID.unique", "Two credentials of one account have different IDs and keys.", .webauthn("6.3.2"),
            person: [.touch, .touch]
        ) { bench, _ in
            let requested = CredentialRequest(userID: bench.randomBytes(16))
            let first = try await bench.newCredential(requested)
            let second = try await bench.newCredential(requested)
            bench.expect(first.id != second.id, "different IDs", seen: "the same")
            bench.expect(first.publicKey != second.publicKey, "different keys", seen: "the same")
        }
        made("key.parameters", "The public key has the parameters of its type and no others.", .webauthn("6.5.1.1")) {
            bench, credential in
            guard case .map(let key)? = credential.authenticatorData.attestedCredentialData?.credentialPublicKey else {
                throw bench.fail("a COSE key", seen: "another item")
            }
            let expected: [CBOR.Value] =
                switch credential.publicKey.material {
                case .ellipticCurve: [1, 3, -1, -2, -3]
                case .octetKeyPair: [1, 3, -1, -2]
                case .rsa: [1, 3, -1, -2]
                case .algorithmKeyPair: [1, 3, -1]
                }
            bench.expect(Set(key.keys) == Set(expected), "the parameters \(expected)", seen: "\(Array(key.keys))")
        }
        made("fmt", "fmt names an attestation format.", .webauthn("6.5.4")) { bench, credential in
            let known: Set = [
                "packed", "tpm", "android-key", "android-safetynet", "fido-u2f", "apple", "none", "compound",
            ]
            let format = try bench.text(credential.response, 1, "fmt (0x01)")
            bench.expect(known.contains(format), "a registered format", seen: format, level: .should)
        }
        made(
            "fmt.declared", "fmt is one of attestationFormats, or none.", .ctap("6.4"),
            needs: [.member(.attestationFormats)]
        ) { bench, credential in
            let format = try bench.text(credential.response, 1, "fmt (0x01)")
            let declared = bench.info.attestationFormats ?? []
            bench.expect(declared.contains(format) || format == "none", "one of \(declared)", seen: format)
        }
        made("attStmt", "The response has an attestation statement unless its format is none.", .ctap("6.1.2")) {
            bench, credential in
            guard credential.response[1] != "none" else { return }
            bench.expect(credential.response[3] != nil, "attStmt (0x03)", seen: "nothing")
        }
        made("members", "The response has members of the specification only.", .ctap("6.1.2"), level: .may) {
            bench, credential in
            let known = Set((1...6).map { CBOR.Value.integer($0) })
            let unknown = credential.response.keys.filter { !known.contains($0) }
            bench.expect(unknown.isEmpty, "members 0x01 to 0x06", seen: "\(unknown)")
        }
        made("withoutEpAtt", "epAtt is absent or false where none was requested.", .ctap("6.1.2", step: "9")) {
            bench, credential in bench.expect(credential.response[4] != true, "no epAtt, or false", seen: "true")
        }
        made("withoutLargeBlobKey", "largeBlobKey is absent where none was requested.", .ctap("12.3")) {
            bench, credential in bench.expect(credential.response[5] == nil, "no largeBlobKey", seen: "one")
        }
        request(
            "longRelyingPartyID", "The authenticator accepts a long RP ID, whole in its hash.", .webauthn("6.1"),
            person: [.touch]
        ) { bench, _ in
            let requested = CredentialRequest(relyingPartyID: String(repeating: "a-long-label.", count: 10) + "example")
            let made = try await bench.newCredential(requested)
            bench.expect(
                made.authenticatorData.relyingPartyIDHash == sha256(Array(made.relyingPartyID.utf8)),
                "the hash of the whole RP ID", seen: "another hash")
        }
    }
}
