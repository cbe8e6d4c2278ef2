internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

extension AuthenticatorSuite {
    /// The encoding of messages (CTAP 2.3 §8).
    package static let cbor = Group(
        "cbor", "The encoding of messages",
        refusedEncodings + refusedParameters + acceptedEncodings + responseEncodings)

    /// The statuses by which an authenticator refuses the form of a message.
    static let formRefusals: [CTAPStatus] = [
        .invalidCBOR, .cborUnexpectedType, .invalidLength, .invalidParameter, .missingParameter,
    ]

    /// A message that is not well-formed or not canonical, for each command.
    private static let refusedEncodings = SampleRequest.all.flatMap { request in
        EncodingDefect.all.map { defect in
            Case(
                "cbor.\(request.name).\(defect.name)",
                "The authenticator refuses a \(request.command) whose parameters \(defect.title).",
                defect.clause, level: defect.level, needs: request.needs
            ) { bench in
                let bytes = defect.encode(try await validParameters(request, bench))
                let answer = try await bench.send([request.command.rawValue] + bytes)
                guard
                    bench.expect(
                        answer, anyOf: formRefusals, for: "parameters that \(defect.title)", level: defect.level)
                else { return }
                bench.expect(
                    answer, .invalidCBOR, for: "parameters that \(defect.title)", clause: .ctap("8.2"), level: .should)
            }
        }
    }

    /// Valid parameters where the bench can make them: the refusal of an invalid request says nothing about the parser.
    private static func validParameters(_ request: SampleRequest, _ bench: AuthenticatorBench) async throws -> CBOR.Map
    {
        // In a comparison each case sends the same to every device, whatever the cases before it left.
        guard !bench.isCompared, [.makeCredential, .getAssertion].contains(request.command),
            let valid = try await bench.validRequest(request.command)?.parameters
        else { return request.parameters(bench) }
        return valid
    }

    /// Parameters of another type than a map, for each command.
    private static let refusedParameters = SampleRequest.all.flatMap { request in
        notMaps.map { name, title, bytes in
            Case(
                "cbor.\(request.name).\(name)",
                "The authenticator refuses a \(request.command) \(title).", .ctap("8"), needs: request.needs
            ) { bench in
                let answer = try await bench.send([request.command.rawValue] + bytes)
                bench.expect(answer, anyOf: formRefusals, for: "a request \(title)")
            }
        }
    }

    private static let notMaps: [(String, String, [UInt8])] = [
        ("noParameters", "without parameters", []), ("emptyMap", "with an empty map", [0xA0]),
        ("array", "whose parameters are an array", [0x81, 0x01]),
        ("integer", "whose parameters are an integer", [0x01]), ("text", "whose parameters are a text", [0x61, 0x61]),
        ("bytes", "whose parameters are a byte string", [0x41, 0xA0]), ("null", "whose parameters are null", [0xF6]),
    ]

    /// Members that an authenticator does not know, for each command.
    private static let acceptedEncodings = SampleRequest.all.flatMap { request in
        unknownMembers.map { name, title, clause, entry in
            Case(
                "cbor.\(request.name).\(name)",
                "The authenticator answers a \(request.command) \(title) as one without it.", clause,
                needs: request.needs
            ) { bench in
                let parameters = request.parameters(bench)
                let plain = try await bench.send(request.command, parameters)
                var more = parameters
                more[entry.0] = entry.1
                let answer = try await bench.send(request.command, more)
                bench.expect(
                    answer.status == plain.status, "\(plain.status.specified), as without the member",
                    seen: answer.seen)
            }
        }
    }

    private static let unknownMembers: [(String, String, Clause, (CBOR.Value, CBOR.Value))] = [
        ("unknownMember", "with an unknown member", .ctap("8"), (0x7E, true)),
        ("unknownNegativeKey", "with an unknown negative key", .ctap("8"), (-9, "unknown")),
        ("unknownTextKey", "with an unknown key that is a text", .ctap("8"), ("unknown", [1, 2])),
        ("fourLevels", "with an unknown member that makes four levels", .ctap("8"), (0x7E, [[[1]]])),
    ]

    private static let responseEncodings =
        SampleRequest.all.filter { [.clientPIN, .bioEnrollment, .largeBlobs].contains($0.command) }.map { request in
            Case(
                "cbor.\(request.name).response", "The response to \(request.command) is canonical CBOR.", .ctap("8"),
                needs: request.needs
            ) { bench in try expectCanonical(try await bench.send(request.command, request.parameters(bench)), bench) }
        } + [
            Case("cbor.getInfo.response", "The response to GetInfo is canonical CBOR.", .ctap("8"), needs: [.ctap2]) {
                bench in try expectCanonical(try await bench.send(.getInfo), bench)
            },
            Case(
                "cbor.makeCredential.response", "The response to MakeCredential is canonical CBOR.",
                .ctap("8"), needs: [.credentials], person: [.touch]
            ) { bench in
                let parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
                try expectCanonical(try await bench.send(.makeCredential, parameters), bench)
            },
            Case(
                "cbor.makeCredential.authenticatorData",
                "The key and the extension outputs in authenticator data are canonical CBOR.",
                .ctap("8"), needs: [.credentials], person: [.touch]
            ) { bench in
                var requested = CredentialRequest()
                if bench.supports("credProtect") { requested.extensions = ["credProtect": 1] }
                let parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters(requested))
                let response = try bench.response(try await bench.send(.makeCredential, parameters))
                let data = try bench.bytes(response, 2, "authData (0x02)")
                do {
                    _ = try AuthenticatorData(parsing: data)
                } catch {
                    throw bench.fail("authenticator data with canonical CBOR", seen: "\(error)")
                }
            },
            Case(
                "cbor.getAssertion.response", "The response to GetAssertion is canonical CBOR.",
                .ctap("8"), needs: [.credentials], person: [.touch]
            ) { bench in
                let credential = try await bench.sharedCredential()
                let parameters = try await bench.authorized(
                    getAssertion: bench.getAssertionParameters(allowing: [credential]), verified: false)
                try expectCanonical(try await bench.send(.getAssertion, parameters), bench)
            },
            Case(
                "cbor.getNextAssertion.response", "The response to GetNextAssertion is canonical CBOR.", .ctap("8"),
                needs: [.ctap2, .discoverableCredentials, .optionOff(.alwaysUv)], effects: [.addsCredential],
                person: [.touch, .touch]
            ) { bench in
                try await bench.record.preparing("the assertions of the case") { try await bench.beginAssertions() }
                try expectCanonical(try await bench.send(.getNextAssertion), bench)
            },
            Case(
                "cbor.credentialManagement.response", "The response to getCredsMetadata is canonical CBOR.",
                .ctap("8"), needs: [.optionOn(.credMgmt), .pin], effects: [.changesPIN]
            ) { bench in
                let token = try await bench.clientToken(.credentialManagement)
                let parameters: CBOR.Map = [
                    1: 1, 3: .integer(token.pinProtocol.rawValue), 4: .bytes(token.authenticate([1])),
                ]
                try expectCanonical(try await bench.send(.credentialManagement, parameters), bench)
            },
        ]

    private static func expectCanonical(_ answer: AuthenticatorAnswer, _ bench: AuthenticatorBench) throws(CaseStop) {
        // Other cases are about the members.
        guard answer.status == .ok else { return try bench.require(answer, .ok) }
        try bench.require(answer.bytes.count > 1, "a response", seen: "the status alone")
        bench.expect(answer.encodingProblem == nil, "canonical CBOR", seen: answer.encodingProblem?.description ?? "")
    }
}
