import CBOR
import COSE
import TestSupport
import Testing

/// Keys and signatures against Python's `cryptography`, with the COSE keys read and written by python-fido2.
struct CryptographyComparisonTests {
    /// How often each algorithm is compared; finding primes takes its time.
    private static func rounds(_ algorithm: COSE.Algorithm) -> Int {
        algorithm == .rs256 || algorithm == .ps256 ? 3 : 25
    }

    /// Reads lines of COSE key, message, signature and answers each with the verdict of a strict verifier.
    private static let verifier = """
        import sys
        from fido2 import cbor
        from fido2.cose import CoseKey
        for line in sys.stdin:
            key, message, signature = (bytes.fromhex(field[1:]) for field in line.split())
            try:
                CoseKey.parse(cbor.decode(key)).verify(message, signature)
                print('valid')
            except Exception as error:
                print(type(error).__name__)
        """

    /// Prints for each algorithm number given: the private key, the COSE key, a message and its signature.
    private static let signer = """
        import os, sys
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519, ed448, mldsa, padding, rsa
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
        from fido2 import cbor
        from fido2.cose import CoseKey
        curves = {
            -7: (ec.SECP256R1(), hashes.SHA256(), 32), -9: (ec.SECP256R1(), hashes.SHA256(), 32),
            -35: (ec.SECP384R1(), hashes.SHA384(), 48), -51: (ec.SECP384R1(), hashes.SHA384(), 48),
            -36: (ec.SECP521R1(), hashes.SHA512(), 66), -52: (ec.SECP521R1(), hashes.SHA512(), 66),
            -47: (ec.SECP256K1(), hashes.SHA256(), 32),
        }
        others = {
            -8: ed25519.Ed25519PrivateKey, -19: ed25519.Ed25519PrivateKey, -53: ed448.Ed448PrivateKey,
            -49: mldsa.MLDSA65PrivateKey, -50: mldsa.MLDSA87PrivateKey,
        }
        paddings = {
            -257: padding.PKCS1v15(), -37: padding.PSS(mgf=padding.MGF1(hashes.SHA256()), salt_length=32),
        }
        for number in map(int, sys.argv[1:]):
            message = os.urandom(number % 7 * 16)
            if number in curves:
                curve, digest, length = curves[number]
                private = ec.generate_private_key(curve)
                raw = private.private_numbers().private_value.to_bytes(length, 'big')
                signature = private.sign(message, ec.ECDSA(digest))
            elif number in paddings:
                private = rsa.generate_private_key(65537, 2048)
                form = PrivateFormat.PKCS8 if len(message) % 32 else PrivateFormat.TraditionalOpenSSL
                raw = private.private_bytes(Encoding.DER, form, NoEncryption())
                signature = private.sign(message, paddings[number], hashes.SHA256())
            else:
                private = others[number].generate()
                raw = private.private_bytes_raw()
                signature = private.sign(message)
            key = CoseKey.for_alg(number).from_cryptography_key(private.public_key())
            print(number, *('.' + field.hex() for field in (raw, cbor.encode(key), message, signature)))
        """

    @Test func pythonVerifiesOurSignatures() async throws {
        var generator = SeededGenerator(seed: 77)
        var lines: [String] = []
        var expected: [String] = []
        for algorithm in COSE.Algorithm.supported {
            for round in 0..<Self.rounds(algorithm) {
                let key = try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) }
                let message = generator.bytes(round * 10)
                let isRepeatable = round % 2 == 0 && algorithm.signsDeterministically
                let signature = try key.sign(message, mode: isRepeatable ? .deterministic : .randomized)
                for (message, verdict) in [(message, "valid"), (message + [0], "InvalidSignature")] {
                    // The dot keeps an empty message a field.
                    let fields = [key.publicKey.encoded, message, signature].map { "." + $0.hex }
                    lines.append(fields.joined(separator: " ") + "\n")
                    expected.append(verdict)
                }
            }
        }
        let output = try await Python.run(script: Self.verifier, standardInput: lines.joined())
        #expect(output.lines.map(String.init) == expected)
    }

    @Test func signaturesOfPythonVerify() async throws {
        let algorithms = COSE.Algorithm.supported.flatMap { [COSE.Algorithm](repeating: $0, count: Self.rounds($0)) }
        let lines = try await Python.run(script: Self.signer, arguments: algorithms.map { "\($0.rawValue)" }).lines
        try #require(lines.count == algorithms.count)
        for (line, algorithm) in zip(lines, algorithms) {
            let fields = line.split(separator: " ").dropFirst().map { [UInt8](hex: String($0.dropFirst())) }
            try #require(fields.count == 4)
            let privateKey = try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: fields[0])
            let publicKey = try COSE.PublicKey(cbor: CBOR.decode(fields[1]))
            #expect(privateKey.publicKey == publicKey)
            #expect(publicKey.encoded == fields[1])
            #expect(publicKey.verify(fields[3], over: fields[2]))
            #expect(!publicKey.verify(fields[3], over: fields[2] + [0]))
        }
    }
}
