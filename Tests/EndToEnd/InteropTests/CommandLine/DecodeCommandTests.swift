import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone decode` in a separate process: the kind of its input.
    @Suite struct DecodeCommandTests {
        static let clientData = #"{"type":"webauthn.get","challenge":"AAAAAAAAAAAAAAAAAAAAAA","origin":"https://a.b"}"#

        @Test(
            arguments: [
                (clientData, 0, "Read as client data"),
                (
                    #"{"response":{"clientDataJSON":"e30"},"origin":"https://a.b","challenge":"AAAA"}"#, 0,
                    "Read as a credential"
                ),
                ("04", 0, "Read as a CTAP2 request"), ("/nonexistent/getinfo.hex", 2, "the file does not exist"),
            ] as [(String, Int32, String)])
        func anArgumentIsADocumentBytesOrAFile(argument: String, status: Int32, words: String) async throws {
            let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            let output = try await touchstone.run("decode", argument)
            #expect(output.status == status)
            #expect((output.standardOutput + output.standardError).contains(words), "\(output)")
        }
    }
}
