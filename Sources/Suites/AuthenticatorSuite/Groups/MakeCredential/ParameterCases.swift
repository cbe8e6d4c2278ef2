internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance
internal import WebAuthn

extension MakeCredentialCases {
    /// Values of parameters at and beyond their limits.
    @CaseTable static var parameters: [Case] {
        changed(
            "plain", "The authenticator makes a credential with the required parameters alone.", .ctap("6.1.2"),
            person: [.touch], gives: [.ok]
        ) { _, _ in }
        for length in [0, 31, 33] {
            request(
                "clientDataHash.\(length)", "The authenticator refuses a clientDataHash of \(length) bytes.",
                .ctap("6.1"), level: .should
            ) { bench, parameters in
                parameters[1] = .bytes(bench.randomBytes(length))
                let signed = try await bench.authorized(makeCredential: parameters)
                bench.expect(
                    try await bench.send(.makeCredential, signed),
                    anyOf: AuthenticatorSuite.formRefusals + [.pinAuthInvalid])
            }
        }
        changed(
            "user.id.tooLong", "The authenticator refuses a user handle of 65 bytes.", .webauthn("5.4.3"),
            level: .should, gives: [.invalidLength, .invalidParameter, .invalidCBOR, .limitExceeded]
        ) { bench, parameters in parameters[3] = ["id": .bytes(bench.randomBytes(65)), "name": "a"] }
        changed(
            "user.id.longest", "The authenticator accepts a user handle of 64 bytes.", .webauthn("5.4.3"),
            person: [.touch], gives: [.ok]
        ) { bench, parameters in parameters[3] = ["id": .bytes(bench.randomBytes(64)), "name": "a"] }
        changed(
            "user.id.shortest", "The authenticator accepts a user handle of one byte.", .webauthn("5.4.3"),
            person: [.touch], gives: [.ok]
        ) { _, parameters in parameters[3] = ["id": .bytes([1]), "name": "a"] }
        changed(
            "user.idAlone", "The authenticator accepts a user without names.", .ctap("6.1"), person: [.touch],
            gives: [.ok]
        ) { bench, parameters in parameters[3] = ["id": .bytes(bench.randomBytes(16))] }
        changed(
            "user.longNames", "The authenticator accepts names that are longer than it stores.",
            .webauthn("6.4.1"), person: [.touch], gives: [.ok]
        ) { bench, parameters in
            let name = CBOR.Value.text(String(repeating: "ü", count: 60))
            parameters[3] = ["id": .bytes(bench.randomBytes(16)), "name": name, "displayName": name]
        }
        changed(
            "user.emptyNames", "The authenticator accepts empty names.", .webauthn("5.4.3"), person: [.touch],
            gives: [.ok]
        ) { bench, parameters in
            parameters[3] = ["id": .bytes(bench.randomBytes(16)), "name": "", "displayName": ""]
        }
        changed(
            "user.icon", "The authenticator ignores the member icon of older versions.", .ctap("8"),
            person: [.touch], gives: [.ok]
        ) { bench, parameters in
            parameters[3] = [
                "id": .bytes(bench.randomBytes(16)), "icon": "https://example.com/icon.png", "name": "a",
            ]
        }
        changed(
            "user.unknownMember", "The authenticator ignores an unknown member of user.", .ctap("8"),
            person: [.touch], gives: [.ok]
        ) { bench, parameters in
            parameters[3] = ["id": .bytes(bench.randomBytes(16)), "name": "a", "unknown": true]
        }
        changed(
            "rp.idAlone", "The authenticator accepts a relying party without a name.", .ctap("6.1"),
            person: [.touch], gives: [.ok]
        ) { bench, parameters in parameters[2] = ["id": .text(bench.relyingPartyID)] }
        changed(
            "rp.unknownMember", "The authenticator ignores an unknown member of rp.", .ctap("8"),
            person: [.touch], gives: [.ok]
        ) { bench, parameters in parameters[2] = ["id": .text(bench.relyingPartyID), "name": "a", "unknown": 7] }
        changed(
            "unknownParameter", "The authenticator ignores an unknown parameter.", .ctap("8"), person: [.touch],
            gives: [.ok]
        ) { _, parameters in parameters[0x7E] = "unknown" }
        changed(
            "extensions.unknown", "The authenticator ignores an unknown extension.", .ctap("6.1.2", step: "15"),
            person: [.touch], gives: [.ok]
        ) { _, parameters in parameters[6] = ["example.unknown": ["a": 1]] }
        request(
            "extensions.unknownOutput", "An unknown extension has no output.", .ctap("6.1.2", step: "15"),
            person: [.touch]
        ) { bench, parameters in
            parameters[6] = ["example.unknown": true]
            let made = try bench.note(try await bench.send(.makeCredential, parameters), of: parameters)
            let output: CBOR.Value? = made.authenticatorData.extensions?["example.unknown"]
            bench.expect(output == nil, "no output", seen: "\(output ?? .null)")
        }
        changed(
            "formats.unknown", "The authenticator ignores an unknown attestation format in the preference.",
            .ctap("6.1.2", step: "17"), needs: [.member(.attestationFormats)], person: [.touch], gives: [.ok]
        ) { _, parameters in parameters[0x0B] = ["example"] }
        request(
            "formats.none", "The authenticator gives no attestation where the preference is none.",
            .ctap("6.1.2", step: "17"), needs: [.member(.attestationFormats)], person: [.touch]
        ) { bench, parameters in
            parameters[0x0B] = ["none"]
            let response = try bench.response(try await bench.send(.makeCredential, parameters))
            let format = try bench.text(response, 1, "fmt (0x01)")
            bench.expect(format == "none", "the format none", seen: format)
            let statement: CBOR.Value? = response[3]
            bench.expect(
                statement == nil || statement == [:], "an empty or absent statement", seen: "\(statement ?? .null)")
        }
    }

    @CaseTable static var algorithms: [Case] {
        for algorithm in [
            .es256, .edDSA, .es384, .es512, .esp256, .esp384, .esp512, .ed25519, .ed448, .es256K, .rs256, .ps256,
            .mlDSA65, .mlDSA87,
        ] as [COSE.Algorithm] {
            Case(
                "makeCredential.algorithm.\(algorithm)", "The authenticator makes a key of the algorithm \(algorithm).",
                .ctap("6.1.2", step: "3"), needs: [.ctap2, .credentials, .algorithm(algorithm)], person: [.touch]
            ) { bench in
                let requested = CredentialRequest(algorithms: [algorithm])
                let made = try await bench.newCredential(requested)
                bench.expect(
                    made.publicKey.algorithm == algorithm, "a key of \(algorithm)", seen: "\(made.publicKey.algorithm)")
            }
        }
        request(
            "algorithms.afterUnknown", "The authenticator passes over algorithms that it does not have.",
            .ctap("6.1.2", step: "3"), person: [.touch]
        ) { bench, parameters in
            let own = bench.algorithms[0]
            parameters[4] = [
                ["alg": -65000, "type": "public-key"], ["alg": .integer(own.rawValue), "type": "public-key"],
            ]
            let made = try bench.note(try await bench.send(.makeCredential, parameters), of: parameters)
            bench.expect(made.publicKey.algorithm == own, "a key of \(own)", seen: "\(made.publicKey.algorithm)")
        }
        changed(
            "algorithms.unsupported", "The authenticator refuses a list without an algorithm of its own.",
            .ctap("6.1.2", step: "3"), gives: [.unsupportedAlgorithm]
        ) { _, parameters in parameters[4] = [["alg": -65000, "type": "public-key"]] }
        changed(
            "algorithms.empty", "The authenticator refuses an empty list of algorithms.",
            .ctap("6.1.2", step: "3"),
            gives: [.unsupportedAlgorithm, .missingParameter, .invalidParameter, .invalidCBOR, .invalidLength]
        ) { _, parameters in parameters[4] = [] }
        changed(
            "algorithms.unknownType", "The authenticator refuses a list of unknown credential types.",
            .ctap("6.1.2", step: "3"), gives: [.unsupportedAlgorithm]
        ) { bench, parameters in
            parameters[4] = [["alg": .integer(bench.algorithms[0].rawValue), "type": "unknown"]]
        }
        request(
            "algorithms.mixedTypes", "The authenticator passes over an unknown credential type in the list.",
            .ctap("6.1.2", step: "3"), person: [.touch]
        ) { bench, parameters in
            let algorithm = CBOR.Value.integer(bench.algorithms[0].rawValue)
            parameters[4] = [["alg": algorithm, "type": "unknown"], ["alg": algorithm, "type": "public-key"]]
            bench.expect(try await bench.send(.makeCredential, parameters), .ok)
        }
        request(
            "algorithms.first", "The authenticator takes the first of the algorithms that it has.",
            .ctap("6.1.2", step: "3"), person: [.touch, .touch]
        ) { bench, parameters in
            guard bench.algorithms.count > 1 else {
                throw CaseStop.notApplicable("the authenticator has one algorithm only")
            }
            let pair = Array(bench.algorithms.prefix(2))
            for order in [pair, pair.reversed()] {
                let requested = CredentialRequest(algorithms: order)
                let made = try await bench.newCredential(requested)
                bench.expect(
                    made.publicKey.algorithm == order[0], "a key of \(order[0]), the first in the list",
                    seen: "\(made.publicKey.algorithm)")
            }
        }
    }
}
