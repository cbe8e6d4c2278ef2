import Decoding
import Testing
import Trace

@Suite("The output of fido2-assert")
struct ToolOutputTests {
    private static let head = "\(InputTests.standard(InputTests.hash))\nexample.org"
    private static let data = InputTests.standard(InputTests.wrapped(InputTests.assertion))
    /// The same data with ED and an output of hmac-secret.
    private static let secretData: String = {
        var bytes = InputTests.assertion
        bytes[32] |= 0x80
        bytes += [0xA1, 0x6B] + Array("hmac-secret".utf8) + [0x58, 0x20] + [UInt8](repeating: 0x77, count: 32)
        return InputTests.standard([0x58, UInt8(bytes.count)] + bytes)
    }()
    private static let signature = "MAYCAQECAQI="
    private static let user = InputTests.standard([1, 2, 3])
    private static let key = InputTests.standard([UInt8](repeating: 0xAB, count: 32))

    @Test(
        "The lines after the signature have the names that the options give them",
        arguments: [
            ([data, signature], []), ([data, signature, user], ["userHandle"]),
            ([data, signature, user, key], ["userHandle", "largeBlobKey"]),
            ([data, signature, key], ["userHandle or largeBlobKey"]),
            ([secretData, signature, key], ["hmacSecret"]),
            ([secretData, signature, user, key], ["userHandle", "hmacSecret"]),
            ([secretData, signature, key, key], ["hmacSecret", "largeBlobKey"]),
            ([secretData, signature, user, key, key], ["userHandle", "hmacSecret", "largeBlobKey"]),
        ] as [([String], [String])])
    func names(lines: [String], names: [String]) throws {
        let decoded = try KindTests.decode(([Self.head] + lines).joined(separator: "\n"))
        #expect(decoded.parts.dropFirst(3).map(\.title) == names)
        #expect(decoded.parts.allSatisfy { $0.problems.isEmpty })
        let masked = decoded.parts.map { part in part.masked.fields.flatMap { $0.lines(indent: 0) }.joined() }
        #expect(!masked.joined().contains("abababab"))
    }

    @Test func severalAssertionsFollowEachOther() throws {
        let text = (1...3).map { _ in [Self.head, Self.data, Self.signature, Self.user].joined(separator: "\n") }
        let decoded = try KindTests.decode(text.joined(separator: "\n"))
        #expect(decoded.parts.map(\.title).filter { $0 == "userHandle" }.count == 3)
        #expect(decoded.parts.count == 12)
        #expect(decoded.parts.allSatisfy { $0.problems.isEmpty }, "\(KindTests.described(decoded))")
    }
}
