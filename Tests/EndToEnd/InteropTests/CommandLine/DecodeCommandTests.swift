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
                ("04", 0, "Read as a CTAP2 request"), ("/nonexistent/getinfo.hex", 2, "there is no such file"),
                ("attestaton.cbor", 2, "there is no such file"), ("./attestation", 2, "there is no such file"),
                ("getInfo", 2, "and no file has this name"), ("password", 2, "the input is words"),
                ("06a2010102", 2, "ends inside an item"), ("06a20101026131", 0, "is a text string"),
            ] as [(String, Int32, String)])
        func anArgumentIsADocumentBytesOrAFile(argument: String, status: Int32, words: String) async throws {
            let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            let output = try await touchstone.run("decode", argument)
            #expect(output.status == status)
            #expect((output.standardOutput + output.standardError).contains(words), "\(output)")
        }

        /// An error belongs to `touchstone errors`.
        @Test(
            arguments: [
                ("FIDO_ERR_PIN_INVALID", 2), ("LAError -8", 2), ("PIN is invalid", 2), ("0x80090016", 2),
                ("SW 6A80", 2),
                (#"{"error":"lockout"}"#, 2), ("6A80", 0), ("0x31", 0), ("7F", 0),
                ("NotAllowedError: The operation either timed out or was not allowed", 2),
            ] as [(String, Int32)])
        func anErrorLeadsToTheCommandForIt(argument: String, status: Int32) async throws {
            let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            let output = try await touchstone.run("decode", argument)
            #expect(output.status == status)
            let says = (output.standardOutput + output.standardError).replacing("\n", with: " ")
            #expect(says.contains("`touchstone errors --code "), "\(says)")
        }

        /// 31, 40 and 14 are decimal numbers of other interfaces.
        @Test(arguments: ["31", "40", "14", "36", "6985"])
        func aStatusLeadsToItsOwnCauses(digits: String) async throws {
            let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            let output = try await touchstone.run("decode", digits)
            #expect(output.standardOutput.contains("`touchstone errors --code \"0x\(digits)\"`"), "\(output)")
        }

        @Test("The command of a response is refused where the input is none", arguments: ["06a201020201", "a10308"])
        func idleCommandIsRefused(bytes: String) async throws {
            let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            let output = try await touchstone.run("decode", bytes, "--to", "MakeCredential")
            #expect(output.status == 2)
            #expect(output.standardError.contains("--to MakeCredential has no effect"), "\(output.standardError)")
        }

        @Test func aNegativeNumberLeadsToTheCommandForIt() async throws {
            let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            for command in ["decode", "errors"] {
                let output = try await touchstone.run(command, "-25300")
                #expect(output.status == 2)
                #expect(output.standardError.contains("`touchstone errors --code -25300`"), "\(output.standardError)")
            }
        }

        @Test func aMistypedNameHasTheNearOnesOfItsFolder() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data([4]).write(to: folder.appending(path: "attestation.cbor"))
            let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            let output = try await touchstone.run("decode", folder.appending(path: "attestaton.cbor").path)
            #expect(output.status == 2)
            #expect(output.standardError.contains("there is no such file; did you mean attestation.cbor?"), "\(output)")
        }
    }
}
