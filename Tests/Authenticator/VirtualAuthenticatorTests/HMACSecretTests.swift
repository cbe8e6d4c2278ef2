import CBOR
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("hmac-secret")
struct HMACSecretTests {
    static let one = [UInt8](repeating: 1, count: 32)
    static let two = [UInt8](repeating: 2, count: 32)

    /// A key with a credential of its user 1.
    static func bench(pin: Bool = false) async throws -> (Bench, Made) {
        let bench = try await Bench.complete(pin: pin)
        return (bench, try await bench.discoverable(1, ["hmac-secret": true]))
    }

    static func secrets(
        _ bench: Bench, _ made: Made, _ values: [[UInt8]], _ pinProtocol: PINUVAuthProtocol = .two,
        verified: Bool = false, named: Bool = true
    ) async throws -> [[UInt8]] {
        let token = verified ? try await bench.token(permissions: .getAssertion) : nil
        let salts = try await Salts(bench, values, pinProtocol, named: named)
        let got = try await bench.get {
            $0.allowList = [try made.descriptor()]
            $0.extensions = ["hmac-secret": salts.input]
            if let token { $0.authenticate(token) }
        }.got()
        return try salts.secrets(in: got.data().extensions?["hmac-secret"])
    }

    @Test func hmacSecretIsEnabledAtRegistration() async throws {
        let bench = try await Bench.complete()
        for (requested, output) in [(true, CBOR.Value.bool(true)), (false, nil)] {
            let made = try await bench.make { $0.extensions = ["hmac-secret": .bool(requested)] }.made()
            #expect(try made.data().extensions?["hmac-secret"] == output)
        }
    }

    @Test(arguments: PINUVAuthProtocol.allCases, [true, false])
    func aSaltDeterminesTheSecret(pinProtocol: PINUVAuthProtocol, verified: Bool) async throws {
        let (bench, made) = try await Self.bench(pin: true)
        func secrets(_ salts: [[UInt8]]) async throws -> [[UInt8]] {
            try await Self.secrets(bench, made, salts, pinProtocol, verified: verified)
        }
        let first = try await secrets([Self.one])
        #expect(first.map(\.count) == [32])
        let both = try await secrets([Self.one, Self.two])
        #expect(both.count == 2)
        #expect(both[0] == first[0])
        #expect(both[0] != both[1])
        #expect(try await secrets([Self.two, Self.one]) == both.reversed())
        await bench.device.powerCycle()
        #expect(try await secrets([Self.one]) == first)
        let other: PINUVAuthProtocol = pinProtocol == .one ? .two : .one
        #expect(try await Self.secrets(bench, made, [Self.one], other, verified: verified) == first)
    }

    @Test func userVerificationChangesTheSecret() async throws {
        let (bench, made) = try await Self.bench(pin: true)
        let unverified = try await Self.secrets(bench, made, [Self.one])
        let verified = try await Self.secrets(bench, made, [Self.one], verified: true)
        #expect(unverified != verified)
        #expect(try await Self.secrets(bench, made, [Self.one]) == unverified)
    }

    @Test func everyCredentialHasItsOwnSecretUntilAReset() async throws {
        let (bench, made) = try await Self.bench()
        let other = try await bench.discoverable(2, ["hmac-secret": true])
        let sealed = try await bench.make { $0.extensions = ["hmac-secret": true] }.made()
        var all = Set<[[UInt8]]>()
        for credential in [made, other, sealed] {
            let secrets = try await Self.secrets(bench, credential, [Self.one])
            #expect(all.insert(secrets).inserted)
            #expect(try await Self.secrets(bench, credential, [Self.one]) == secrets)
        }
        #expect(await bench.send(.reset).told == .ok)
        let fresh = try await bench.discoverable(1, ["hmac-secret": true])
        #expect(all.insert(try await Self.secrets(bench, fresh, [Self.one])).inserted)
    }

    @Test func protocolOneIsTheDefault() async throws {
        let (bench, made) = try await Self.bench()
        let named = try await Self.secrets(bench, made, [Self.one], .one)
        #expect(try await Self.secrets(bench, made, [Self.one], .one, named: false) == named)
    }

    // MARK: At creation

    @Test(arguments: PINUVAuthProtocol.allCases, [true, false])
    func theOutputsOfRegistrationAndAuthenticationAreEqual(pinProtocol: PINUVAuthProtocol, verified: Bool) async throws
    {
        let bench = try await Bench.complete(pin: true)
        for isDiscoverable in verified ? [true, false] : [false] {
            let token = verified ? try await bench.token(permissions: .makeCredential) : nil
            let salts = try await Salts(bench, [Self.one, Self.two], pinProtocol)
            let made = try await bench.make {
                $0.options["rk"] = isDiscoverable
                $0.extensions = ["hmac-secret": true, "hmac-secret-mc": salts.input]
                if let token { $0.authenticate(token) }
            }.made()
            let outputs = try #require(made.data().extensions)
            #expect(outputs["hmac-secret"] == true)
            let created = try salts.secrets(in: outputs["hmac-secret-mc"])
            #expect(created.count == 2)
            #expect(
                try await Self.secrets(bench, made, [Self.one, Self.two], pinProtocol, verified: verified) == created)
        }
    }

    @Test(arguments: [nil, false] as [CBOR.Value?])
    func hmacSecretMcRequiresHmacSecret(requested: CBOR.Value?) async throws {
        let bench = try await Bench.complete()
        let salts = try await Salts(bench, [Self.one])
        let answer = await bench.make {
            $0.options["rk"] = true
            $0.extensions = ["hmac-secret-mc": salts.input]
            $0.extensions?["hmac-secret"] = requested
        }
        #expect(answer.told == Told(.missingParameter, "hmacSecret.notEnabled"))
        #expect(await bench.device.snapshot().credentials.isEmpty)
    }

    // MARK: Bad inputs

    @Test(arguments: [true, false])
    func invalidSaltsAreRefused(atCreation: Bool) async throws {
        let (bench, made) = try await Self.bench()
        func ask(_ input: CBOR.Value) async throws -> Told {
            if atCreation {
                return await bench.make { $0.extensions = ["hmac-secret": true, "hmac-secret-mc": input] }.told
            }
            return try await bench.get {
                $0.allowList = [try made.descriptor()]
                $0.extensions = ["hmac-secret": input]
            }.told
        }
        for pinProtocol in PINUVAuthProtocol.allCases {
            for lengths in [[16], [48], [32, 32, 32], []] {
                let salts = try await Salts(bench, lengths.map { [UInt8](repeating: 1, count: $0) }, pinProtocol)
                #expect(try await ask(salts.input) == Told(.invalidLength, "hmacSecret.saltLength"))
            }
            let good = try await Salts(bench, [Self.one], pinProtocol).input.asMap("salts")
            var forged = good
            forged[3] = .bytes([UInt8](repeating: 0, count: pinProtocol == .one ? 16 : 32))
            #expect(try await ask(.map(forged)) == Told(.pinAuthInvalid, "hmacSecret.saltAuthInvalid"))
            for key in 1...3 {
                var missing = good
                missing[.integer(key)] = nil
                #expect(try await ask(.map(missing)).status == .missingParameter)
            }
            var unknown = good
            unknown[4] = 7
            #expect(try await ask(.map(unknown)) == Told(.invalidParameter, "hmacSecret.protocolUnsupported"))
            var offCurve = good
            offCurve[1] = [1: 2, 3: -25, -1: 1, -2: .bytes(Self.one), -3: .bytes(Self.one)]
            #expect(try await ask(.map(offCurve)).status == .invalidParameter)
        }
    }
}
