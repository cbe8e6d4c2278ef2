import Biometrics
import CBOR
import COSE
import CTAP
import SwiftASN1
import Testing
import VirtualAuthenticator
import WebAuthn
import X509

/// FIDO U2F Raw Message Formats 1.2, and CTAP 2.3 §10 for credentials of both protocols.
@Suite("CTAP1/U2F") struct U2FTests {
    private static let challenge = [UInt8](repeating: 0x11, count: 32)
    private static let application = Bench.sha256(Array(Bench.rpID.utf8))

    private struct Registration {
        let point: [UInt8]
        let handle: [UInt8]
        let certificate: [UInt8]
        let signature: [UInt8]

        init(_ message: [UInt8]) throws {
            try #require(message.count > 67 && message[0] == 0x05)
            point = Array(message[1..<66])
            let rest = message.dropFirst(67)
            handle = Array(rest.prefix(Int(message[66])))
            let tail = Array(rest.dropFirst(handle.count))
            // A certificate begins with its length: 30 82 LL LL.
            try #require(tail.count > 4 && tail[0] == 0x30 && tail[1] == 0x82)
            let length = 4 + Int(tail[2]) << 8 | Int(tail[3]) + 4
            certificate = Array(tail.prefix(length))
            signature = Array(tail.dropFirst(length))
        }

        func key() throws -> COSE.PublicKey {
            try COSE.PublicKey(algorithm: .es256, x: Array(point[1...32]), y: Array(point[33...]))
        }
    }

    private static func bench(_ change: (inout AuthenticatorConfiguration) -> Void = { _ in }) -> Bench {
        Bench {
            $0.supportsU2F = true
            $0.versions = ["U2F_V2", "FIDO_2_0"]
            change(&$0)
        }
    }

    @Test("A key of U2F alone answers U2F, and refuses every command of CTAP2", arguments: CTAPCommand.all)
    func u2fAlone(command: CTAPCommand) async throws {
        let bench = Self.bench { $0.versions = ["U2F_V2"] }
        #expect(!bench.device.answersCTAP2)
        #expect(try await bench.device.transceive([command.rawValue]) == [CTAPStatus.invalidCommand.rawValue])
        #expect(await Self.send(bench, .version).data == Array("U2F_V2".utf8))
        let registration = try await Self.register(bench)
        let data = Self.challenge + Self.application + [UInt8(registration.handle.count)] + registration.handle
        #expect(await Self.send(bench, .authenticate, 0x03, data).status == .noError)
    }

    private static func send(
        _ bench: Bench, _ instruction: U2FInstruction, _ parameter: UInt8 = 0, _ data: [UInt8] = []
    ) async -> (data: [UInt8], status: U2FStatus) {
        await send(bench, U2FRequest(instruction: instruction, parameter: parameter, data: data).encoded)
    }

    private static func send(_ bench: Bench, _ apdu: [UInt8]) async -> (data: [UInt8], status: U2FStatus) {
        let answer = await bench.device.answerU2F(apdu)
        let word = answer.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
        return (Array(answer.dropLast(2)), U2FStatus(rawValue: word))
    }

    private static func register(_ bench: Bench) async throws -> Registration {
        let (message, status) = await send(bench, .register, 0, challenge + application)
        try #require(status == .noError)
        return try Registration(message)
    }

    private static func authenticate(
        _ bench: Bench, _ handle: [UInt8], _ control: U2FControl, application: [UInt8] = application
    ) async -> (data: [UInt8], status: U2FStatus) {
        let data = challenge + application + [UInt8(handle.count)] + handle
        return await send(bench, .authenticate, control.rawValue, data)
    }

    @Test func theVersionIsU2FV2() async {
        let (data, status) = await Self.send(Self.bench(), .version)
        #expect(status == .noError)
        #expect(data == Array("U2F_V2".utf8))
    }

    @Test func aRegistrationIsSignedByTheModelsCertificate() async throws {
        let registration = try await Self.register(Self.bench())
        let certificate = try Certificate(derEncoded: registration.certificate)
        let key = try COSE.PublicKey(
            algorithm: .es256, subjectPublicKeyInfo: certificate.publicKey.serializeAsPEM().derBytes)
        let signed = [0x00] + Self.application + Self.challenge + registration.handle + registration.point
        #expect(key.verify(registration.signature, over: signed))
    }

    @Test func anAuthenticationIsSignedWithTheCounter() async throws {
        let bench = Self.bench()
        let registration = try await Self.register(bench)
        let key = try registration.key()
        var counters: [UInt32] = []
        for control in [U2FControl.enforceUserPresence, .doNotEnforceUserPresence] {
            let (data, status) = await Self.authenticate(bench, registration.handle, control)
            #expect(status == .noError)
            try #require(data.count > 5)
            #expect(data[0] == (control == .enforceUserPresence ? 1 : 0))
            counters.append(data[1...4].reduce(0) { $0 << 8 | UInt32($1) })
            let signed = Self.application + data[..<5] + Self.challenge
            #expect(key.verify(Array(data[5...]), over: signed))
        }
        #expect(counters[0] < counters[1])
        #expect(bench.person.presencePrompts == 2)
    }

    @Test func checkOnlyReportsTheOwnerOfAHandleWithoutATouch() async throws {
        let bench = Self.bench()
        let handle = try await Self.register(bench).handle
        let prompts = bench.person.presencePrompts
        #expect(await Self.authenticate(bench, handle, .checkOnly).status == .conditionsNotSatisfied)
        let elsewhere = Bench.sha256(Array("elsewhere.example".utf8))
        #expect(await Self.authenticate(bench, handle, .checkOnly, application: elsewhere).status == .wrongData)
        let stranger = Bench(seed: 2) { $0.supportsU2F = true }
        #expect(await Self.authenticate(stranger, handle, .checkOnly).status == .wrongData)
        #expect(bench.person.presencePrompts == prompts)
    }

    @Test("Without a touch there is no answer yet", arguments: [PresenceAnswer.noAnswer, .declined])
    func aMissingTouchIsConditionsNotSatisfied(answer: PresenceAnswer) async throws {
        let bench = Self.bench()
        let handle = try await Self.register(bench).handle
        bench.person.willAnswer([answer, answer])
        let registered = await Self.send(bench, .register, 0, Self.challenge + Self.application)
        #expect(registered.status == .conditionsNotSatisfied)
        #expect(registered.data.isEmpty)
        #expect(
            await Self.authenticate(bench, handle, .enforceUserPresence).status == .conditionsNotSatisfied)
        // U2F clients repeat the request until the user is present.
        #expect(await Self.authenticate(bench, handle, .enforceUserPresence).status == .noError)
    }

    @Test(
        "A message that is not as it should be is refused with its status",
        arguments: [
            ([0x00, 0x03, 0, 0, 0, 0, 1, 7, 0, 0], U2FStatus.wrongLength), ([0x00, 0x01, 0, 0, 0, 0, 0], .wrongLength),
            ([0x00, 0x40, 0, 0, 0, 0, 0], .insNotSupported), ([0x80, 0x03, 0, 0, 0, 0, 0], .claNotSupported),
            ([0x00, 0x03], .wrongLength), ([], .wrongLength), ([0x00, 0x02, 0x03, 0, 0, 0, 0], .wrongLength),
            ([0x00, 0x01, 0, 0, 0, 0, 64, 1, 2], .wrongLength), ([0x00, 0x02, 0x44, 0, 0, 0, 0], .wrongData),
        ] as [([UInt8], U2FStatus)])
    func malformedMessagesAreRefused(apdu: [UInt8], status: U2FStatus) async {
        let (data, told) = await Self.send(Self.bench(), apdu)
        #expect(told == status)
        #expect(data.isEmpty)
    }

    @Test func credentialsWorkOverBothProtocols() async throws {
        let bench = Self.bench()
        let registration = try await Self.register(bench)
        let got = try await bench.get {
            $0.allowList = [PublicKeyCredentialDescriptor(id: registration.handle)]
        }.got()
        #expect(
            try registration.key().verify(got.response.signature, over: got.response.authenticatorData + Bench.hash))
        let made = try await bench.make().made()
        #expect(await Self.authenticate(bench, try made.id(), .enforceUserPresence).status == .noError)
    }

    @Test func aCredentialThatRequiresUserVerificationIsHiddenFromU2F() async throws {
        let bench = Self.bench { $0.extensions = [.credProtect] }
        for level in 1...3 {
            let made = try await bench.make { $0.extensions = ["credProtect": .integer(level)] }.made()
            let status = await Self.authenticate(bench, try made.id(), .checkOnly).status
            #expect(status == (level == 3 ? .wrongData : .conditionsNotSatisfied))
        }
    }

    @Test func alwaysUvRefusesU2F() async throws {
        let bench = Self.bench { $0.alwaysUV = true }
        #expect(await Self.send(bench, .version).status == .commandNotAllowed)
        #expect(await Self.send(bench, .register, 0, Self.challenge + Self.application).status == .commandNotAllowed)
        #expect(await bench.info().versions == ["FIDO_2_0"])
    }

    @Test func aFlawArmedForOneRegistrationChangesOneCertificate() async throws {
        let bench = Self.bench()
        let honest = try await Self.register(bench).certificate
        await bench.device.arm(try #require(AuthenticatorFault.named("attestation-expired")), times: 1)
        #expect(try await Self.register(bench).certificate != honest)
        #expect(await bench.device.armedFaults.isEmpty)
        #expect(try await Self.register(bench).certificate == honest)
    }

    @Test func onlyOneRequestOfEitherProtocolIsServedAtATime() async throws {
        let person = WaitingUser()
        let bench = Bench(person: person) {
            $0.supportsU2F = true
            $0.versions = ["U2F_V2", "FIDO_2_0"]
        }
        let selection = Task { await bench.send(.selection) }
        for await prompt in person.prompts {
            #expect(await Self.send(bench, .version).status == .conditionsNotSatisfied)
            prompt.yield(GateAct.match())
            break
        }
        #expect(await selection.value.told == .ok)
        #expect(await Self.send(bench, .version).status == .noError)
    }

    @Test func aResetEndsU2FCredentials() async throws {
        let bench = Self.bench()
        let handle = try await Self.register(bench).handle
        await bench.device.powerCycle()
        #expect(await bench.send(.reset).told == .ok)
        #expect(await Self.authenticate(bench, handle, .checkOnly).status == .wrongData)
    }
}
