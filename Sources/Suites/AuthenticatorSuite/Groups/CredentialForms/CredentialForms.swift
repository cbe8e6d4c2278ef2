internal import CBOR
internal import CTAP
internal import Conformance
internal import MessageValues

/// The form of the parameters of MakeCredential or GetAssertion: which are required, and of which type.
struct CredentialForms: Sendable {
    let group: String
    let command: CTAPCommand
    let clause: Clause
    let needs: [AuthenticatorNeed]
    let members: [MessageMember]
    let required: [Int]
    /// A valid request; in a comparison of devices, which makes no credential, one that allows an unknown credential.
    let base: @Sendable (AuthenticatorBench) async throws -> CBOR.Map

    static let makeCredential = CredentialForms(
        group: "makeCredential", command: .makeCredential, clause: .ctap("6.1"), needs: [.ctap2, .credentials],
        members: MakeCredentialRequest.members, required: [1, 2, 3, 4]
    ) { bench in
        var parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
        parameters[5] = [["id": .bytes(bench.randomBytes(32)), "type": "public-key"]]
        return parameters
    }

    static let getAssertion = CredentialForms(
        group: "getAssertion", command: .getAssertion, clause: .ctap("6.2"), needs: [.ctap2],
        members: GetAssertionRequest.members, required: [1, 2]
    ) { bench in
        var parameters = bench.getAssertionParameters()
        if bench.isCompared {
            parameters[3] = [["id": .bytes(bench.randomBytes(32)), "type": "public-key"]]
        } else {
            // A parser of one pass would refuse an unknown credential before it sees the wrong form.
            let credential = try await bench.sharedCredential()
            parameters = try await bench.authorized(
                getAssertion: bench.getAssertionParameters(allowing: [credential]), verified: false)
        }
        parameters[5] = ["up": false]
        return parameters
    }

    @CaseTable var cases: [Case] {
        missing
        wrongTypes
        inner
    }

    // MARK: Members

    @CaseTable private var missing: [Case] {
        for member in members where required.contains(where: { member.key == .integer($0) }) {
            Case(
                "\(group).missing.\(member.name)", "The authenticator refuses a \(command) without \(member.name).",
                clause, needs: needs
            ) { bench in
                var parameters = try await base(bench)
                parameters[member.key] = nil
                bench.expect(
                    try await bench.send(command, parameters), .missingParameter,
                    for: "a \(command) without \(member.name)", clause: .ctap("8.2"))
            }
        }
    }

    private static let samples: [(name: String, words: String, item: CBOR.Value)] = [
        ("integer", "an integer", 7), ("text", "a text", "wrong"), ("map", "a map", ["wrong": 1]),
        ("bytes", "a byte string", .bytes([1, 2, 3])), ("array", "an array", [1]), ("boolean", "a boolean", true),
    ]

    @CaseTable private var wrongTypes: [Case] {
        for member in members {
            for sample in Self.samples(for: member) {
                wrong(member, sample.name, sample.words, sample.item)
            }
        }
    }

    /// Unknown keys of options are ignored, whatever their values are.
    private static func samples(for member: MessageMember) -> ArraySlice<
        (name: String, words: String, item: CBOR.Value)
    > {
        samples.filter { sample in
            (sample.name != "map" || ![MemberType.item, .dictionary(.bool)].contains(member.type))
                && (!member.type.admits(sample.item) || member.type == .item)
        }.prefix(4)
    }

    private func wrong(_ member: MessageMember, _ name: String, _ words: String, _ item: CBOR.Value) -> Case {
        Case(
            "\(group).type.\(member.name).\(name)",
            "The authenticator refuses a \(command) whose \(member.name) is \(words).", clause,
            level: level(of: member), needs: needs + Self.needs(of: member)
        ) { bench in
            var parameters = try await base(bench)
            parameters[member.key] = item
            let answer = try await bench.send(command, parameters)
            let request = "a \(command) whose \(member.name) is \(words)"
            guard bench.expect(answer, anyOf: Self.refusals(of: member), for: request) else { return }
            bench.expect(
                answer, .cborUnexpectedType, .invalidCBOR, .invalidParameter, for: request, clause: .ctap("8.2"),
                level: .should)
        }
    }

    /// An authenticator skips members that it does not know (CTAP 2.3 §8).
    private static func needs(of member: MessageMember) -> [AuthenticatorNeed] {
        switch member.name {
        case "attestationFormatsPreference": [.member(.attestationFormats)]
        case "pinUvAuthParam", "pinUvAuthProtocol": [.member(.pinUvAuthProtocols)]
        case "enterpriseAttestation": [.option(.ep)]
        default: []
        }
    }

    /// A step of the command looks at a required member and at those of the authorisation; about the form of other members there
    /// is only §8, which recommends.
    private func level(of member: MessageMember) -> Level {
        let isJudged = ["pinUvAuthParam", "pinUvAuthProtocol", "enterpriseAttestation"].contains(member.name)
        return isJudged || required.contains { member.key == .integer($0) } ? .must : .should
    }

    /// The statuses that refuse a wrong form; a list without an algorithm that can be read has none that is supported.
    private static func refusals(of member: MessageMember) -> [CTAPStatus] {
        AuthenticatorSuite.formRefusals + (member.name == "pubKeyCredParams" ? [.unsupportedAlgorithm] : [])
    }

    // MARK: Maps and arrays inside

    /// A change inside a member, such as `rp.id`.
    private struct Change: Sendable {
        let name: String
        let words: String
        let key: Int
        let item: CBOR.Value
        /// The clause that demands any error; nil for the general one of §8.
        var clause: Clause?
        var level = Level.must
    }

    @CaseTable private var inner: [Case] {
        for change in command == .makeCredential ? Self.registrationChanges : Self.assertionChanges {
            Case(
                "\(group).form.\(change.name)", "The authenticator refuses a \(command) \(change.words).",
                change.clause ?? clause, level: change.level, needs: needs
            ) { bench in
                var parameters = try await base(bench)
                parameters[change.key] = change.item
                let (answer, request) = (try await bench.send(command, parameters), "a \(command) \(change.words)")
                if change.clause != nil {
                    bench.expectRefusal(answer, of: request)
                } else {
                    bench.expect(answer, anyOf: AuthenticatorSuite.formRefusals, for: request)
                }
            }
        }
    }

    /// An element of pubKeyCredParams with a wrong or missing member ends in any error.
    private static let algorithmList = Clause.ctap("6.1.2", step: "3")
    private static let user = CBOR.Value.bytes([1, 2, 3, 4])
    private static let id = CBOR.Value.bytes([UInt8](repeating: 7, count: 32))

    private static let registrationChanges =
        [
            Change(name: "rp.id.missing", words: "whose rp has no id", key: 2, item: ["name": "Example"]),
            Change(name: "rp.id.type", words: "whose rp.id is an integer", key: 2, item: ["id": 7]),
            Change(
                name: "rp.name.type", words: "whose rp.name is an integer", key: 2,
                item: ["id": "a.example", "name": 7], level: .should),
            Change(name: "user.id.missing", words: "whose user has no id", key: 3, item: ["name": "Example"]),
            Change(
                name: "user.id.type", words: "whose user.id is a text", key: 3, item: ["id": "text"], level: .should),
            Change(
                name: "user.name.type", words: "whose user.name is an integer", key: 3, item: ["id": user, "name": 7],
                level: .should),
            Change(
                name: "user.displayName.type", words: "whose user.displayName is an integer", key: 3,
                item: ["id": user, "name": "a", "displayName": 7], level: .should),
            Change(
                name: "pubKeyCredParams.item", words: "with a pubKeyCredParams of integers", key: 4, item: [-7],
                clause: algorithmList),
            Change(
                name: "pubKeyCredParams.alg.missing", words: "with a pubKeyCredParams without alg", key: 4,
                item: [["type": "public-key"]], clause: algorithmList),
            Change(
                name: "pubKeyCredParams.alg.type", words: "with a pubKeyCredParams whose alg is a text", key: 4,
                item: [["alg": "ES256", "type": "public-key"]], clause: algorithmList),
            Change(
                name: "pubKeyCredParams.type.missing", words: "with a pubKeyCredParams without type", key: 4,
                item: [["alg": -7]], clause: algorithmList),
            Change(
                name: "pubKeyCredParams.type.type", words: "with a pubKeyCredParams whose type is an integer", key: 4,
                item: [["alg": -7, "type": 1]], clause: algorithmList),
            Change(
                name: "pubKeyCredParams.later",
                words: "with an element without alg after a whole one in pubKeyCredParams",
                key: 4, item: [["alg": -7, "type": "public-key"], ["type": "public-key"]], clause: algorithmList),
            Change(name: "options.rk.type", words: "whose option rk is an integer", key: 7, item: ["rk": 1]),
        ] + descriptors("excludeList", 5)

    private static let assertionChanges =
        [Change(name: "options.up.type", words: "whose option up is an integer", key: 5, item: ["up": 1])]
        + descriptors("allowList", 3)

    /// An authenticator looks for its own credentials in a list, and no clause tells it to look at the other descriptors.
    private static func descriptors(_ list: String, _ key: Int) -> [Change] {
        [
            Change(
                name: "\(list).item", words: "with an \(list) of byte strings", key: key, item: [id], level: .should),
            Change(
                name: "\(list).id.missing", words: "with a descriptor without id in \(list)", key: key,
                item: [["type": "public-key"]], level: .should),
            Change(
                name: "\(list).id.type", words: "with a descriptor whose id is a text in \(list)", key: key,
                item: [["id": "text", "type": "public-key"]], level: .should),
            Change(
                name: "\(list).type.missing", words: "with a descriptor without type in \(list)", key: key,
                item: [["id": id]], level: .should),
            Change(
                name: "\(list).type.type", words: "with a descriptor whose type is an integer in \(list)", key: key,
                item: [["id": id, "type": 1]], level: .should),
        ]
    }
}
