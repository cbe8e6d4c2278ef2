import COSE
import Testing

/// RFC 5915 §3: the public key beside a private key on a curve.
@Suite("A public key beside a private key")
struct PublicKeyMismatchTests {
    @Test(arguments: [(COSE.Algorithm.es256, 32), (.es384, 48), (.es512, 66)])
    func aPublicKeyOfAnotherKeyIsRefused(algorithm: COSE.Algorithm, length: Int) throws {
        let scalar = [UInt8](repeating: 0, count: length - 9) + [UInt8](repeating: 0x5A, count: 9)
        let key = try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: scalar)
        let document = key.pkcs8Representation
        #expect(try COSE.PrivateKey(pkcs8Representation: document).publicKey == key.publicKey)
        let start = try #require(document.indices.first { document[$0...].starts(with: scalar) })
        var damaged = document
        damaged[start + length - 1] ^= 1
        #expect(throws: COSE.KeyError.publicKeyMismatch) { try COSE.PrivateKey(pkcs8Representation: damaged) }
    }
}
