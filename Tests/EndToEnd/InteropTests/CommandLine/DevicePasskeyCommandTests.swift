import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone device export-passkeys` and `import-passkeys`.
    @Suite struct DevicePasskeyCommandTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private var touchstone: Touchstone {
            Touchstone(runtimeDirectory: folder.url.appending(path: "run"))
        }

        /// A document with one passkey.
        private static let document = """
            { "version": { "major": 1, "minor": 0 }, "exporterRpId": "a.example", "exporterDisplayName": "A",
              "timestamp": 1770000000, "accounts": [ { "id": "AQ", "username": "", "email": "", "collections": [],
                "items": [ { "id": "Ag", "title": "", "credentials": [
                  { "type": "passkey", "credentialId": "AQI", "rpId": "example.com", "username": "ada",
                    "userDisplayName": "", "userHandle": "AQ",
                    "key": "MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fIA"
                  } ] } ] } ] }
            """

        /// Runs a device of a profile while `use` runs.
        private func withDevice(_ profile: String, _ use: () async throws -> Void) async throws {
            let device = try touchstone.start(["device", "start", profile, "--udp", "0", "--json"])
            defer { device.terminate() }
            for await line in device.errors where line.contains("listening on udp:") { break }
            try await use()
        }

        /// The status of a command and its text on standard error.
        private func run(_ arguments: String...) async throws -> (status: Int32, errors: String) {
            let program = try touchstone.start(["device"] + arguments)
            defer { program.terminate() }
            let errors = await program.errors.reduce(into: "") { $0 += $1 }
            return (await program.exitStatus(), errors)
        }

        @Test func passkeysTravelThroughAFileThatItsOwnerAloneReads() async throws {
            let (source, vault, damaged) = (
                folder.path("source.json"), folder.path("vault.json"), folder.path("damaged.json")
            )
            try Data(Self.document.utf8).write(to: URL(filePath: source))
            try Data(Self.document.replacing("\"MEEC", with: "\"=EEC").utf8).write(to: URL(filePath: damaged))
            try await withDevice("iphone-face-id") {
                try await withDevice("bitwarden") {
                    let refused = try await run("import-passkeys", damaged, "--name", "iphone-face-id")
                    #expect(refused.status == 2)
                    #expect(
                        refused.errors.contains("\(damaged):6:16: accounts[0].items[0].credentials[0].key: has padding")
                    )
                    #expect(try await run("import-passkeys", source, "--name", "iphone-face-id").status == 0)
                    #expect(try await run("export-passkeys", vault, "--name", "iphone-face-id").status == 0)
                    let mode = try FileManager.default.attributesOfItem(atPath: vault)[.posixPermissions] as? Int
                    #expect(mode == 0o600)
                    #expect(try await run("import-passkeys", vault, "--name", "bitwarden").status == 0)
                    let again = try await run("import-passkeys", vault, "--name", "bitwarden")
                    #expect(again.status == 1 && again.errors.contains("no passkey is new"))
                    let all = try await run("import-passkeys", vault, "--existing", "all", "--name", "bitwarden")
                    #expect(all.status == 2 && all.errors.contains("keep, overwrite"))
                    let act = try await run("do", "import-passkeys", "--name", "bitwarden")
                    #expect(act.status == 2 && act.errors.contains("device import-passkeys FILE"))
                }
            }
        }
    }
}
