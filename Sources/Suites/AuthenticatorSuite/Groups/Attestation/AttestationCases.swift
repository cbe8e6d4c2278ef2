internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance
internal import RelyingParty
internal import SwiftASN1
internal import WebAuthn
internal import X509

extension AuthenticatorSuite {
    /// Attestation statements (WebAuthn L3 §8) against the credential's key and the model.
    package static let attestation = Group(
        "attestation", "Attestation",
        AttestationCases.formats + AttestationCases.order + AttestationCases.algorithms + AttestationCases.statements
            + AttestationCases.certificates)
}

/// The cases of attestation.
enum AttestationCases {
    /// A registration whose client data the bench made, so that its statement can be verified.
    struct Registration {
        let credential: BenchCredential
        let format: String
        let statement: CBOR.Map
        /// Why the statement is not valid in its format; nil for a valid one.
        let statementProblem: String?

        /// The certificate chain in DER, leaf first.
        var chain: [[UInt8]] {
            guard case .array(let items)? = statement["x5c"] else { return [] }
            return items.compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
        }
    }

    /// Registers, with a preference for the given formats, the first one most.
    static func register(
        _ bench: AuthenticatorBench, formats: [String] = [],
        algorithm: COSE.Algorithm? = nil
    ) async throws -> Registration {
        let requested = CredentialRequest(algorithms: algorithm.map { [$0] })
        var parameters = bench.makeCredentialParameters(requested)
        let challenge = bench.randomBytes(32)
        let origin = "https://\(bench.relyingPartyID)"
        let clientData = Array(
            #"{"type":"webauthn.create","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)","crossOrigin":false}"#
                .utf8)
        parameters[1] = .bytes(sha256(clientData))
        if !formats.isEmpty { parameters[0x0B] = .array(formats.map { .text($0) }) }
        parameters = try await bench.authorized(makeCredential: parameters)
        let credential = try bench.note(try await bench.send(.makeCredential, parameters), of: parameters)
        let made = try bench.text(credential.response, 1, "fmt (0x01)")
        let data = try bench.bytes(credential.response, 2, "authData (0x02)")
        var statement = CBOR.Map()
        if case .map(let map)? = credential.response[3] { statement = map }
        let object = AttestationObject(format: made, statement: credential.response[3] ?? [:], authenticatorData: data)
        let verdict = await RegistrationVerifier().verify(
            RegistrationResponse(
                credentialID: credential.id, authenticatorAttachment: nil,
                response: AttestationResponse(clientDataJSON: clientData, attestationObject: object.encoded)),
            expectation: RegistrationExpectation(
                ceremony: CeremonyExpectation(
                    relyingPartyID: credential.relyingPartyID, challenge: challenge, challengeState: .current,
                    origins: [origin], userVerification: .discouraged), algorithms: [credential.publicKey.algorithm],
                userHandle: credential.userID, completingUserHandle: nil, now: bench.now,
                owner: { _ in .unregistered }))
        let problem: String? =
            switch verdict.ledger[.attestationStatement] {
            case .passed, .flagged, .notApplicable: nil
            case .failed(let reasons): reasons.map(\.explanation).joined(separator: "; ")
            case .notReached, nil: verdict.ledger.failures.map { "\($0.step.title): not so" }.joined(separator: "; ")
            }
        return Registration(credential: credential, format: made, statement: statement, statementProblem: problem)
    }

    /// A case that registers and looks at the statement.
    private static func registered(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must, needs: [AuthenticatorNeed] = [],
        format: String? = nil, algorithm: COSE.Algorithm? = nil,
        _ look: @escaping @Sendable (AuthenticatorBench, Registration) throws -> Void
    ) -> Case {
        Case(
            "attestation.\(name)", title, clause, level: level, needs: [.ctap2, .credentials] + needs, person: [.touch]
        ) { bench in
            if let format, bench.info.attestationFormats?.contains(format) != true {
                throw CaseStop.notApplicable("attestationFormats does not list \(format)")
            }
            try look(bench, try await register(bench, formats: format.map { [$0] } ?? [], algorithm: algorithm))
        }
    }

    private static func expectValid(_ bench: AuthenticatorBench, _ made: Registration) {
        bench.expect(
            made.statementProblem == nil, "a valid statement of the format \(made.format)",
            seen: made.statementProblem ?? "")
    }

    @CaseTable static var formats: [Case] {
        registered("default", "The statement is valid in its format.", .webauthn("6.5.4")) { bench, made in
            expectValid(bench, made)
        }
        for (format, section) in [
            ("packed", "8.2"), ("tpm", "8.3"), ("android-key", "8.4"), ("fido-u2f", "8.6"), ("apple", "8.8"),
            ("compound", "8.9"),
        ] {
            registered(
                "format.\(format)", "A preferred \(format) statement is valid.", .webauthn(section),
                needs: [.member(.attestationFormats)], format: format
            ) { bench, made in expectValid(bench, made) }
            registered(
                "preference.\(format)", "A preference for \(format) gives a statement of that format.",
                .ctap("6.1.2", step: "19"), level: .should, needs: [.member(.attestationFormats)], format: format
            ) { bench, made in bench.expect(made.format == format, format, seen: made.format) }
        }
    }

    @CaseTable static var order: [Case] {
        Case(
            "attestation.preference.order", "Of two preferred formats, the statement has the first one.",
            .ctap("6.1.2", step: "19"), level: .should, needs: [.ctap2, .credentials, .member(.attestationFormats)],
            person: [.touch, .touch]
        ) { bench in
            let formats = Array((bench.info.attestationFormats ?? []).filter { $0 != "none" }.prefix(2))
            guard formats.count == 2 else {
                throw CaseStop.notApplicable("attestationFormats lists fewer than two formats of attestation")
            }
            for preference in [formats, formats.reversed()] {
                let made = try await register(bench, formats: preference)
                bench.expect(made.format == preference[0], preference[0], seen: made.format)
            }
        }
    }

    @CaseTable static var algorithms: [Case] {
        for algorithm in [
            .es256, .edDSA, .es384, .es512, .esp256, .esp384, .esp512, .ed25519, .ed448, .es256K, .rs256, .ps256,
            .mlDSA65, .mlDSA87,
        ] as [COSE.Algorithm] {
            registered(
                "algorithm.\(algorithm)", "The statement about a key of \(algorithm) is valid.", .webauthn("6.5.4"),
                needs: [.algorithm(algorithm)], algorithm: algorithm
            ) { bench, made in expectValid(bench, made) }
        }
    }

    /// A case about packed statements; other formats make it not applicable.
    private static func packed(
        _ name: String, _ title: String, certified: Bool? = nil,
        _ look: @escaping @Sendable (AuthenticatorBench, Registration) throws -> Void
    ) -> Case {
        registered("packed.\(name)", title, .webauthn("8.2")) { bench, made in
            guard made.format == "packed" else {
                throw CaseStop.notApplicable("the format of the attestation is \(made.format)")
            }
            if let certified, certified == made.chain.isEmpty {
                throw CaseStop.notApplicable(
                    certified ? "the attestation is self attestation" : "the attestation has a certificate")
            }
            try look(bench, made)
        }
    }

    @CaseTable static var statements: [Case] {
        packed("members", "A packed statement has alg, sig and perhaps x5c.") { bench, made in
            let known: Set<CBOR.Value> = ["alg", "sig", "x5c"]
            let unknown = made.statement.keys.filter { !known.contains($0) }
            bench.expect(unknown.isEmpty, "alg, sig and x5c at most", seen: "\(unknown)")
        }
        packed("sig", "A packed statement has a signature.") { bench, made in
            let signature = try bench.bytes(made.statement, "sig", "sig")
            bench.expect(!signature.isEmpty, "a signature", seen: "no bytes")
        }
        packed("selfAlgorithm", "Self attestation names the algorithm of the credential's key.", certified: false) {
            bench, made in
            let algorithm: CBOR.Value? = made.statement["alg"]
            bench.expect(
                algorithm == .integer(made.credential.publicKey.algorithm.rawValue),
                "\(made.credential.publicKey.algorithm.rawValue)", seen: "\(algorithm ?? .null)")
        }
        packed("chain", "x5c is absent rather than empty.") { bench, made in
            let chain: CBOR.Value? = made.statement["x5c"]
            bench.expect(chain != [], "certificates or no x5c", seen: "an empty array")
        }
        registered("flags", "The data that the statement signs has UP and AT.", .webauthn("6.5.4")) { bench, made in
            let flags = made.credential.authenticatorData.flags
            bench.expect(
                flags.isSuperset(of: [.userPresent, .attestedCredentialData]), "UP and AT", seen: flags.abbreviations)
        }
        Case(
            "attestation.samePath", "Two credentials are attested by the same certificate (basic attestation).",
            .webauthn("6.5.3"), level: .should, needs: [.ctap2, .credentials], person: [.touch, .touch]
        ) { bench in
            let first = try await register(bench)
            guard first.format == "packed", !first.chain.isEmpty else {
                throw CaseStop.notApplicable("the attestation has no certificate of a model")
            }
            let second = try await register(bench)
            bench.expect(first.chain.first == second.chain.first, "one certificate", seen: "two")
        }
    }

    /// The attestation certificate (WebAuthn L3 §8.2.1).
    @CaseTable static var certificates: [Case] {
        packed("certificate.readable", "Each certificate of the path is X.509 in DER.", certified: true) {
            bench, made in
            for bytes in made.chain {
                bench.expect(
                    (try? Certificate(derEncoded: bytes)) != nil, "a certificate in DER", seen: "\(bytes.count) bytes")
            }
        }
        packed("certificate.version", "The attestation certificate has version 3.", certified: true) { bench, made in
            let certificate = try leaf(made, bench)
            bench.expect(certificate.version == .v3, "version 3", seen: "\(certificate.version)")
        }
        packed("certificate.notAuthority", "The attestation certificate is not an authority's.", certified: true) {
            bench, made in
            let constraints = try leaf(made, bench).extensions.basicConstraints
            switch constraints {
            case .notCertificateAuthority?: break
            case .isCertificateAuthority?: bench.expect(false, "CA false", seen: "CA true")
            case nil: bench.expect(false, "basic constraints with CA false", seen: "no basic constraints")
            }
        }
        packed("certificate.unit", "The subject's unit is Authenticator Attestation.", certified: true) { bench, made in
            let subject = try leaf(made, bench).subject.description
            bench.expect(
                subject.contains("OU=Authenticator Attestation"), "OU=Authenticator Attestation", seen: subject)
        }
        packed("certificate.validity", "The attestation certificate is valid for some time.", certified: true) {
            bench, made in
            let certificate = try leaf(made, bench)
            bench.expect(
                certificate.notValidBefore < certificate.notValidAfter, "an end after the beginning",
                seen: "\(certificate.notValidBefore) to \(certificate.notValidAfter)")
        }
        packed("certificate.path", "Each certificate of the path is issued by the next.", certified: true) {
            bench, made in
            let path = made.chain.compactMap { try? Certificate(derEncoded: $0) }
            for (certificate, issuer) in zip(path, path.dropFirst()) {
                bench.expect(
                    issuer.publicKey.isValidSignature(certificate.signature, for: certificate),
                    "a signature of \(issuer.subject)", seen: "another")
            }
        }
    }

    private static func leaf(_ made: Registration, _ bench: AuthenticatorBench) throws -> Certificate {
        guard let first = made.chain.first, let certificate = try? Certificate(derEncoded: first) else {
            throw bench.fail("an attestation certificate", seen: "none that can be read")
        }
        return certificate
    }
}
