import CBOR
import COSE
import Testing

/// Keys and signatures from the vectors of WebAuthn L3, RFC 6979 and RFC 8032.
struct KnownAnswerTests {
    @Test(arguments: KnownAnswer.all)
    func aPrivateKeyHasThePublicKeyOfTheVector(vector: KnownAnswer) throws {
        let key = try COSE.PrivateKey(algorithm: vector.algorithm, rawRepresentation: vector.privateKey)
        #expect(key.publicKey.encoded == vector.publicKey)
        #expect(key.rawRepresentation == vector.privateKey)
        #expect(key.algorithm == vector.algorithm)
    }

    @Test(arguments: KnownAnswer.all)
    func thePublicKeyOfTheVectorVerifiesItsSignature(vector: KnownAnswer) throws {
        let key = try COSE.PublicKey(cbor: CBOR.decode(vector.publicKey))
        #expect(key.verify(vector.signature, over: vector.message))
        #expect(!key.verify(vector.signature, over: vector.message + [0]))
        #expect(!key.verify(vector.signature, over: []))
    }

    @Test(arguments: KnownAnswer.all)
    func aPublicKeyRoundTripsThroughItsCBOR(vector: KnownAnswer) throws {
        let key = try COSE.PublicKey(cbor: CBOR.decode(vector.publicKey))
        #expect(key.encoded == vector.publicKey)
        #expect(try COSE.PublicKey(cbor: key.cbor) == key)
        #expect(try COSE.PublicKey(algorithm: key.algorithm, x: key.x, y: key.y) == key)
        let length = try #require(key.curve).coordinateLength
        if key.y.isEmpty {
            #expect(key.rawRepresentation == key.x)
            #expect(key.x.count == length)
        } else {
            #expect(key.rawRepresentation == [0x04] + key.x + key.y)
            #expect(key.rawRepresentation.count == 1 + 2 * length)
        }
    }

    @Test func aKeyIsReadWithItsEntriesInAnyOrder() throws {
        guard case .map(let map) = try CBOR.decode(KnownAnswer.es256.publicKey) else {
            Issue.record("the vector is not a map")
            return
        }
        let reversed = CBOR.Map(uncheckedEntries: map.reversed())
        #expect(try COSE.PublicKey(cbor: .map(reversed)).encoded == KnownAnswer.es256.publicKey)
    }
}
