import Biometrics
import CBOR
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

/// The extensions that report on a credential or store data with it.
@Suite("Extensions")
struct ExtensionTests {
    /// The form of a request: whether it names the credential and verifies the user.
    static func ask(
        _ bench: Bench, _ descriptor: PublicKeyCredentialDescriptor?, verified: Bool
    ) async throws -> Told {
        let token = verified ? try await bench.token(permissions: .getAssertion) : nil
        return await bench.get {
            if let descriptor { $0.allowList = [descriptor] }
            if let token { $0.authenticate(token) }
        }.told
    }

    // MARK: credProtect

    @Test(arguments: [
        (level: 1, shown: [true, true, true, true]), (level: 2, shown: [true, false, true, true]),
        (level: 3, shown: [false, false, true, true]),
    ])
    func credProtectDecidesWhichRequestsSeeACredential(level: Int, shown: [Bool]) async throws {
        let bench = try await Bench.complete(pin: true)
        let made = try await bench.discoverable(1, ["credProtect": .integer(level)])
        #expect(try made.data().extensions?["credProtect"] == .integer(level))
        let descriptor = try made.descriptor()
        let hidden = Told(.noCredentials, "getAssertion.noCredentials")
        let asked = try await [
            Self.ask(bench, descriptor, verified: false), Self.ask(bench, nil, verified: false),
            Self.ask(bench, descriptor, verified: true), Self.ask(bench, nil, verified: true),
        ]
        #expect(asked == shown.map { $0 ? .ok : hidden })
        // An exclude list finds it under the same conditions.
        let excluded = Told(.credentialExcluded, "makeCredential.credentialExcluded")
        #expect(await bench.make { $0.excludeList = [descriptor] }.told == (shown[0] ? excluded : .ok))
        let token = try await bench.token(permissions: .makeCredential)
        #expect(
            await bench.make {
                $0.excludeList = [descriptor]
                $0.authenticate(token)
            }.told == excluded)
    }

    @Test(arguments: [1, 2, 3])
    func aSealedCredentialKeepsItsProtectionLevel(level: Int) async throws {
        let bench = try await Bench.complete(pin: true)
        let made = try await bench.make { $0.extensions = ["credProtect": .integer(level)] }.made()
        let descriptor = try made.descriptor()
        #expect(
            try await Self.ask(bench, descriptor, verified: false).status == (level == 3 ? .noCredentials : .ok))
        #expect(try await Self.ask(bench, descriptor, verified: true) == .ok)
    }

    @Test func anUndefinedProtectionLevelIsRefused() async throws {
        let bench = try await Bench.complete()
        for level in [0, 4, 255] {
            #expect(
                await bench.make { $0.extensions = ["credProtect": .integer(level)] }.told
                    == Told(.invalidParameter, "credProtect.unknownLevel"))
        }
        for wrong: CBOR.Value in ["3", true, .integer(-1)] {
            let told = await bench.make { $0.extensions = ["credProtect": wrong] }.told
            #expect([.cborUnexpectedType, .invalidParameter].contains(told.status))
        }
        // A request without extensions gets an answer without extensions.
        #expect(try await bench.make().made().data().extensions == nil)
    }

    @Test func credProtectHidesAccountsFromARun() async throws {
        let bench = try await Bench.complete(pin: true)
        for level in [1, 2, 3] { _ = try await bench.discoverable(UInt8(level), ["credProtect": .integer(level)]) }
        #expect(try await bench.get().got().response.numberOfCredentials == nil)
        let token = try await bench.token(permissions: .getAssertion)
        #expect(try await bench.get { $0.authenticate(token) }.got().response.numberOfCredentials == 3)
    }

    // MARK: credBlob

    @Test(arguments: [0, 1, 64, 65])
    func aCredBlobIsStoredIfItFits(length: Int) async throws {
        let bench = try await Bench.complete()
        let blob = [UInt8](repeating: 7, count: length)
        let made = try await bench.discoverable(1, ["credBlob": .bytes(blob)])
        #expect(try made.data().extensions?["credBlob"] == .bool(length <= 64))
        let got = try await bench.get { $0.extensions = ["credBlob": true] }.got()
        #expect(try got.data().extensions?["credBlob"] == .bytes(length <= 64 ? blob : []))
        #expect(try await bench.get { $0.extensions = ["credBlob": false] }.got().data().extensions == nil)
    }

    @Test func aNonDiscoverableCredentialHasNoCredBlob() async throws {
        let bench = try await Bench.complete()
        let made = try await bench.make { $0.extensions = ["credBlob": .bytes([1])] }.made()
        #expect(try made.data().extensions?["credBlob"] == false)
        let got = try await bench.get {
            $0.allowList = [try made.descriptor()]
            $0.extensions = ["credBlob": true]
        }.got()
        #expect(try got.data().extensions?["credBlob"] == .bytes([]))
    }

    // MARK: largeBlobKey

    @Test func everyCredentialKeepsItsOwnLargeBlobKey() async throws {
        let bench = try await Bench.complete()
        let keys = try await [1, 2].asyncMap {
            try await bench.discoverable($0, ["largeBlobKey": true]).response.largeBlobKey
        }
        #expect(keys.allSatisfy { $0?.count == 32 })
        #expect(keys[0] != keys[1])
        await bench.device.powerCycle()
        let first = try await bench.get { $0.extensions = ["largeBlobKey": true] }.got()
        #expect([first.response.largeBlobKey, try await bench.next().got().response.largeBlobKey] == keys.reversed())
        // It is never in the authenticator data, and only in answers to requests for it.
        #expect(try first.data().extensions == nil)
        #expect(try await bench.get().got().response.largeBlobKey == nil)
        let plain = try await bench.discoverable(3)
        #expect(plain.response.largeBlobKey == nil)
        #expect(
            try await bench.get {
                $0.allowList = [try plain.descriptor()]
                $0.extensions = ["largeBlobKey": true]
            }.got().response.largeBlobKey == nil)
    }

    // MARK: minPinLength, pinComplexityPolicy

    @Test func onlyNamedRelyingPartiesReadThePINPolicy() async throws {
        let bench = try await Bench.complete { $0.minPINLengthRelyingPartyIDs = ["factory.example"] }
        let requested: [String: CBOR.Value] = ["minPinLength": true, "pinComplexityPolicy": true]
        func told(_ rpID: String, _ requested: [String: CBOR.Value]) async throws -> CBOR.Map? {
            try await bench.discoverable(1, at: rpID, requested).data().extensions
        }
        #expect(try await told("factory.example", requested) == ["minPinLength": 4, "pinComplexityPolicy": false])
        #expect(try await told("factory.example", ["minPinLength": false]) == nil)
        #expect(try await told(Bench.rpID, requested) == nil)
        let request = AuthenticatorConfigRequest.of(.setMinPINLength) {
            $0.newMinPINLength = 6
            $0.minPinLengthRPIDs = [Bench.rpID]
            $0.pinComplexityPolicy = true
        }
        #expect(await bench.manage(request).told == .ok)
        #expect(try await told(Bench.rpID, requested) == ["minPinLength": 6, "pinComplexityPolicy": true])
        #expect(try await told("factory.example", requested) == nil)
        #expect(await bench.send(.reset).told == .ok)
        #expect(try await told("factory.example", requested) == ["minPinLength": 4, "pinComplexityPolicy": false])
    }

    // MARK: thirdPartyPayment

    @Test(arguments: [true, false])
    func thirdPartyPaymentIsDecidedAtRegistration(isDiscoverable: Bool) async throws {
        let bench = try await Bench.complete()
        func make(_ user: UInt8, _ requested: CBOR.Value?) async throws -> Made {
            try await bench.make {
                $0.user.id = [user]
                $0.options["rk"] = isDiscoverable
                $0.extensions = requested.map { ["thirdPartyPayment": $0] }
            }.made()
        }
        let made = [try await make(1, true), try await make(2, false), try await make(3, nil)]
        #expect(try made.map { try $0.data().extensions?["thirdPartyPayment"] } == [true, nil, nil])
        for (index, credential) in made.enumerated() {
            let got = try await bench.get {
                $0.allowList = [try credential.descriptor()]
                $0.extensions = ["thirdPartyPayment": true]
            }.got()
            #expect(try got.data().extensions?["thirdPartyPayment"] == .bool(index == 0))
        }
    }

    // MARK: uvm

    @Test func uvmReportsTheVerificationMethod() async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1]])
        let byPIN = try await bench.token(permissions: [.makeCredential])
        let methods = try await [
            bench.make { $0.extensions = ["uvm": true] }.made(),
            bench.make {
                $0.extensions = ["uvm": true]
                $0.options["uv"] = true
            }.made(),
        ].map { try $0.data().extensions?["uvm"] }
        // Presence only; the fingerprint.
        #expect(methods == [[[1, 1, 1]], [[2, 1, 1]]])
        let token = try await bench.token(permissions: [.makeCredential])
        #expect(token.bytes != byPIN.bytes)
        let made = try await bench.make {
            $0.extensions = ["uvm": true]
            $0.options["rk"] = true
            $0.authenticate(token)
        }.made()
        #expect(try made.data().extensions?["uvm"] == [[0x800, 1, 1]])
        let got = try await bench.get {
            $0.extensions = ["uvm": true]
            $0.options["uv"] = true
        }.got()
        #expect(try got.data().extensions?["uvm"] == [[2, 1, 1]])
        let phone = Bench(gate: Gates.phone) { $0.extensions = [.uvm] }
        let face = try await phone.make {
            $0.extensions = ["uvm": true]
            $0.options["uv"] = true
        }.made()
        #expect(try face.data().extensions?["uvm"] == [[0x10, 1, 1]])
        phone.person.willDo([.nonMatch, .nonMatch, .fallback, .passcode(correct: true)])
        let passcode = try await phone.make {
            $0.extensions = ["uvm": true]
            $0.options["uv"] = true
        }.made()
        #expect(try passcode.data().extensions?["uvm"] == [[4, 1, 1]])
    }

    // MARK: All of them

    @Test func unsupportedExtensionsAreIgnored() async throws {
        let bench = try await Bench.complete { $0.extensions = [] }
        let requested: [String: CBOR.Value] = [
            "credProtect": 9, "credBlob": 1, "largeBlobKey": false, "minPinLength": "x", "pinComplexityPolicy": 1,
            "hmac-secret": 1, "hmac-secret-mc": 1, "thirdPartyPayment": "x", "uvm": 1, "unheardOf": [:],
        ]
        let made = try await bench.discoverable(1, requested)
        #expect(try made.data().extensions == nil)
        #expect(made.response.largeBlobKey == nil)
        #expect(try await bench.get { $0.extensions = requested }.got().data().extensions == nil)
        #expect(await bench.info().extensions == nil)
    }

    @Test(arguments: AuthenticatorExtension.allCases)
    func anExtensionInputOfTheWrongTypeIsRefused(requested: AuthenticatorExtension) async throws {
        let bench = try await Bench.complete()
        let wrong: CBOR.Value = requested == .credBlob ? "text" : .bytes([1])
        let told = Told(.cborUnexpectedType, "message.unexpectedType")
        #expect(await bench.make { $0.extensions = [requested.rawValue: wrong] }.told == told)
        _ = try await bench.discoverable(1)
        let atSignIn: Set<AuthenticatorExtension> = [
            .credBlob, .largeBlobKey, .hmacSecret, .thirdPartyPayment, .uvm, .largeBlob, .previewSign,
        ]
        #expect(
            await bench.get { $0.extensions = [requested.rawValue: wrong] }.told
                == (atSignIn.contains(requested) ? told : .ok))
    }

    @Test func everyAccountHasItsOwnExtensionOutputs() async throws {
        let bench = try await Bench.complete(pin: true)
        for user: UInt8 in [1, 2, 3] {
            _ = try await bench.discoverable(
                user,
                [
                    "credBlob": .bytes([user, user]), "hmac-secret": true, "largeBlobKey": true,
                    "thirdPartyPayment": .bool(user == 2),
                ])
        }
        let salts = try await Salts(bench, [[UInt8](repeating: 1, count: 32)])
        let token = try await bench.token()
        var answers = [
            try await bench.get {
                $0.authenticate(token)
                $0.extensions = [
                    "credBlob": true, "hmac-secret": salts.input, "largeBlobKey": true, "thirdPartyPayment": true,
                    "uvm": true,
                ]
            }.got()
        ]
        for _ in 0..<2 { answers.append(try await bench.next().got()) }
        let outputs = try answers.map { try #require($0.data().extensions) }
        #expect(outputs.map { $0["credBlob"] } == [.bytes([3, 3]), .bytes([2, 2]), .bytes([1, 1])])
        #expect(outputs.map { $0["thirdPartyPayment"] } == [false, true, false])
        #expect(outputs.map { $0["uvm"] } == [[[0x800, 1, 1]], [[0x800, 1, 1]], [[0x800, 1, 1]]])
        #expect(Set(answers.map(\.response.largeBlobKey)).count == 3)
        let secrets = try outputs.map { try salts.secrets(in: $0["hmac-secret"]) }
        #expect(Set(secrets).count == 3)
        #expect(secrets.allSatisfy { $0.count == 1 && $0[0].count == 32 })
    }
}

extension Sequence {
    /// A map of one element after the other.
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
