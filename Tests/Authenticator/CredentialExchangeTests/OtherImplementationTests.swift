import COSE
import CredentialExchange
import Documents
import Foundation
import TestSupport
import Testing
import WebAuthn

/// Exported keys in OpenSSL and in Python's cryptography, and their keys in our reader.
@Suite("Keys of documents in other implementations")
struct OtherImplementationTests {
    /// The algorithms that both programs know, with the name that cryptography gives the key.
    private static let kinds: [(algorithm: COSE.Algorithm, name: String)] = [
        (.es256, "secp256r1"), (.es384, "secp384r1"), (.es512, "secp521r1"), (.es256K, "secp256k1"),
        (.edDSA, "ed25519"), (.ed448, "ed448"), (.rs256, "rsa"),
    ]

    /// The document's base64url of a key.
    private static func exported(_ key: COSE.PrivateKey) throws -> String {
        let json = Sample.document([Sample.passkey(key: key)]).json
        return try #require(json.value(at: "\(Sample.passkeyPlace)/key")?.text)
    }

    @Test("OpenSSL reads each exported key, and finds the same public key")
    func openSSL() async throws {
        for (algorithm, name) in Self.kinds {
            let key = try Sample.key(algorithm)
            let bytes = try #require(Base64URL.decode(try Self.exported(key)))
            let folder = try TemporaryFolder()
            let file = folder.url.appending(path: "key.der")
            try Data(bytes).write(to: file)
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["openssl", "pkey", "-inform", "DER", "-in", file.path, "-pubout", "-outform", "DER"]
            process.standardOutput = output
            try process.runUnblocked()
            let found = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(name)")
            #expect(Array(found) == key.publicKey.subjectPublicKeyInfo, "\(name)")
        }
    }

    /// Reads a document on standard input, answers with its keys' names and signatures, and exports keys of its own.
    private static let script = """
        import base64, json, sys
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa

        def decode(text):
            return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

        def encode(data):
            return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

        def name(key):
            return getattr(getattr(key, "curve", None), "name", type(key).__name__.strip("_").lower()
                           .removesuffix("privatekey"))

        def public(key):
            return key.public_key().public_bytes(
                serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)

        document = json.load(sys.stdin)
        keys = [serialization.load_der_private_key(decode(credential["key"]), None)
                for account in document["accounts"] for item in account["items"]
                for credential in item["credentials"]]
        own = [ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP384R1()),
               ec.generate_private_key(ec.SECP521R1()), ec.generate_private_key(ec.SECP256K1()),
               ed25519.Ed25519PrivateKey.generate(), ed448.Ed448PrivateKey.generate(),
               rsa.generate_private_key(65537, 2048)]
        print(json.dumps({
            "names": [name(key) for key in keys],
            "publics": [encode(public(key)) for key in keys],
            "own": [encode(key.private_bytes(
                serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
                for key in own],
            "ownPublics": [encode(public(key)) for key in own],
        }))
        """

    private struct Answer: Decodable {
        let names: [String]
        let publics: [String]
        let own: [String]
        let ownPublics: [String]
    }

    @Test("Python's cryptography reads exported keys, and its own keys are imported")
    func cryptography() async throws {
        let keys = try Self.kinds.map { try Sample.key($0.algorithm) }
        let passkeys = keys.enumerated().map { Sample.passkey(UInt8($0.offset + 1), key: $0.element) }
        let output = try await Python.run(
            script: Self.script,
            standardInput: String(decoding: try Sample.text(Sample.document(passkeys)), as: UTF8.self))
        let line = try #require(output.lines.last)
        let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
        #expect(answer.names == Self.kinds.map(\.name))
        #expect(answer.publics == keys.map { Base64URL.encode($0.publicKey.subjectPublicKeyInfo) })
        #expect(answer.own.count == Self.kinds.count)
        for (index, own) in answer.own.enumerated() {
            let reading = try Sample.reading(("\(Sample.passkeyPlace)/key", .text(own)))
            let read = try #require(reading.document.passkeys.first, "\(reading.damaged.map(\.mistake))").privateKey
            #expect(read.algorithm == Self.kinds[index].algorithm)
            #expect(Base64URL.encode(read.publicKey.subjectPublicKeyInfo) == answer.ownPublics[index])
        }
    }
}
