import CBOR
import CTAP
import TestSupport
import Testing

@Suite("PIN/UV auth protocols")
struct PINUVAuthProtocolTests {
    static func key(_ scalar: [UInt8]) throws -> KeyAgreementKey {
        try #require(KeyAgreementKey { _ in scalar })
    }

    static func secret(_ pinProtocol: PINUVAuthProtocol) throws -> PINUVAuthProtocol.SharedSecret {
        let ours = try key([UInt8](repeating: 0x11, count: 32))
        let theirs = try key([UInt8](repeating: 0x22, count: 32))
        return try #require(ours.sharedSecret(with: theirs.publicKey, protocol: pinProtocol))
    }

    /// For each line of protocol, two scalars, IV, plaintext and message: what `cryptography` and python-fido2 make of
    /// them.
    private static let reference = """
        import sys
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        from fido2.ctap2.pin import PinProtocolV1, PinProtocolV2
        for line in sys.stdin:
            fields = line.split()
            a, b, iv, plaintext, message = (bytes.fromhex(field) for field in fields[1:])
            protocol = {'1': PinProtocolV1, '2': PinProtocolV2}[fields[0]]()
            ours, theirs = (ec.derive_private_key(int.from_bytes(s, 'big'), ec.SECP256R1()) for s in (a, b))
            point = theirs.public_key().public_numbers()
            secret = protocol.kdf(ours.exchange(ec.ECDH(), theirs.public_key()))
            authentication, encryption = (secret, secret) if fields[0] == '1' else (secret[:32], secret[32:])
            first = bytes(16) if fields[0] == '1' else iv
            cipher = Cipher(algorithms.AES(encryption), modes.CBC(first)).encryptor()
            ciphertext = cipher.update(plaintext) + cipher.finalize()
            if fields[0] == '2': ciphertext = iv + ciphertext
            assert protocol.decrypt(secret, ciphertext) == plaintext
            print(*(field.hex() for field in (point.x.to_bytes(32, 'big'), point.y.to_bytes(32, 'big'),
                authentication, encryption, ciphertext, protocol.authenticate(secret, message))))
        """

    @Test func everyStepAgreesWithPython() async throws {
        struct Case {
            let pinProtocol: PINUVAuthProtocol
            let fields: [[UInt8]]
        }
        var generator = SeededGenerator(seed: 651)
        var cases: [Case] = []
        for pinProtocol in PINUVAuthProtocol.allCases {
            for round in 1...12 {
                let fields = [32, 32, 16, 16 * round, 7 * round].map { generator.bytes($0) }
                cases.append(Case(pinProtocol: pinProtocol, fields: fields))
            }
        }
        let input = cases.map { "\($0.pinProtocol.rawValue) " + $0.fields.map(\.hex).joined(separator: " ") + "\n" }
        let lines = try await Python.run(script: Self.reference, standardInput: input.joined()).lines
        try #require(lines.count == cases.count)
        for (line, sample) in zip(lines, cases) {
            let expected = line.split(separator: " ").map { [UInt8](hex: String($0)) }
            let ours = try Self.key(sample.fields[0])
            let theirs = try Self.key(sample.fields[1])
            #expect(
                theirs.publicKey
                    == [1: 2, 3: -25, -1: 1, -2: .bytes(expected[0]), -3: .bytes(expected[1])])
            let secret = try #require(ours.sharedSecret(with: theirs.publicKey, protocol: sample.pinProtocol))
            #expect(theirs.sharedSecret(with: ours.publicKey, protocol: sample.pinProtocol) == secret)
            #expect(secret.authenticationKey == expected[2])
            #expect(secret.encryptionKey == expected[3])
            let ciphertext = sample.pinProtocol.encrypt(
                sample.fields[3], with: secret, initializationVector: sample.fields[2])
            #expect(ciphertext == expected[4])
            #expect(sample.pinProtocol.decrypt(expected[4], with: secret) == sample.fields[3])
            let code = sample.pinProtocol.authenticate(sample.fields[4], key: secret.authenticationKey)
            #expect(code == expected[5])
            #expect(sample.pinProtocol.verify(expected[5], over: sample.fields[4], key: secret.authenticationKey))
        }
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func onlyWholeBlocksAreEncryptedAndDecrypted(pinProtocol: PINUVAuthProtocol) throws {
        let secret = try Self.secret(pinProtocol)
        let vector = [UInt8](repeating: 7, count: 16)
        for length in [0, 16, 64] {
            let plaintext = [UInt8](repeating: 1, count: length)
            let ciphertext = try #require(pinProtocol.encrypt(plaintext, with: secret, initializationVector: vector))
            #expect(ciphertext.count == length + pinProtocol.encryptionOverhead)
            #expect(pinProtocol.decrypt(ciphertext, with: secret) == plaintext)
        }
        for length in [1, 15, 17, 63] {
            let bytes = [UInt8](repeating: 1, count: length)
            #expect(pinProtocol.encrypt(bytes, with: secret, initializationVector: vector) == nil)
            #expect(pinProtocol.decrypt(bytes, with: secret) == nil)
        }
        // Protocol two cannot do without the initialisation vector in front.
        #expect(pinProtocol.decrypt([], with: secret) == (pinProtocol == .one ? [] : nil))
        #expect(pinProtocol == .one || pinProtocol.encrypt([], with: secret, initializationVector: [1]) == nil)
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func onlyAWholeCodeVerifies(pinProtocol: PINUVAuthProtocol) {
        let key = [UInt8](repeating: 3, count: 32)
        let code = pinProtocol.authenticate([1, 2, 3], key: key)
        #expect(code.count == (pinProtocol == .one ? 16 : 32))
        #expect(pinProtocol.verify(code, over: [1, 2, 3], key: key))
        #expect(!pinProtocol.verify(code, over: [1, 2, 4], key: key))
        #expect(!pinProtocol.verify(code, over: [1, 2, 3], key: [UInt8](repeating: 4, count: 32)))
        for length in 0..<code.count {
            #expect(!pinProtocol.verify(Array(code[..<length]), over: [1, 2, 3], key: key))
        }
        #expect(!pinProtocol.verify(code + [0], over: [1, 2, 3], key: key))
        for index in code.indices {
            var flipped = code
            flipped[index] ^= 1
            #expect(!pinProtocol.verify(flipped, over: [1, 2, 3], key: key))
        }
    }

    @Test func aCodeOfProtocolTwoDoesNotVerifyUnderProtocolOne() {
        let key = [UInt8](repeating: 3, count: 32)
        #expect(!PINUVAuthProtocol.one.verify(PINUVAuthProtocol.two.authenticate([1], key: key), over: [1], key: key))
    }

    @Test func constantTimeEqualityIsEquality() {
        #expect(constantTimeEqual([], []))
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(!constantTimeEqual([], [0]))
        // Differences must not cancel each other out.
        #expect(!constantTimeEqual([1, 1], [0, 0]))
        for bit in 0..<8 { #expect(!constantTimeEqual([0, 0], [0, 1 << UInt8(bit)])) }
    }

    @Test func aKeyThatIsNoPointOnP256GivesNoSecret() throws {
        let ours = try Self.key([UInt8](repeating: 0x11, count: 32))
        let good = try Self.key([UInt8](repeating: 0x22, count: 32)).publicKey
        #expect(ours.sharedSecret(with: good, protocol: .two) != nil)
        let changes: [(Shape.Step, CBOR.Value?)] = [
            (.key(1), 3), (.key(1), nil), (.key(3), nil), (.key(3), -7), (.key(3), "ECDH-ES+HKDF-256"), (.key(-1), 2),
            (.key(-1), nil), (.key(-2), nil), (.key(-3), nil),
            (.key(-2), .bytes([UInt8](repeating: 1, count: 31))), (.key(-3), .bytes([UInt8](repeating: 1, count: 33))),
            (.key(-3), .bytes([UInt8](repeating: 1, count: 32))), (.key(-3), true), (.key(-2), "x"),
            (.key(-2), .bytes([UInt8](repeating: 0, count: 32))),
        ]
        for (step, value) in changes {
            let peer = Shape("", [step], []).replace(in: good, by: value)
            #expect(ours.sharedSecret(with: peer, protocol: .two) == nil, "\(peer)")
        }
        #expect(ours.sharedSecret(with: [], protocol: .two) == nil)
        let zero = CBOR.Value.bytes([UInt8](repeating: 0, count: 32))
        #expect(ours.sharedSecret(with: [1: 2, 3: -25, -1: 1, -2: zero, -3: zero], protocol: .one) == nil)
    }

    @Test func aSourceThatNeverGivesAScalarGivesNoKey() {
        #expect(KeyAgreementKey { [UInt8](repeating: 0, count: $0) } == nil)
        #expect(KeyAgreementKey { [UInt8](repeating: 0xFF, count: $0) } == nil)
        #expect(KeyAgreementKey { _ in [1, 2, 3] } == nil)
    }

    @Test func theDescriptionOfASecretDoesNotContainIt() throws {
        let secret = try Self.secret(.two)
        #expect("\(secret)" == "shared secret")
    }

    @Test func permissionsHaveTheBitsOfTheSpecification() {
        let bits: [(PINUVAuthTokenPermissions, UInt8)] = [
            (.makeCredential, 0x01), (.getAssertion, 0x02), (.credentialManagement, 0x04), (.bioEnrollment, 0x08),
            (.largeBlobWrite, 0x10), (.authenticatorConfiguration, 0x20),
            (.persistentCredentialManagementReadOnly, 0x40),
        ]
        for (permission, bit) in bits { #expect(permission.rawValue == bit) }
        #expect(PINUVAuthTokenPermissions(bits.map(\.0)) == .all)
    }
}
