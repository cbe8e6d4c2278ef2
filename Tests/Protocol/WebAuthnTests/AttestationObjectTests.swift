import CBOR
import TestSupport
import Testing
import WebAuthn

struct AttestationObjectTests {
    @Test func theVectorsParseIntoTheirParts() throws {
        let none = try AttestationObject(parsing: Vectors.attestationObject)
        #expect(none.format == "none")
        #expect(none.statement == [:])
        #expect(none.authenticatorData == Vectors.registrationData)
        #expect(none.encoded == Vectors.attestationObject)

        let packed = try AttestationObject(parsing: Vectors.selfAttestationObject)
        #expect(packed.format == "packed")
        let statement = try packed.statement.asMap("attStmt")
        #expect(statement["alg"] == -7)
        #expect(try statement.required("sig", "sig").asBytes("sig").count == 70)
        #expect(try AuthenticatorData(parsing: packed.authenticatorData).flags.contains(.userVerified))
        #expect(packed.encoded == Vectors.selfAttestationObject)
    }

    @Test func aCompoundStatementIsAnArrayOfStatements() throws {
        let inner: CBOR.Value = ["fmt": "packed", "attStmt": ["alg": -7, "sig": .bytes([1]), "x5c": [.bytes([2])]]]
        let object = AttestationObject(format: "compound", statement: .array([inner, inner]), authenticatorData: [1])
        #expect(try AttestationObject(parsing: object.encoded) == object)
    }

    @Test func membersItDoesNotKnowAreIgnored() throws {
        let bytes = CBOR.encode(["fmt": "none", "attStmt": [:], "authData": .bytes([]), "epAtt": false, 1: 2])
        #expect(try AttestationObject(parsing: bytes).format == "none")
    }

    private static let good: CBOR.Map = ["fmt": "packed", "attStmt": [:], "authData": .bytes([1])]

    private static func changed(_ key: String, _ value: CBOR.Value?) -> CBOR.Value {
        var map = good
        map[key] = value
        return .map(map)
    }

    private static func wrong(_ path: String, _ expected: CBOR.Kind, _ found: CBOR.Kind) -> CBOR.AccessError {
        CBOR.AccessError(problem: .wrongType(expected: expected, found: found), path: path)
    }

    static let wrongMembers: [(value: CBOR.Value, error: CBOR.AccessError)] = [
        ([], wrong("the whole", .map, .array)),
        (.bytes([1]), wrong("the whole", .map, .byteString)),
        (.null, wrong("the whole", .map, .null)),
        ([:], CBOR.AccessError(problem: .missing, path: "fmt")),
        (changed("fmt", nil), CBOR.AccessError(problem: .missing, path: "fmt")),
        (changed("attStmt", nil), CBOR.AccessError(problem: .missing, path: "attStmt")),
        (changed("authData", nil), CBOR.AccessError(problem: .missing, path: "authData")),
        (changed("fmt", .bytes(Array("packed".utf8))), wrong("fmt", .textString, .byteString)),
        (changed("fmt", 1), wrong("fmt", .textString, .unsignedInteger)),
        (changed("authData", "x"), wrong("authData", .byteString, .textString)),
        (changed("authData", [1]), wrong("authData", .byteString, .array)),
        (changed("attStmt", []), wrong("attStmt", .map, .array)),
        (changed("attStmt", .null), wrong("attStmt", .map, .null)),
        (changed("fmt", "compound"), wrong("attStmt", .array, .map)),
    ]

    @Test(arguments: wrongMembers)
    func aMissingOrMistypedMemberIsNamed(value: CBOR.Value, error: CBOR.AccessError) {
        let thrown = #expect(throws: AttestationObject.ParsingError.self) {
            try AttestationObject(parsing: CBOR.encode(value))
        }
        #expect(thrown == .invalidMember(error))
        #expect(thrown?.description == "the attestation object: \(error)")
    }

    static let wrongBytes: [(hex: String, rule: CBOR.Rule, offset: Int)] = [
        ("", .truncated, 0),
        ("a0 00", .trailingBytes, 1),
        ("a1 68 6175746844617461 40 63 666d74", .trailingBytes, 11),
        ("a2 68 6175746844617461 40 63 666d74 60", .unsortedKeys, 11),
        ("a2 63 666d74 60 63 666d74 60", .duplicateKey, 6),
        ("bf 63 666d74 60 ff", .indefiniteLength, 0),
        ("a1 63 666d74 78 04 6e6f6e65", .nonMinimalInteger, 5),
        ("a1 67 61747453746d74 c1 00", .tagNotAllowed, 9),
        ("a1 67 61747453746d74 81 81 81 81 81 81 81 80", .nestingTooDeep, 16),
    ]

    @Test(arguments: wrongBytes)
    func bytesThatAreNotOneCanonicalItemAreRefused(hex: String, rule: CBOR.Rule, offset: Int) {
        #expect(throws: AttestationObject.ParsingError.invalidCBOR(CBOR.DecodingError(rule: rule, offset: offset))) {
            try AttestationObject(parsing: [UInt8](hex: hex))
        }
    }

    @Test func everyTruncationIsRefused() {
        for length in Vectors.attestationObject.indices {
            let error = #expect(throws: AttestationObject.ParsingError.self) {
                try AttestationObject(parsing: Array(Vectors.attestationObject[..<length]))
            }
            guard case .invalidCBOR(let cause) = error else {
                Issue.record("cut after \(length) bytes: \(String(describing: error))")
                continue
            }
            #expect(cause.rule == .truncated)
        }
    }
}
