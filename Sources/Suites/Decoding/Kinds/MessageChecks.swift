internal import CBOR
internal import CTAP
internal import Crypto
internal import Trace
internal import WebAuthn

/// The rules of CTAP2 messages that one message alone can break.
enum MessageChecks {
    /// The section of CTAP 2.3 for each command.
    private static let sections: [CTAPCommand: String] = [
        .makeCredential: "6.1", .getAssertion: "6.2", .getNextAssertion: "6.3", .getInfo: "6.4", .clientPIN: "6.5",
        .reset: "6.6", .bioEnrollment: "6.7", .bioEnrollmentPreview: "6.7", .credentialManagement: "6.8",
        .credentialManagementPreview: "6.8", .selection: "6.9", .largeBlobs: "6.10", .config: "6.11",
    ]

    static func clause(_ command: CTAPCommand?) -> String {
        "CTAP 2.3 §" + (command.flatMap { sections[$0] } ?? "8")
    }

    static func hasNoParameters(_ command: CTAPCommand) -> Bool {
        [.getInfo, .reset, .getNextAssertion, .selection].contains(command)
    }

    // MARK: Requests

    static func request(_ bytes: [UInt8], _ request: TraceRequest) -> [DecodingProblem] {
        guard let command = bytes.first.map({ CTAPCommand(rawValue: $0) }) else {
            return [DecodingProblem("the message is empty", "CTAP 2.3 §8")]
        }
        guard command.name != nil else {
            return [DecodingProblem("no specification names the \(command)", "CTAP 2.3 §8.1")]
        }
        let clause = clause(command)
        guard bytes.count > 1 else {
            return hasNoParameters(command) ? [] : [DecodingProblem("the parameters are missing", clause)]
        }
        if hasNoParameters(command) { return [DecodingProblem("the command has no parameters", clause)] }
        var problems = content(request.message, bytes) { MessageDecoder.name(of: $0, inRequest: command) }
        guard let map = Reading.map(Array(bytes.dropFirst())) else { return problems }
        problems += MemberCheck(request: map, of: command).problems(clause)
        problems += lengths(request.message.fields, clause)
        switch command {
        case .makeCredential, .getAssertion: problems += credentialRequest(map, command, clause)
        case .clientPIN: problems += clientPIN(map, clause)
        case .bioEnrollment, .credentialManagement, .config, .bioEnrollmentPreview, .credentialManagementPreview:
            problems +=
                MemberCheck.unknownSubcommand(map, of: command).map {
                    [DecodingProblem("no specification names the subcommand \($0)", clause)]
                } ?? []
        case .largeBlobs:
            if (map[1] == nil) == (map[2] == nil) {
                problems.append(DecodingProblem("a request has either get (0x01) or set (0x02)", clause))
            }
        default: break
        }
        return problems
    }

    private static func credentialRequest(
        _ map: CBOR.Map, _ command: CTAPCommand, _ clause: String
    ) -> [DecodingProblem] {
        var problems: [DecodingProblem] = []
        let isRegistration = command == .makeCredential
        let keys: (parameter: Int, version: Int) = isRegistration ? (8, 9) : (6, 7)
        if map[keys.parameter] != nil, map[keys.version] == nil {
            problems.append(DecodingProblem("pinUvAuthParam comes without pinUvAuthProtocol", clause + ".2 step 2"))
        }
        problems += authentication(map, param: keys.parameter, protocol: keys.version, clause)
        problems += valueProblems(map, isRegistration: isRegistration, clause)
        let place = isRegistration ? 7 : 5
        if case .map(let options)? = map[place] {
            if isRegistration, options["up"] == false {
                problems.append(
                    DecodingProblem("options.up is false; a registration refuses it", clause + ".2 step 5"))
            }
            if !isRegistration, options["rk"] != nil {
                problems.append(DecodingProblem("options.rk belongs to MakeCredential only", clause + ".2 step 4"))
            }
        }
        return problems
    }

    /// Values and lists that no request has.
    private static func valueProblems(_ map: CBOR.Map, isRegistration: Bool, _ clause: String) -> [DecodingProblem] {
        var problems: [DecodingProblem] = []
        let list = isRegistration ? (key: 5, name: "excludeList") : (key: 3, name: "allowList")
        if map[list.key] == .array([]) {
            problems.append(DecodingProblem("\(list.name) is empty; leave it out", clause + ".1"))
        }
        if isRegistration, case .array(let parameters)? = map[4], Set(parameters).count < parameters.count {
            problems.append(DecodingProblem("pubKeyCredParams has an entry twice", clause + ".1"))
        }
        if isRegistration, let level = map[10], case .unsigned(let number) = level, !(1...2).contains(number) {
            problems.append(DecodingProblem("enterpriseAttestation is \(number), not 1 or 2", clause + ".2 step 9"))
        }
        if isRegistration, case .unsigned(let level)? = CBOR.Map(map[6])["credProtect"], !(1...3).contains(level) {
            problems.append(DecodingProblem("credProtect is \(level), not 1, 2 or 3", "CTAP 2.3 §12.1"))
        }
        return problems
    }

    /// The version of the PIN/UV auth protocol, and the length that it gives a pinUvAuthParam (CTAP 2.3 §6.5.6, §6.5.7).
    private static func authentication(
        _ map: CBOR.Map, param: Int, protocol key: Int, _ clause: String
    ) -> [DecodingProblem] {
        guard case .unsigned(let number)? = map[key] else { return [] }
        let length: Int? =
            switch PINUVAuthProtocol(rawValue: Int(clamping: number)) {
            case .one: 16
            case .two: 32
            case nil: nil
            }
        guard let length else {
            return [DecodingProblem("pinUvAuthProtocol is \(number), and no specification names it", clause)]
        }
        // Without bytes it asks for a touch.
        guard case .bytes(let bytes)? = map[param], !bytes.isEmpty, bytes.count != length else { return [] }
        return [
            DecodingProblem(
                "pinUvAuthParam has \(bytes.count) bytes; protocol \(number) makes \(length)",
                "CTAP 2.3 §6.5.\(number == 1 ? 6 : 7)")
        ]
    }

    /// The members that each subcommand of ClientPIN needs (CTAP 2.3 §6.5.5).
    private static let clientPINMembers: [ClientPINSubcommand: [ClientPINRequest.Key]] = [
        .getKeyAgreement: [.pinUvAuthProtocol],
        .setPIN: [.pinUvAuthProtocol, .keyAgreement, .newPinEnc, .pinUvAuthParam],
        .changePIN: [.pinUvAuthProtocol, .keyAgreement, .pinHashEnc, .newPinEnc, .pinUvAuthParam],
        .getPinToken: [.pinUvAuthProtocol, .keyAgreement, .pinHashEnc],
        .getPinUvAuthTokenUsingUvWithPermissions: [.pinUvAuthProtocol, .keyAgreement, .permissions],
        .getPinUvAuthTokenUsingPinWithPermissions: [.pinUvAuthProtocol, .keyAgreement, .pinHashEnc, .permissions],
    ]

    private static func clientPIN(_ map: CBOR.Map, _ clause: String) -> [DecodingProblem] {
        guard let number = map[ClientPINRequest.Key.subCommand.rawValue].flatMap({ try? $0.asUnsigned("") }) else {
            return []
        }
        guard let subcommand = ClientPINSubcommand(rawValue: number) else {
            return [DecodingProblem("no specification names the subcommand \(number)", clause)]
        }
        let missing = (clientPINMembers[subcommand] ?? []).filter { map[$0.rawValue] == nil }.map {
            DecodingProblem("\($0.name) is missing; \(subcommand) needs it", clause + ".5")
        }
        let keys = ClientPINRequest.Key.self
        return missing
            + authentication(
                map, param: keys.pinUvAuthParam.rawValue, protocol: keys.pinUvAuthProtocol.rawValue, clause)
            + (map[keys.keyAgreement.rawValue].map(Reading.agreementKeyProblems) ?? [])
    }

    // MARK: Responses

    static func response(_ bytes: [UInt8], to request: [UInt8], _ message: TraceMessage) -> [DecodingProblem] {
        guard let code = bytes.first else { return [DecodingProblem("the response is empty", "CTAP 2.3 §8")] }
        let (status, command) = (CTAPStatus(rawValue: code), request.first.map { CTAPCommand(rawValue: $0) })
        var problems: [DecodingProblem] = []
        // 0xE0 to 0xEF belong to extensions, 0xF0 to 0xFF to vendors.
        if status.name == nil, code < 0xE0 {
            problems.append(DecodingProblem("no specification names the status \(status)", "CTAP 2.3 §8.2"))
        }
        guard bytes.count > 1 else {
            guard status == .ok, let command, Self.answersWithMembers(command) else { return problems }
            return problems + [DecodingProblem("the response has no members", clause(command))]
        }
        if status != .ok { problems.append(DecodingProblem("members follow a status other than OK", "CTAP 2.3 §8.2")) }
        problems += content(message, bytes) { key in command.flatMap { MessageDecoder.name(of: key, inResponseTo: $0) }
        }
        guard let command, let map = Reading.map(Array(bytes.dropFirst())) else { return problems }
        let clause = clause(command)
        problems += MemberCheck(response: map, to: command).problems(clause) + lengths(message.fields, clause)
        if case .bytes(let data)? = map[2], [.makeCredential, .getAssertion, .getNextAssertion].contains(command) {
            problems += AuthenticatorDataRules.problems(
                data, command == .makeCredential ? .registration : .authentication)
            problems += relyingParty(data, request)
        }
        if command == .clientPIN {
            problems += map[ClientPINResponse.Key.keyAgreement.rawValue].map(Reading.agreementKeyProblems) ?? []
            if case .unsigned(let retries)? = map[ClientPINResponse.Key.pinRetries.rawValue], retries > 8 {
                problems.append(DecodingProblem("pinRetries is \(retries); a PIN has at most 8", clause + ".2"))
            }
        }
        if command == .makeCredential, case .text(let format)? = map[1], let statement = map[3] {
            let data: [UInt8] = if case .bytes(let data)? = map[2] { data } else { [] }
            problems += StatementForm.problems(format, statement, beside: data)
        }
        return problems
    }

    /// Whether each success of a command has members; the subcommands of others differ.
    private static func answersWithMembers(_ command: CTAPCommand) -> Bool {
        [.makeCredential, .getAssertion, .getNextAssertion, .getInfo].contains(command)
    }

    /// The hash in authenticator data is that of the request's relying party.
    private static func relyingParty(_ data: [UInt8], _ request: [UInt8]) -> [DecodingProblem] {
        guard let map = Reading.map(Array(request.dropFirst())), data.count >= 32 else { return [] }
        let id: String? =
            switch request.first.map({ CTAPCommand(rawValue: $0) }) {
            case .makeCredential?: CBOR.Map(map[2])["id"].flatMap { try? $0.asText("") }
            case .getAssertion?: map[1].flatMap { try? $0.asText("") }
            default: nil
            }
        guard let id, Array(SHA256.hash(data: Array(id.utf8))) != Array(data.prefix(32)) else { return [] }
        return [DecodingProblem("rpIdHash is not the SHA-256 hash of the request's RP ID \(id)", "WebAuthn L3 §6.1")]
    }

    // MARK: Both

    private static func content(
        _ message: TraceMessage, _ bytes: [UInt8], _ name: (CBOR.Value) -> String?
    ) -> [DecodingProblem] {
        guard let problem = message.problem else { return [] }
        let content = Array(bytes.dropFirst())
        let note = ", counted after the first byte"
        return [
            ReadingStop.problem(content, "CTAP 2.3 §8", note: note, name)
                ?? DecodingProblem(problem + note, "CTAP 2.3 §8")
        ]
    }

    /// The lengths in bytes of members that have fixed ones (CTAP 2.3 §6.1, §6.2, §6.4, §6.5.6, §6.5.7, §12.7).
    private static let lengths: [String: Set<Int>] = [
        "clientDataHash": [32], "rpIDHash": [32], "largeBlobKey": [32], "pinHashEnc": [16, 32], "newPinEnc": [64, 80],
        "pinUvAuthToken": [16, 32, 48], "saltEnc": [32, 64, 48, 80], "saltAuth": [16, 32], "encIdentifier": [32],
        "encCredStoreState": [32],
    ]

    private static func lengths(_ fields: [TraceField], _ clause: String) -> [DecodingProblem] {
        fields.flatMap { field -> [DecodingProblem] in
            var problems = lengths(field.items, clause)
            if let name = field.name, let count = field.length, field.type == .bytes, let allowed = lengths[name],
                !allowed.contains(count)
            {
                let words = allowed.sorted().map(String.init).joined(separator: " or ")
                problems.append(DecodingProblem("\(name) has \(count) bytes, not \(words)", clause))
            }
            if field.name == "user", let id = field.items.first(where: { $0.name == "id" }), let count = id.length,
                !(1...64).contains(count)
            {
                problems.append(DecodingProblem("user.id has \(count) bytes, not 1 to 64", "WebAuthn L3 §5.4.3"))
            }
            return problems
        }
    }
}

extension CBOR.Map {
    /// The map in an item; an empty one for any other item.
    init(_ item: CBOR.Value?) {
        if case .map(let map)? = item { self = map } else { self.init() }
    }
}
