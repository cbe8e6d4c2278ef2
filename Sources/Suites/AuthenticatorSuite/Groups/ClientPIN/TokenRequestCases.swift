internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance

/// Getting a token by PIN (CTAP 2.3 §6.5.5.7.1, §6.5.5.7.2).
enum TokenRequestCases {
    static let all = PINUVAuthProtocol.allCases.flatMap {
        plain(PINCaseNames($0)) + permitted(PINCaseNames($0)) + permissions(PINCaseNames($0))
    }

    private static let plainClause = Clause.ctap("6.5.5.7.1")
    private static let clause = Clause.ctap("6.5.5.7.2")

    private static let malformed: [RequestChange] = [
        .missing(PINMember.pinUvAuthProtocol, "pinUvAuthProtocol"), .missing(PINMember.keyAgreement, "keyAgreement"),
        .missing(PINMember.pinHashEnc, "pinHashEnc"), .wrongType(PINMember.pinHashEnc, "pinHashEnc", "hash"),
        .wrongType(PINMember.keyAgreement, "keyAgreement", .bytes([4])),
        .value(
            "unknownProtocol", "of an unknown PIN/UV auth protocol", PINMember.pinUvAuthProtocol, 0x7E,
            [.invalidParameter]),
    ]

    // MARK: getPinToken

    @CaseTable private static func plain(_ names: PINCaseNames) -> [Case] {
        let surplus: [RequestChange] = [
            .value("permissions", "with permissions", PINMember.permissions, 1, [.invalidParameter]),
            .value("rpId", "with an RP ID", PINMember.rpID, "conformance.example", [.invalidParameter]),
        ]
        // A device of CTAP 2.0 skips members that it does not know (§8).
        let changes = malformed.map { ($0, []) } + surplus.map { ($0, [AuthenticatorNeed.ctap21]) }
        for (change, needs) in changes {
            Case(
                names.id("getPinToken.\(change.name)"), names.title("getPinToken \(change.words) is refused"),
                plainClause, from: .pin, needs: names.needs + needs
            ) { bench in
                var request = try bench.tokenRequest(try await bench.agree(names.pinProtocol), pin: try bench.knownPIN)
                change.apply(&request)
                try await bench.refuse(.clientPIN, request, with: change.statuses)
            }
        }
        for change in SetPINCases.wrongKeys {
            Case(
                names.id("getPinToken.\(change.name)"),
                names.title("getPinToken \(change.words) is refused and costs no retry"), plainClause, from: .pin,
                needs: names.needs + [.ctap21]
            ) { bench in
                try await bench.keepingRetries {
                    var request = try bench.tokenRequest(
                        try await bench.agree(names.pinProtocol), pin: try bench.knownPIN)
                    change.apply(&request)
                    try await bench.refuse(.clientPIN, request, with: change.statuses)
                }
            }
        }
        limits(names)
        Case(
            names.id("getPinToken.success"),
            names.title("getPinToken gives a token of \(names.pinProtocol == .one ? "16 or 32" : "32") bytes"),
            plainClause, from: .pin, needs: names.needs
        ) { bench in
            let token = try await bench.givenToken(nil, protocol: names.pinProtocol)
            bench.expect(
                token.bytes.count == 32 || (names.pinProtocol == .one && token.bytes.count == 16),
                names.pinProtocol == .one ? "16 or 32 bytes" : "32 bytes", seen: "\(token.bytes.count) bytes",
                clause: .ctap("6.5.2.1"))
        }
        Case(
            names.id("getPinToken.new"), names.title("every getPinToken gives a new token"), plainClause,
            from: .pin, needs: names.needs + [.optionOn(.pinUvAuthToken)]
        ) { bench in
            let first = try await bench.givenToken(nil, protocol: names.pinProtocol)
            let second = try await bench.givenToken(nil, protocol: names.pinProtocol)
            bench.expect(first.bytes != second.bytes, "a new token", seen: "the previous token")
        }
        Case(
            names.id("getPinToken.wrongPIN"), names.title("getPinToken with a wrong PIN is refused"),
            plainClause, from: .pin, needs: names.needs, effects: [.spendsTries]
        ) { bench in
            bench.expect(try await bench.present(AuthenticatorBench.wrongPIN, names.pinProtocol), .pinInvalid)
            try await bench.restoreRetries()
        }
        Case(
            names.id("getPinToken.longHash"), names.title("getPinToken with the whole SHA-256 of the PIN is refused"),
            plainClause, from: .pin, needs: names.needs, effects: [.spendsTries]
        ) { bench in
            let agreed = try await bench.agree(names.pinProtocol)
            var request = try bench.tokenRequest(agreed, pin: try bench.knownPIN)
            request[PINMember.pinHashEnc] = .bytes(try agreed.encrypt(sha256(Array(try bench.knownPIN.utf8))))
            try await bench.refuse(
                .clientPIN, request, with: [.pinInvalid, .invalidParameter, .pinAuthInvalid, .invalidLength])
            try await bench.restoreRetries()
        }
        Case(
            names.id("getPinToken.notSet"), names.title("getPinToken is refused while no PIN is set"), plainClause,
            from: .noPIN, needs: names.needs
        ) { bench in bench.expect(try await bench.present(AuthenticatorBench.wrongPIN, names.pinProtocol), .pinNotSet) }
    }

    /// The permissions of a token of getPinToken, mc and ga alone.
    @CaseTable private static func limits(_ names: PINCaseNames) -> [Case] {
        let needs = names.needs + [.optionOn(.pinUvAuthToken)]
        Case(
            names.id("getPinToken.credentialManagement"),
            names.title("a token of getPinToken is refused for the management of credentials"), plainClause,
            from: .pin, needs: needs + [.optionOn(.credMgmt)]
        ) { bench in
            let token = try await bench.givenToken(nil, protocol: names.pinProtocol)
            bench.expect(try await bench.manage(.getCredsMetadata, token: token), .pinAuthInvalid)
        }
        Case(
            names.id("getPinToken.config"), names.title("a token of getPinToken is refused for setMinPINLength"),
            plainClause,
            from: .pin, needs: needs + [.optionOn(.setMinPINLength)]
        ) { bench in
            let token = try await bench.givenToken(nil, protocol: names.pinProtocol)
            bench.expect(try await bench.configure(.setMinPINLength, [0x03: false], token: token), .pinAuthInvalid)
        }
        Case(
            names.id("getPinToken.largeBlobs"),
            names.title("a token of getPinToken is refused for writing large blobs"), plainClause, from: .pin,
            needs: needs + [.optionOn(.largeBlobs)]
        ) { bench in
            let token = try await bench.givenToken(nil, protocol: names.pinProtocol)
            // A first fragment alone: a key that accepts it stores nothing.
            let fragment = Array(LargeBlobArray.ofLength(100).prefix(50))
            bench.expect(try await bench.writeBlobs(fragment, of: 100, token: token), .pinAuthInvalid)
        }
        Case(
            names.id("getPinToken.noCredentials"),
            names.title("a token of getPinToken authorises no ceremony where noMcGaPermissionsWithClientPin is on"),
            plainClause, from: .pin, needs: names.needs + [.optionOn(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.givenToken(nil, protocol: names.pinProtocol)
            bench.expect(try await bench.makeAnswer(token: token), .pinAuthInvalid)
            bench.expect(try await bench.assert(silently: true, token: token), .pinAuthInvalid)
        }
        if names.pinProtocol == .two {
            Case(
                names.id("getPinToken.vector"),
                names.title("the tokens of two answers are encrypted with different initialisation vectors"),
                .ctap("6.5.7"), from: .pin, needs: names.needs
            ) { bench in
                var vectors: Set<[UInt8]> = []
                for _ in 1...2 {
                    let members = try bench.members(of: try await bench.present(try bench.knownPIN, .two))
                    vectors.insert(Array(try bench.bytes(members, 0x02, "pinUvAuthToken").prefix(16)))
                }
                bench.expect(vectors.count == 2, "two vectors", seen: "the same vector twice")
            }
        }
    }

    // MARK: getPinUvAuthTokenUsingPinWithPermissions

    @CaseTable private static func permitted(_ names: PINCaseNames) -> [Case] {
        let more: [RequestChange] = [
            .missing(PINMember.permissions, "permissions"), .wrongType(PINMember.permissions, "permissions", "mc"),
            .wrongType(PINMember.rpID, "rpId", .bytes([1])),
            .value("permissionsZero", "with permissions 0", PINMember.permissions, 0, [.invalidParameter]),
            .missing(PINMember.rpID, "rpId"),
        ]
        for change in malformed + more {
            Case(
                names.id("tokenUsingPin.\(change.name)"),
                names.title("a request for a token with permission ga \(change.words) is refused"), clause, from: .pin,
                needs: names.needs + [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
            ) { bench in
                var request = try bench.tokenRequest(
                    try await bench.agree(names.pinProtocol), pin: try bench.knownPIN,
                    permissions: .getAssertion, rpID: bench.relyingPartyID)
                change.apply(&request)
                try await bench.refuse(.clientPIN, request, with: change.statuses)
            }
        }
        Case(
            names.id("tokenUsingPin.wrongPIN"),
            names.title("a request for a token with permissions and a wrong PIN is refused"), clause, from: .pin,
            needs: names.needs + [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)],
            effects: [.spendsTries]
        ) { bench in
            bench.expect(
                try await bench.present(
                    AuthenticatorBench.wrongPIN, names.pinProtocol, permissions: .getAssertion,
                    rpID: bench.relyingPartyID), .pinInvalid)
            try await bench.restoreRetries()
        }
        Case(
            names.id("tokenUsingPin.notSet"),
            names.title("a request for a token with permissions is refused while no PIN is set"), clause, from: .noPIN,
            needs: names.needs + [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            bench.expect(
                try await bench.present(
                    AuthenticatorBench.wrongPIN, names.pinProtocol, permissions: .getAssertion,
                    rpID: bench.relyingPartyID), .pinNotSet)
        }
    }

    /// Each permission: granted where the authenticator has the command, refused where it lacks it.
    @CaseTable private static func permissions(_ names: PINCaseNames) -> [Case] {
        for permission in TokenPermission.all {
            Case(
                names.id("tokenUsingPin.permission.\(permission.name)"),
                names.title(
                    "the permission \(permission.name) is given exactly where getInfo declares \(permission.words)"),
                .ctap("6.5.5.7"), from: .pin,
                needs: names.needs + [.optionOn(.pinUvAuthToken)] + permission.needs
            ) { bench in
                let isDeclared = permission.isDeclared(try await bench.readInfo())
                let answer = try await bench.present(
                    try bench.knownPIN, names.pinProtocol, permissions: permission.bit,
                    rpID: permission.needsRPID ? bench.relyingPartyID : nil)
                bench.expect(answer, anyOf: [isDeclared ? .ok : .unauthorizedPermission])
            }
        }
    }
}

/// A permission of tokens, and the option that declares its command (CTAP 2.3 §6.5.5.7).
struct TokenPermission: Sendable {
    let name: String
    let bit: PINUVAuthTokenPermissions
    let words: String
    var needsRPID = false
    var needs: [AuthenticatorNeed] = []
    let isDeclared: @Sendable (AuthenticatorInfo) -> Bool

    static let all: [TokenPermission] = [
        TokenPermission(name: "mc", bit: .makeCredential, words: "a PIN for credentials", needsRPID: true) {
            $0.option(.noMcGaPermissionsWithClientPin) != true
        },
        TokenPermission(name: "ga", bit: .getAssertion, words: "a PIN for credentials", needsRPID: true) {
            $0.option(.noMcGaPermissionsWithClientPin) != true
        }, TokenPermission(name: "cm", bit: .credentialManagement, words: "credMgmt") { $0.option(.credMgmt) == true },
        TokenPermission(name: "be", bit: .bioEnrollment, words: "bioEnroll") { $0.option(.bioEnroll) != nil },
        TokenPermission(name: "lbw", bit: .largeBlobWrite, words: "largeBlobs") { $0.option(.largeBlobs) == true },
        TokenPermission(name: "acfg", bit: .authenticatorConfiguration, words: "authnrCfg") {
            $0.option(.authnrCfg) == true
        },
        TokenPermission(
            name: "pcmr", bit: .persistentCredentialManagementReadOnly, words: "perCredMgmtRO",
            // An undefined bit before CTAP 2.2.
            needs: [.version(["FIDO_2_2", "FIDO_2_3"])]
        ) {
            $0.option(.perCredMgmtRO) == true
        },
    ]
}
