internal import CBOR
internal import CTAP
internal import Conformance
internal import MessageValues

extension AuthenticatorSuite {
    /// authenticatorGetInfo (CTAP 2.3 §6.4): the form of its answer, and whether it tells the truth.
    package static let getInfo = Group(
        "getInfo", "authenticatorGetInfo",
        memberTypes + (InfoRule.members + InfoRule.relations).map(\.conformanceCase) + answers + truths)

    /// CTAP 2.0 gives the later members no type.
    private static let memberTypes = InfoMember.allCases.map { member in
        Case(
            "getInfo.\(member.name).type",
            "The member \(member.name) (0x\(String(member.rawValue, radix: 16, uppercase: true))) has its type.",
            .ctap("6.4"),
            needs: [member.rawValue > InfoMember.pinUvAuthProtocols.rawValue ? .ctap21 : .ctap2, .member(member)]
        ) { bench in
            let map = try bench.response(try await bench.send(.getInfo))
            guard let value = map[member.rawValue] else {
                throw bench.fail("the member \(member.name), as before", seen: "nothing")
            }
            bench.expect(member.type.admits(value), "\(member.name) as \(member.type.words)", seen: "\(value)")
        }
    }

    @CaseTable private static var answers: [Case] {
        Case("getInfo.map", "The answer to getInfo is a map.", .ctap("6.4"), needs: [.ctap2]) { bench in
            _ = try bench.response(try await bench.send(.getInfo))
        }
        Case("getInfo.required", "The answer has versions and aaguid.", .ctap("6.4"), needs: [.ctap2]) { bench in
            let map = try bench.response(try await bench.send(.getInfo))
            for member in [InfoMember.versions, .aaguid] {
                bench.expect(map[member.rawValue] != nil, "the member \(member.name)", seen: "nothing")
            }
        }
        Case("getInfo.keys", "The members' keys are positive integers.", .ctap("6.4"), needs: [.ctap2]) { bench in
            let map = try bench.response(try await bench.send(.getInfo))
            for key in map.keys {
                guard case .unsigned(let number) = key, number > 0 else {
                    bench.expect(false, "positive integers as keys", seen: "the key \(key)")
                    continue
                }
            }
        }
        Case(
            "getInfo.unknownMembers", "The answer has members of the specification only.", .ctap("6.4"), level: .may,
            needs: [.ctap2]
        ) { bench in
            let map = try bench.response(try await bench.send(.getInfo))
            let known = Set(InfoMember.allCases.map { CBOR.Value.integer($0.rawValue) })
            let unknown = map.keys.filter { !known.contains($0) }
            bench.expect(unknown.isEmpty, "members up to 0x1F", seen: "\(unknown)")
        }
        Case("getInfo.withoutUser", "getInfo asks the user for nothing.", .ctap("6.4"), needs: [.ctap2]) { bench in
            let answer = try await bench.send(.getInfo)
            try bench.require(answer, .ok)
            bench.expect(!answer.askedForUser, "no request for the user", seen: "STATUS_UPNEEDED")
        }
        Case(
            "getInfo.repeated", "Two answers in a row are equal, apart from the members that are encrypted anew.",
            .ctap("6.4"), needs: [.ctap2]
        ) { bench in
            var former = try bench.response(try await bench.send(.getInfo))
            var latter = try bench.response(try await bench.send(.getInfo))
            for member in InfoMember.allCases where member.isNewInEveryAnswer {
                former[member.rawValue] = nil
                latter[member.rawValue] = nil
            }
            bench.expect(former == latter, "the same answer", seen: "another")
        }
        for member in [InfoMember.encIdentifier, .encCredStoreState] {
            Case(
                "getInfo.\(member.name).fresh", "The member \(member.name) differs in every answer.", .ctap("6.4"),
                needs: [.member(member)]
            ) { bench in
                let former = try bench.response(try await bench.send(.getInfo))
                let latter = try bench.response(try await bench.send(.getInfo))
                bench.expect(
                    former[member.rawValue] != latter[member.rawValue], "a new initialisation vector",
                    seen: "the same bytes")
            }
        }
    }

    /// Commands that getInfo declares, and their answers without authorisation.
    @CaseTable private static var truths: [Case] {
        declared(.clientPin, .clientPIN, [1: 1, 2: 1], [.ok, .pinNotSet], "getPINRetries")
        declared(.bioEnroll, .bioEnrollment, [1: 1, 2: 7], [.ok], "getFingerprintSensorInfo")
        declared(.userVerificationMgmtPreview, .bioEnrollmentPreview, [1: 1, 2: 7], [.ok], "getFingerprintSensorInfo")
        // The cases of credentialManagement demand PUAT_REQUIRED.
        let withoutToken: [CTAPStatus] = [.puatRequired, .missingParameter, .pinAuthInvalid, .pinNotSet]
        declared(
            .credMgmt, .credentialManagement, [1: 1], withoutToken, "getCredsMetadata without a token")
        declared(
            .credentialMgmtPreview, .credentialManagementPreview, [1: 1], withoutToken,
            "getCredsMetadata without a token")
        declared(.largeBlobs, .largeBlobs, [1: 17, 3: 0], [.ok], "a read")
        declared(
            .authnrCfg, .config, [1: 0xEE], [.invalidSubcommand, .invalidParameter, .puatRequired],
            "an unknown subcommand")
        Case(
            "getInfo.truth.algorithms", "An authenticator makes credentials with each algorithm that it lists.",
            .ctap("6.4"), needs: [.member(.algorithms), .credentials], person: [.touch]
        ) { bench in
            // The algorithms of getAssertion.algorithm have their own cases.
            let untested = (bench.info.algorithms ?? []).map(\.algorithm).filter {
                !GetAssertionCases.algorithms.contains($0)
            }
            guard !untested.isEmpty else { throw CaseStop.notApplicable("each listed algorithm has a case of its own") }
            for algorithm in untested {
                let request = bench.makeCredentialParameters(CredentialRequest(algorithms: [algorithm]))
                let answer = try await bench.send(.makeCredential, try await bench.authorized(makeCredential: request))
                bench.expect(answer, .ok, for: "the listed algorithm \(algorithm)")
            }
        }
        Case(
            "getInfo.truth.u2f", "An authenticator with U2F_V2 answers U2F_VERSION with U2F_V2.", .ctap("6.4"),
            needs: [.u2f]
        ) { bench in
            let answer = try await bench.sendU2F(U2FRequest(instruction: .version).encoded)
            bench.expect(answer.status == .noError, "SW_NO_ERROR (0x9000)", seen: "\(answer.status)")
            bench.expect(answer.data == Array("U2F_V2".utf8), "U2F_V2", seen: "\(answer.data)")
        }
        Case(
            "getInfo.truth.withoutRK", "An authenticator without rk refuses a discoverable credential.",
            .ctap("6.1.2", step: "5"), needs: [.ctap2, .optionOff(.rk), .credentials]
        ) { bench in
            let parameters = try await bench.authorized(
                makeCredential: bench.makeCredentialParameters(CredentialRequest(discoverable: true)))
            bench.expect(try await bench.send(.makeCredential, parameters), .unsupportedOption)
        }
        Case(
            "getInfo.truth.withoutUV", "An authenticator without uv refuses the option uv.",
            .ctap("6.1.2", step: "5"), needs: [.ctap2, .optionOff(.uv)]
        ) { bench in
            var parameters = bench.makeCredentialParameters()
            parameters[7] = ["uv": true]
            bench.expect(
                try await bench.send(.makeCredential, parameters), .invalidOption, .unsupportedOption,
                for: "a MakeCredential with the option uv")
        }
        Case(
            "getInfo.truth.remaining", "remainingDiscoverableCredentials falls with a new discoverable credential.",
            .ctap("6.4"), level: .should,
            needs: [.member(.remainingDiscoverableCredentials), .discoverableCredentials], effects: [.addsCredential],
            person: [.touch]
        ) { bench in
            let before = try await bench.readInfo().remainingDiscoverableCredentials ?? 0
            _ = try await bench.newCredential(CredentialRequest(discoverable: true))
            let after = try await bench.readInfo().remainingDiscoverableCredentials ?? 0
            bench.expect(after < before, "a number below \(before)", seen: "\(after)")
        }
    }

    private static func declared(
        _ option: InfoOption, _ command: CTAPCommand, _ parameters: CBOR.Map, _ statuses: [CTAPStatus], _ words: String
    ) -> Case {
        Case(
            "getInfo.truth.\(option.rawValue)", "An authenticator with the option \(option.rawValue) has \(command).",
            .ctap("6.4"), needs: [.ctap2, .option(option)]
        ) { bench in
            guard
                bench.info.option(option) == true || [.clientPin, .bioEnroll].contains(option)
                    || option == .userVerificationMgmtPreview
            else { throw CaseStop.notApplicable("the option \(option.rawValue) is false") }
            bench.expect(try await bench.send(command, parameters), anyOf: statuses, for: words)
        }
    }
}
