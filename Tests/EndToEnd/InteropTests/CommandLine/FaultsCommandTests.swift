import DeviceProfiles
import Faults
import Foundation
import ProfileFiles
import TestSupport
import Testing

extension Interop {
    /// `touchstone faults` in a separate process.
    @Suite struct FaultsCommandTests {
        private func run(_ arguments: [String]) async throws -> Touchstone.Output {
            try await Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory).run(
                ["faults", "list"] + arguments)
        }

        private func list(_ arguments: String...) async throws -> [FaultDescription] {
            let output = try await run(["--json"] + arguments)
            return try JSONDecoder().decode([FaultDescription].self, from: Data(output.standardOutput.utf8))
        }

        @Test func theListIsLimitedToALayerAndAParty() async throws {
            let all = Fault.catalogue
            #expect(try await list() == all)
            let packets = try await list("--layer", "transport")
            #expect(!packets.isEmpty && packets == all.filter { $0.layer == .transport })
            let hash = try await list("--noticed-by", "r9", "--layer", "authenticator")
            #expect(hash.map(\.name).contains("rp-id-hash"))
            #expect(hash == all.filter { $0.noticedBy.map(\.rawValue).contains("r9") })
            #expect(try await list("--noticed-by", "r9", "--layer", "transport").isEmpty)
        }

        @Test func theQuirksAreTheProfilesWithFaultsEachWithItsSources() async throws {
            struct Quirk: Decodable {
                let profile: String
                let faults: [String]
                let sources: [String]
            }
            let output = try await Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory).run(
                ["faults", "quirks", "--json"])
            let quirks = try JSONDecoder().decode([Quirk].self, from: Data(output.standardOutput.utf8))
            let library = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
            let faulty = try library.files().map(ProfileLibrary.read).filter { !$0.faults.isEmpty }
            #expect(quirks.map(\.profile).sorted() == faulty.map(\.name).sorted() && !faulty.isEmpty)
            for quirk in quirks { #expect(!quirk.faults.isEmpty && !quirk.sources.isEmpty, "\(quirk.profile)") }
        }

        @Test func anUnknownPartyIsRefused() async throws {
            let output = try await run(["--noticed-by", "r99"])
            #expect(output.status == 2)
            #expect(output.standardError.contains("a step of the ledger such as r9"), "\(output.standardError)")
        }
    }
}
