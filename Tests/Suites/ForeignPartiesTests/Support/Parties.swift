import DeviceProfiles
import Documents
import ForeignParties
import Foundation
import Machine
import ProfileFiles
import RelyingPartyServer
import TestSupport
import YAMLFiles

/// The descriptions and profiles that these tests share.
enum Parties {
    static let folder = PackageRoot.url.appending(path: "relying-parties")
    static let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)

    static var files: [String] {
        get throws { try ResourceFiles.yamlFiles(in: folder.path) }
    }

    /// A shipped description at a port of this computer.
    static func shipped(_ name: String, port: Int) throws -> ForeignParty {
        try PartyLibrary.read(folder.appending(path: "\(name).yaml").path)
            .at(try PartyAddress("http://localhost:\(port)"))
    }

    /// A description as text, at a port of this computer.
    static func party(_ text: String, port: Int = 80) throws -> ForeignParty {
        try ForeignParty(parsing: text, file: "rp.yaml").at(try PartyAddress("http://localhost:\(port)"))
    }

    /// Checks with a phone.
    static func check(_ party: ForeignParty, device: String = "pixel-fingerprint") async throws -> [PartyFinding] {
        try await PartyCheck.run(party, profile: try profiles.profile(device))
    }

    /// Runs Touchstone's own relying party, and stops it afterwards.
    static func withServer<Result>(_ use: (Int) async throws -> Result) async throws -> Result {
        var configuration = RelyingPartyConfiguration()
        configuration.port = 0
        configuration.passwordCost = .ofMadeUpAccounts
        let server = try await RelyingPartyServer.start(configuration)
        do {
            let result = try await use(server.port)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }
}

extension [PartyFinding] {
    /// The subjects with an outcome.
    func subjects(_ outcome: PartyFinding.Outcome) -> [PartyFinding.Subject] {
        filter { $0.outcome == outcome }.map(\.subject)
    }
}
