internal import CBOR
internal import CTAP
internal import Conformance

/// Setting a new PIN (CTAP 2.3 §6.5.5.5).
enum SetPINCases {
    static let all = PINUVAuthProtocol.allCases.flatMap { cases(PINCaseNames($0)) + texts(PINCaseNames($0)) }

    private static let clause = Clause.ctap("6.5.5.5")

    /// Changes that are refused before the authenticator looks at its PIN.
    private static let malformed: [RequestChange] = [
        .missing(PINMember.pinUvAuthProtocol, "pinUvAuthProtocol"), .missing(PINMember.keyAgreement, "keyAgreement"),
        .missing(PINMember.pinUvAuthParam, "pinUvAuthParam"), .missing(PINMember.newPinEnc, "newPinEnc"),
        .wrongType(PINMember.keyAgreement, "keyAgreement", [0x02]),
        .wrongType(PINMember.pinUvAuthParam, "pinUvAuthParam", "param"),
        .wrongType(PINMember.newPinEnc, "newPinEnc", 1234),
        .value(
            "unknownProtocol", "of an unknown PIN/UV auth protocol", PINMember.pinUvAuthProtocol, 0x7E,
            [.invalidParameter]),
    ]

    /// Changes of the platform's key; a device that checks the member's parts may miss one of them first.
    static let wrongKeys: [RequestChange] = [
        key("offCurve", "with a point that is not on the curve") { $0[-3] = .bytes([UInt8](repeating: 1, count: 32)) },
        key("otherCurve", "with a point of P-256 in a key of P-384") { $0[-1] = 2 },
        key("otherKeyType", "with a key of type OKP") { $0[1] = 1 },
        key("missingX", "with a key without x", also: [.missingParameter, .cborUnexpectedType]) { $0[-2] = nil },
        key("shortX", "with an x of 31 bytes", also: [.invalidLength]) {
            $0[-2] = .bytes([UInt8](repeating: 1, count: 31))
        },
    ]

    /// COSE wants an algorithm in the key, but the text says that it is not the one in use.
    private static let wrongAlgorithms: [RequestChange] = [
        key("missingAlg", "with a key without alg", also: [.missingParameter]) { $0[3] = nil },
        key("otherAlg", "with a key of ES256") { $0[3] = -7 },
    ]

    private static func key(
        _ name: String, _ words: String, also: [CTAPStatus] = [], _ change: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> RequestChange {
        RequestChange("key.\(name)", words, [.invalidParameter] + also) { request in
            guard case .map(var key)? = request[PINMember.keyAgreement] else { return }
            change(&key)
            request[PINMember.keyAgreement] = .map(key)
        }
    }

    @CaseTable private static func cases(_ names: PINCaseNames) -> [Case] {
        for change in malformed {
            Case(
                names.id("setPIN.\(change.name)"), names.title("setPIN \(change.words) is refused"), clause,
                needs: names.needs + [.option(.clientPin)]
            ) { bench in
                var request = try bench.setPINRequest(try await bench.agree(names.pinProtocol), Array("73529461".utf8))
                change.apply(&request)
                try await bench.refuse(.clientPIN, request, with: change.statuses)
            }
        }
        for (change, level) in wrongKeys.map({ ($0, Level.must) }) + wrongAlgorithms.map({ ($0, .should) }) {
            Case(
                names.id("setPIN.\(change.name)"), names.title("setPIN \(change.words) is refused"), clause,
                level: level, from: .noPIN, needs: names.needs + [.ctap21]
            ) { bench in
                var request = try bench.setPINRequest(try await bench.agree(names.pinProtocol), Array("73529461".utf8))
                change.apply(&request)
                try await bench.refuse(.clientPIN, request, with: change.statuses)
                try await bench.expectOption(.clientPin, false)
            }
        }
        Case(
            names.id("setPIN.success"), names.title("setPIN sets the first PIN, and getInfo says so"), clause,
            from: .noPIN, needs: names.needs
        ) { bench in
            let answer = try await bench.setPIN(Array("73529461".utf8), names.pinProtocol)
            bench.expectEmptySuccess(answer)
            try await bench.expectOption(.clientPin, true, clause: .ctap("6.4"))
            _ = try bench.members(of: try await bench.present("73529461", names.pinProtocol))
        }
        Case(
            names.id("setPIN.wrongParam"), names.title("setPIN with a wrong pinUvAuthParam is refused"),
            clause, from: .noPIN, needs: names.needs
        ) { bench in
            var request = try bench.setPINRequest(try await bench.agree(names.pinProtocol), Array("73529461".utf8))
            request[PINMember.pinUvAuthParam] = .bytes([UInt8](repeating: 0, count: names.codeLength))
            try await bench.refuse(.clientPIN, request, with: [.pinAuthInvalid])
            try await bench.expectOption(.clientPin, false)
        }
        Case(
            names.id("setPIN.shortParam"),
            names.title("setPIN with the first half of the right pinUvAuthParam is refused"), clause,
            from: .noPIN, needs: names.needs
        ) { bench in
            var request = try bench.setPINRequest(try await bench.agree(names.pinProtocol), Array("73529461".utf8))
            let param = try bench.bytes(request, PINMember.pinUvAuthParam, "pinUvAuthParam")
            request[PINMember.pinUvAuthParam] = .bytes(Array(param.prefix(param.count / 2)))
            try await bench.refuse(.clientPIN, request, with: [.pinAuthInvalid, .invalidLength])
            try await bench.expectOption(.clientPin, false)
        }
        Case(
            names.id("setPIN.undecipherable"),
            names.title("setPIN with a newPinEnc that ends within a block is refused"), clause,
            from: .noPIN, needs: names.needs
        ) { bench in
            let agreed = try await bench.agree(names.pinProtocol)
            var request = try bench.setPINRequest(agreed, Array("73529461".utf8))
            let whole = try bench.bytes(request, PINMember.newPinEnc, "newPinEnc")
            request[PINMember.newPinEnc] = .bytes(whole.dropLast())
            request[PINMember.pinUvAuthParam] = .bytes(agreed.authenticate(whole.dropLast()))
            try await bench.refuse(.clientPIN, request, with: [.pinAuthInvalid])
            try await bench.expectOption(.clientPin, false)
        }
        Case(
            names.id("setPIN.alreadySet"), names.title("setPIN is refused while a PIN is set"), clause,
            from: .pin, needs: names.needs
        ) { bench in
            bench.expect(try await bench.setPIN(Array("73529461".utf8), names.pinProtocol), .pinAuthInvalid)
            _ = try bench.members(of: try await bench.present(try bench.knownPIN, names.pinProtocol))
        }
    }

    /// A new PIN, and the statuses that refuse it; none for one that must be accepted.
    private struct NewPIN: Sendable {
        let name: String
        let words: String
        let statuses: [CTAPStatus]
        var level = Level.must
        var paddedTo = 64
        /// The bytes, by the minimum length of getInfo.
        let bytes: @Sendable (Int) -> [UInt8]
    }

    private static let pins: [NewPIN] = [
        NewPIN(name: "tooShort", words: "one code point below the minimum", statuses: [.pinPolicyViolation]) {
            Array("947253816402953718640275".utf8.prefix($0 - 1))
        },
        NewPIN(name: "minimum", words: "of the minimum length", statuses: []) {
            Array("9472538164029537186402753819460275318642097531864207531864209753".utf8.prefix($0))
        },
        NewPIN(
            name: "codePointsTooFew", words: "whose bytes, not its code points, reach the minimum",
            statuses: [.pinPolicyViolation]
        ) { minimum in Array(String("äöüßéèêñçåøæœłđðþ".prefix(minimum - 1)).utf8) },
        NewPIN(name: "codePoints", words: "of the minimum in code points of more than one byte", statuses: []) {
            minimum in Array(String("äöüßéèêñçåøæœłđðþāēīōū".prefix(minimum)).utf8)
        }, NewPIN(name: "empty", words: "without a byte", statuses: [.pinPolicyViolation]) { _ in [] },
        NewPIN(
            name: "tooLong", words: "of 64 bytes, without a zero at the end",
            statuses: [.pinPolicyViolation, .invalidParameter]
        ) { _ in Array("9472538164029537186402753819460275318642097531864207531864209753".utf8) },
        NewPIN(
            name: "shortPadding", words: "padded to 48 bytes", statuses: [.invalidParameter], paddedTo: 48
        ) { _ in Array("73529461".utf8) },
        NewPIN(
            name: "longPadding", words: "padded to 80 bytes", statuses: [.invalidParameter], paddedTo: 80
        ) { _ in Array("73529461".utf8) },
    ]

    @CaseTable private static func texts(_ names: PINCaseNames) -> [Case] {
        for pin in pins {
            Case(
                names.id("setPIN.pin.\(pin.name)"),
                names.title("setPIN \(pin.statuses.isEmpty ? "accepts" : "refuses") a PIN \(pin.words)"), clause,
                level: pin.level, from: .noPIN, needs: names.needs
            ) { bench in
                let info = try await bench.readInfo()
                let answer = try await bench.setPIN(
                    pin.bytes(info.minPINLength ?? 4), names.pinProtocol, paddedTo: pin.paddedTo)
                bench.expect(answer, anyOf: pin.statuses.isEmpty ? [.ok] : pin.statuses)
                try await bench.expectOption(.clientPin, pin.statuses.isEmpty)
            }
        }
        Case(
            names.id("setPIN.pin.aboveMaximum"), names.title("setPIN refuses a PIN one code point above maxPINLength"),
            .ctap("6.4"), from: .noPIN, needs: names.needs + [.member(.maxPINLength)]
        ) { bench in
            guard let longest = try await bench.readInfo().maxPINLength, longest < 63 else {
                throw CaseStop.notApplicable("maxPINLength is 63, the most that a request can have")
            }
            let pin = "947253816402953718640275381946027531864209753186420753186420975".prefix(longest + 1)
            bench.expect(try await bench.setPIN(Array(pin.utf8), names.pinProtocol), .pinPolicyViolation)
            try await bench.expectOption(.clientPin, false)
        }
        Case(
            names.id("setPIN.pin.longest"), names.title("setPIN accepts a PIN of the longest length"), clause,
            from: .noPIN, needs: names.needs
        ) { bench in
            let longest = try await bench.readInfo().maxPINLength ?? 63
            let pin = "947253816402953718640275381946027531864209753186420753186420975".prefix(longest)
            bench.expect(try await bench.setPIN(Array(pin.utf8), names.pinProtocol), .ok)
            _ = try bench.members(of: try await bench.present(String(pin), names.pinProtocol))
        }
    }
}

extension PINCaseNames {
    var codeLength: Int { pinProtocol == .one ? 16 : 32 }
}
