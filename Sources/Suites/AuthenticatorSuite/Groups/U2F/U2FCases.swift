internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance
internal import SwiftASN1
internal import WebAuthn
internal import X509

extension AuthenticatorSuite {
    /// CTAP1/U2F (FIDO U2F Raw Message Formats 1.2, CTAP 2.3 §7).
    package static let u2f = Group(
        "u2f", "CTAP1/U2F", U2FCases.version + U2FCases.registration + U2FCases.authentication + U2FCases.bridges)
}

/// The cases of CTAP1/U2F.
enum U2FCases {
    static func message(_ section: String) -> Clause { Clause(.u2f, "Raw Message Formats \(section)") }

    static func register(_ bench: AuthenticatorBench, application: [UInt8]? = nil) async throws -> U2FRegistration {
        let application = application ?? bench.randomBytes(32)
        let challenge = bench.randomBytes(32)
        let answer = try await bench.sendU2F(U2FRequest(instruction: .register, data: challenge + application).encoded)
        try bench.require(answer)
        return try U2FRegistration(answer.data, application, challenge, bench)
    }

    static func authentication(
        _ application: [UInt8], _ handle: [UInt8], challenge: [UInt8], control: UInt8
    ) -> [UInt8] {
        U2FRequest(
            instruction: .authenticate, parameter: control,
            data: challenge + application + [UInt8(handle.count)] + handle
        ).encoded
    }

    /// U2F_VERSION and the form of commands.
    @CaseTable static var version: [Case] {
        Case("u2f.version", "U2F_VERSION answers U2F_V2.", message("6"), needs: [.u2f]) { bench in
            let answer = try await bench.sendU2F(U2FRequest(instruction: .version).encoded)
            try bench.require(answer)
            bench.expect(answer.data == Array("U2F_V2".utf8), "U2F_V2", seen: Hex.encode(answer.data))
        }
        Case("u2f.version.short", "U2F_VERSION answers a command without Le.", message("3.1"), needs: [.u2f]) { bench in
            let answer = try await bench.sendU2F([0x00, 0x03, 0x00, 0x00])
            try bench.require(answer)
            bench.expect(answer.data == Array("U2F_V2".utf8), "U2F_V2", seen: Hex.encode(answer.data))
        }
        Case("u2f.version.data", "U2F_VERSION with data is refused.", message("6"), level: .should, needs: [.u2f]) {
            bench in
            let answer = try await bench.sendU2F([0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00])
            bench.expect(answer, .wrongLength, .wrongData, for: "a version request with one byte")
        }
        Case("u2f.instruction.unknown", "An unknown instruction is refused.", message("3.3"), needs: [.u2f]) { bench in
            let answer = try await bench.sendU2F([0x00, 0x7A, 0x00, 0x00, 0x00, 0x00, 0x00])
            bench.expect(answer, .insNotSupported, for: "the instruction 0x7A")
        }
        Case("u2f.class.unknown", "A class other than 0 is refused.", message("3.3"), needs: [.u2f]) { bench in
            let answer = try await bench.sendU2F([0x60, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00])
            bench.expect(answer, .claNotSupported, for: "the class 0x60")
        }
        Case(
            "u2f.length.contradiction", "A command whose length contradicts its size is refused.", message("3.1"),
            needs: [.u2f]
        ) { bench in
            let answer = try await bench.sendU2F([0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x40, 0x01, 0x02])
            bench.expect(answer, .wrongLength, .wrongData, for: "64 bytes announced and two sent")
        }
        Case(
            "u2f.afterRefusal", "The authenticator serves the next request after a refusal.", message("3.3"),
            needs: [.u2f]
        ) { bench in
            _ = try await bench.sendU2F([0x00, 0x7A, 0x00, 0x00, 0x00, 0x00, 0x00])
            try bench.require(try await bench.sendU2F(U2FRequest(instruction: .version).encoded))
        }
    }

    private static func registered(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must,
        _ look: @escaping @Sendable (AuthenticatorBench, U2FRegistration) throws -> Void
    ) -> Case {
        Case("u2f.register.\(name)", title, clause, level: level, needs: [.u2f], person: [.touch]) { bench in
            try look(bench, try await register(bench))
        }
    }

    @CaseTable static var registration: [Case] {
        for length in [0, 63, 65] {
            Case(
                "u2f.register.length.\(length)", "A registration of \(length) bytes is refused.", message("4.1"),
                needs: [.u2f]
            ) { bench in
                let answer = try await bench.sendU2F(
                    U2FRequest(instruction: .register, data: bench.randomBytes(length)).encoded)
                bench.expect(answer, .wrongLength, .wrongData, for: "a registration of \(length) bytes")
            }
        }
        registered("reserved", "The response begins with the byte 5.", message("4.3")) { bench, made in
            bench.expect(made.data.first == 5, "0x05", seen: made.data.first.map { "\($0)" } ?? "nothing")
        }
        registered("key", "The key is an uncompressed point of P-256.", message("4.3")) { bench, made in
            bench.expect(made.publicKey.first == 4, "0x04", seen: "\(made.publicKey.first ?? 0)")
            bench.expect((try? made.key()) != nil, "a point of P-256", seen: Hex.encode(made.publicKey))
        }
        registered("keyHandle", "The key handle is not empty.", message("4.3")) { bench, made in
            bench.expect(!made.keyHandle.isEmpty, "at least one byte", seen: "none")
        }
        registered("signature", "The certificate's key signs the registration.", message("4.3")) { bench, made in
            guard let certificate = try? Certificate(derEncoded: made.certificate),
                let key = try? U2FRegistration.point(Array(certificate.publicKey.subjectPublicKeyInfoBytes))
            else { throw bench.fail("a certificate with a key of P-256", seen: "another") }
            let signed = [0x00] + made.application + made.challenge + made.keyHandle + made.publicKey
            bench.expect(
                key.verify(made.signature, over: signed), "a valid signature of the registration",
                seen: "\(made.signature.count) bytes that do not verify")
        }
        Case(
            "u2f.register.unique", "Two registrations have different keys and key handles.", message("4.3"),
            needs: [.u2f], person: [.touch, .touch]
        ) { bench in
            let application = bench.randomBytes(32)
            let first = try await register(bench, application: application)
            let second = try await register(bench, application: application)
            bench.expect(first.publicKey != second.publicKey, "different keys", seen: "the same")
            bench.expect(first.keyHandle != second.keyHandle, "different key handles", seen: "the same")
        }
        Case(
            "u2f.register.withoutTouch", "A registration without a touch is refused.", message("4.2"),
            needs: [.u2f], person: [.withholdTouch]
        ) { bench in
            try await bench.user(.withholdTouch)
            let answer = try await bench.sendU2F(
                U2FRequest(instruction: .register, data: bench.randomBytes(64)).encoded)
            bench.expect(answer, .conditionsNotSatisfied, for: "a registration without touch")
        }
    }

    private static func authenticated(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must, person: [ManualAct] = [.touch],
        _ perform: @escaping @Sendable (AuthenticatorBench, U2FRegistration) async throws -> Void
    ) -> Case {
        Case("u2f.authenticate.\(name)", title, clause, level: level, needs: [.u2f], person: person) { bench in
            try await perform(bench, try await register(bench))
        }
    }

    /// Sends an authentication that succeeds, and returns presence, counter and signature.
    private static func sign(
        _ bench: AuthenticatorBench, _ made: U2FRegistration, challenge: [UInt8], control: UInt8 = 0x03
    ) async throws -> (presence: UInt8, counter: [UInt8], signature: [UInt8]) {
        let answer = try await bench.sendU2F(
            authentication(made.application, made.keyHandle, challenge: challenge, control: control))
        try bench.require(answer)
        try bench.require(answer.data.count > 5, "presence, counter and signature", seen: "\(answer.data.count) bytes")
        return (answer.data[0], Array(answer.data[1..<5]), Array(answer.data[5...]))
    }

    @CaseTable static var authentication: [Case] {
        authenticated(
            "signature", "The registered key signs the authentication.", message("5.4"), person: [.touch, .touch]
        ) { bench, made in
            let challenge = bench.randomBytes(32)
            let signed = try await sign(bench, made, challenge: challenge)
            let message = made.application + [signed.presence] + signed.counter + challenge
            bench.expect(
                try made.key().verify(signed.signature, over: message), "a valid signature",
                seen: "\(signed.signature.count) bytes that do not verify")
        }
        authenticated("presence", "User presence is 1 after a touch.", message("5.4"), person: [.touch, .touch]) {
            bench, made in
            let signed = try await sign(bench, made, challenge: bench.randomBytes(32))
            bench.expect(signed.presence == 1, "0x01", seen: "\(signed.presence)")
        }
        authenticated("counter", "The counter increases.", message("5.4"), person: [.touch, .touch, .touch]) {
            bench, made in
            let first = try await sign(bench, made, challenge: bench.randomBytes(32)).counter
            let second = try await sign(bench, made, challenge: bench.randomBytes(32)).counter
            bench.expect(
                first.lexicographicallyPrecedes(second) || (first == second && first.allSatisfy { $0 == 0 }),
                "a higher counter than \(Hex.encode(first))", seen: Hex.encode(second))
        }
        authenticated("checkOnly.known", "Check-only tells that a key handle is known.", message("5.1")) {
            bench, made in
            let answer = try await bench.sendU2F(
                authentication(made.application, made.keyHandle, challenge: bench.randomBytes(32), control: 0x07))
            bench.expect(answer, .conditionsNotSatisfied, for: "check-only with a known key handle")
        }
        authenticated("checkOnly.unknown", "Check-only tells that a key handle is unknown.", message("5.1")) {
            bench, made in
            let handle = bench.randomBytes(made.keyHandle.count)
            let answer = try await bench.sendU2F(
                authentication(made.application, handle, challenge: bench.randomBytes(32), control: 0x07))
            bench.expect(answer, .wrongData, for: "check-only with an unknown key handle")
        }
        authenticated("checkOnly.otherApplication", "A key handle is unknown at another application.", message("5.1")) {
            bench, made in
            let answer = try await bench.sendU2F(
                authentication(bench.randomBytes(32), made.keyHandle, challenge: bench.randomBytes(32), control: 0x07))
            bench.expect(answer, .wrongData, for: "check-only at another application")
        }
        Case(
            "u2f.authenticate.reset", "A key handle from before a reset is unknown after it.", .ctap("6.6"),
            needs: [.u2f, .ctap2], effects: [.erases], person: [.touch] + .reset
        ) { bench in
            let made = try await register(bench)
            try await bench.freshDevice()
            let answer = try await bench.sendU2F(
                authentication(made.application, made.keyHandle, challenge: bench.randomBytes(32), control: 0x07))
            bench.expect(answer, .wrongData, for: "check-only with a key handle from before the reset")
        }
        authenticated("unknownHandle", "An authentication with an unknown key handle is refused.", message("5.2")) {
            bench, made in
            let handle = bench.randomBytes(made.keyHandle.count)
            let answer = try await bench.sendU2F(
                authentication(made.application, handle, challenge: bench.randomBytes(32), control: 0x03))
            bench.expect(answer, .wrongData, for: "an unknown key handle")
        }
        authenticated("otherApplication", "An authentication at another application is refused.", message("5.2")) {
            bench, made in
            let answer = try await bench.sendU2F(
                authentication(bench.randomBytes(32), made.keyHandle, challenge: bench.randomBytes(32), control: 0x03))
            bench.expect(answer, .wrongData, for: "another application")
        }
        authenticated("changedHandle", "A key handle with one bit changed is refused.", message("5.2")) { bench, made in
            var handle = made.keyHandle
            handle[handle.count / 2] ^= 0x10
            let answer = try await bench.sendU2F(
                authentication(made.application, handle, challenge: bench.randomBytes(32), control: 0x03))
            bench.expect(answer, .wrongData, for: "a changed key handle")
        }
        authenticated("length.short", "An authentication that ends within its key handle is refused.", message("5.1")) {
            bench, made in
            let data =
                bench.randomBytes(32) + made.application + [UInt8(made.keyHandle.count)] + made.keyHandle.dropLast()
            let answer = try await bench.sendU2F(
                U2FRequest(instruction: .authenticate, parameter: 0x03, data: data).encoded)
            bench.expect(answer, .wrongLength, .wrongData, for: "a key handle without its last byte")
        }
        authenticated("control.unknown", "An unknown control byte is refused.", message("5.1"), level: .should) {
            bench, made in
            let answer = try await bench.sendU2F(
                authentication(made.application, made.keyHandle, challenge: bench.randomBytes(32), control: 0x55))
            bench.expect(answer.status != .noError, "a refusal of the control byte 0x55", seen: "\(answer.status)")
        }
        authenticated(
            "withoutTouch", "An authentication without a touch is refused.", message("5.3"),
            person: [.touch, .withholdTouch]
        ) { bench, made in
            try await bench.user(.withholdTouch)
            let answer = try await bench.sendU2F(
                authentication(made.application, made.keyHandle, challenge: bench.randomBytes(32), control: 0x03))
            bench.expect(answer, .conditionsNotSatisfied, for: "an authentication without touch")
        }
        authenticated(
            "dontEnforce", "Don't-enforce signs without a touch, with user presence 0.", message("5.1"), level: .should
        ) { bench, made in
            let challenge = bench.randomBytes(32)
            let signed = try await sign(bench, made, challenge: challenge, control: 0x08)
            bench.expect(signed.presence & 1 == 0, "user presence 0", seen: "\(signed.presence)")
            let message = made.application + [signed.presence] + signed.counter + challenge
            bench.expect(try made.key().verify(signed.signature, over: message), "a valid signature", seen: "another")
        }
    }

    /// Credentials that both protocols use (CTAP 2.3 §7.2, §7.3).
    @CaseTable static var bridges: [Case] {
        Case(
            "u2f.bridge.assertion", "A U2F credential signs a GetAssertion whose RP ID has its application parameter.",
            .ctap("7.2"), needs: [.u2f, .ctap2], person: [.touch, .touch]
        ) { bench in
            let id = bench.relyingPartyID
            let made = try await register(bench, application: sha256(Array(id.utf8)))
            var parameters = bench.getAssertionParameters(id)
            parameters[3] = [PublicKeyCredentialDescriptor(id: made.keyHandle).cbor]
            let assertion = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            guard case .bytes(let hash)? = parameters[2] else { return }
            bench.expect(
                try made.key().verify(assertion.signature, over: assertion.bytes + hash), "a valid signature",
                seen: "another")
        }
        Case(
            "u2f.bridge.authentication", "A CTAP2 credential of ES256 signs a U2F authentication.", .ctap("7.3"),
            needs: [.u2f, .credentials, .algorithm(.es256)], person: [.touch, .touch]
        ) { bench in
            let requested = CredentialRequest(algorithms: [.es256])
            let made = try await bench.newCredential(requested)
            guard made.id.count < 256 else { throw CaseStop.notApplicable("the credential IDs are too long for U2F") }
            let application = sha256(Array(made.relyingPartyID.utf8))
            let challenge = bench.randomBytes(32)
            let answer = try await bench.sendU2F(
                authentication(application, made.id, challenge: challenge, control: 0x03))
            try bench.require(answer)
            let message = application + answer.data.prefix(5) + challenge
            bench.expect(
                made.publicKey.verify(Array(answer.data.dropFirst(5)), over: message), "a valid signature",
                seen: "another")
        }
        Case(
            "u2f.bridge.protected", "A credential that requires user verification is hidden from U2F.", .ctap("12.1"),
            needs: [.u2f, .credentials, .algorithm(.es256), .supported("credProtect")], person: [.touch, .touch]
        ) { bench in
            let requested = CredentialRequest(algorithms: [.es256], extensions: ["credProtect": 3])
            let made = try await bench.newCredential(requested)
            guard made.id.count < 256 else { throw CaseStop.notApplicable("the credential IDs are too long for U2F") }
            let answer = try await bench.sendU2F(
                authentication(
                    sha256(Array(made.relyingPartyID.utf8)), made.id, challenge: bench.randomBytes(32), control: 0x03))
            bench.expect(answer, .wrongData, for: "a credential of level 3")
        }
        Case(
            "u2f.bridge.excluded", "A U2F credential in the exclude list excludes its account.", .ctap("7.2"),
            needs: [.u2f, .credentials], person: [.touch, .touch]
        ) { bench in
            let made = try await register(bench, application: sha256(Array(bench.relyingPartyID.utf8)))
            var parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            parameters[5] = [PublicKeyCredentialDescriptor(id: made.keyHandle).cbor]
            bench.expect(try await bench.send(.makeCredential, parameters), .credentialExcluded)
        }
        Case(
            "u2f.bridge.counter", "Both protocols count with the same counter, or none decreases.", .ctap("7.2"),
            needs: [.u2f, .ctap2], person: [.touch, .touch, .touch]
        ) { bench in
            let id = bench.relyingPartyID
            let made = try await register(bench, application: sha256(Array(id.utf8)))
            let first = try await sign(bench, made, challenge: bench.randomBytes(32)).counter
            var parameters = bench.getAssertionParameters(id)
            parameters[3] = [PublicKeyCredentialDescriptor(id: made.keyHandle).cbor]
            let second = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench).data.signCount
            let counted = first.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bench.expect(second > counted || (second == 0 && counted == 0), "more than \(counted)", seen: "\(second)")
        }
    }
}
