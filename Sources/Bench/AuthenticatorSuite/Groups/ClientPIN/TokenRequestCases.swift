internal import CBOR
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

    private static func plain(_ names: PINCaseNames) -> [AuthenticatorCase] {
        let surplus: [RequestChange] = [
            .value("permissions", "with permissions", PINMember.permissions, 1, [.invalidParameter]),
            .value("rpId", "with an RP ID", PINMember.rpID, "conformance.example", [.invalidParameter]),
        ]
        return (malformed + surplus).map { change in
            AuthenticatorCase(
                names.id("getPinToken.\(change.name)"), names.title("getPinToken \(change.words) is refused"),
                plainClause, from: .pin, needs: names.needs
            ) { platform in
                var request = try platform.tokenRequest(
                    try await platform.agree(names.pinProtocol), pin: try platform.pin)
                change.apply(&request)
                try await platform.refuse(.clientPIN, request, with: change.statuses)
            }
        } + [
            AuthenticatorCase(
                names.id("getPinToken.success"),
                names.title("getPinToken gives a token of \(names.pinProtocol == .one ? "16 or 32" : "32") bytes"),
                plainClause, from: .pin, needs: names.needs
            ) { platform in
                let token = try await platform.pinToken(nil, protocol: names.pinProtocol)
                platform.recorder.expect(
                    token.bytes.count == 32 || (names.pinProtocol == .one && token.bytes.count == 16),
                    names.pinProtocol == .one ? "16 or 32 bytes" : "32 bytes", seen: "\(token.bytes.count) bytes",
                    clause: .ctap("6.5.2.1"))
            },
            AuthenticatorCase(
                names.id("getPinToken.new"), names.title("every getPinToken gives a new token"), plainClause,
                from: .pin, needs: names.needs + [.optionOn(.pinUvAuthToken)]
            ) { platform in
                let first = try await platform.pinToken(nil, protocol: names.pinProtocol)
                let second = try await platform.pinToken(nil, protocol: names.pinProtocol)
                platform.recorder.expect(first.bytes != second.bytes, "a new token", seen: "the token of before")
            },
            AuthenticatorCase(
                names.id("getPinToken.wrongPIN"), names.title("getPinToken with a wrong PIN is refused"),
                plainClause, from: .pin, needs: names.needs, effects: [.spendsTries]
            ) { platform in
                platform.expect(try await platform.present(Platform.wrongPIN, names.pinProtocol), [.pinInvalid])
                try await platform.restoreRetries()
            },
            AuthenticatorCase(
                names.id("getPinToken.longHash"),
                names.title("getPinToken with the whole SHA-256 of the PIN is refused"), plainClause, from: .pin,
                needs: names.needs, effects: [.spendsTries]
            ) { platform in
                let agreed = try await platform.agree(names.pinProtocol)
                var request = try platform.tokenRequest(agreed, pin: try platform.pin)
                request[PINMember.pinHashEnc] = .bytes(
                    try agreed.encrypt(Platform.digest(Array(try platform.pin.utf8))))
                try await platform.refuse(
                    .clientPIN, request, with: [.pinInvalid, .invalidParameter, .pinAuthInvalid, .invalidLength])
                try await platform.restoreRetries()
            },
            AuthenticatorCase(
                names.id("getPinToken.notSet"), names.title("getPinToken is refused while no PIN is set"),
                plainClause, from: .noPIN, needs: names.needs
            ) { platform in
                platform.expect(try await platform.present(Platform.wrongPIN, names.pinProtocol), [.pinNotSet])
            },
        ]
    }

    // MARK: getPinUvAuthTokenUsingPinWithPermissions

    private static func permitted(_ names: PINCaseNames) -> [AuthenticatorCase] {
        let more: [RequestChange] = [
            .missing(PINMember.permissions, "permissions"),
            .wrongType(PINMember.permissions, "permissions", "mc"),
            .wrongType(PINMember.rpID, "rpId", .bytes([1])),
            .value("permissionsZero", "with permissions 0", PINMember.permissions, 0, [.invalidParameter]),
            .missing(PINMember.rpID, "rpId"),
        ]
        return (malformed + more).map { change in
            AuthenticatorCase(
                names.id("tokenUsingPin.\(change.name)"),
                names.title("a request for a token with permission ga \(change.words) is refused"), clause,
                from: .pin,
                needs: names.needs + [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
            ) { platform in
                var request = try platform.tokenRequest(
                    try await platform.agree(names.pinProtocol), pin: try platform.pin,
                    permissions: .getAssertion, rpID: platform.rpID)
                change.apply(&request)
                try await platform.refuse(.clientPIN, request, with: change.statuses)
            }
        } + [
            AuthenticatorCase(
                names.id("tokenUsingPin.wrongPIN"),
                names.title("a request for a token with permissions and a wrong PIN is refused"), clause, from: .pin,
                needs: names.needs + [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)],
                effects: [.spendsTries]
            ) { platform in
                platform.expect(
                    try await platform.present(
                        Platform.wrongPIN, names.pinProtocol, permissions: .getAssertion, rpID: platform.rpID),
                    [.pinInvalid])
                try await platform.restoreRetries()
            },
            AuthenticatorCase(
                names.id("tokenUsingPin.notSet"),
                names.title("a request for a token with permissions is refused while no PIN is set"), clause,
                from: .noPIN,
                needs: names.needs + [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
            ) { platform in
                platform.expect(
                    try await platform.present(
                        Platform.wrongPIN, names.pinProtocol, permissions: .getAssertion, rpID: platform.rpID),
                    [.pinNotSet])
            },
        ]
    }

    /// Each permission: granted where the authenticator has the command, refused where it lacks it.
    private static func permissions(_ names: PINCaseNames) -> [AuthenticatorCase] {
        TokenPermission.all.map { permission in
            AuthenticatorCase(
                names.id("tokenUsingPin.permission.\(permission.name)"),
                names.title(
                    "the permission \(permission.name) is given exactly where getInfo declares \(permission.words)"),
                .ctap("6.5.5.7"), from: .pin, needs: names.needs + [.optionOn(.pinUvAuthToken)]
            ) { platform in
                let isDeclared = permission.isDeclared(try await platform.information())
                let answer = try await platform.present(
                    try platform.pin, names.pinProtocol, permissions: permission.bit,
                    rpID: permission.needsRPID ? platform.rpID : nil)
                platform.expect(answer, [isDeclared ? .ok : .unauthorizedPermission])
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
    let isDeclared: @Sendable (AuthenticatorInfo) -> Bool

    static let all: [TokenPermission] = [
        TokenPermission(name: "mc", bit: .makeCredential, words: "a PIN for credentials", needsRPID: true) {
            $0.option(.noMcGaPermissionsWithClientPin) != true
        },
        TokenPermission(name: "ga", bit: .getAssertion, words: "a PIN for credentials", needsRPID: true) {
            $0.option(.noMcGaPermissionsWithClientPin) != true
        },
        TokenPermission(name: "cm", bit: .credentialManagement, words: "credMgmt") { $0.option(.credMgmt) == true },
        TokenPermission(name: "be", bit: .bioEnrollment, words: "bioEnroll") { $0.option(.bioEnroll) != nil },
        TokenPermission(name: "lbw", bit: .largeBlobWrite, words: "largeBlobs") { $0.option(.largeBlobs) == true },
        TokenPermission(name: "acfg", bit: .authenticatorConfiguration, words: "authnrCfg") {
            $0.option(.authnrCfg) == true
        },
        TokenPermission(name: "pcmr", bit: .persistentCredentialManagementReadOnly, words: "perCredMgmtRO") {
            $0.option(.perCredMgmtRO) == true
        },
    ]
}
