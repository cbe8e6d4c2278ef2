import Foundation
import TestSupport
import Testing

/// What the libraries for tests of other packages need, and what they do without.
@Suite("The libraries' needs", .timeLimit(.minutes(60)))
struct ClosureTests {
    struct Needs: Decodable {
        let rooms: [String]
        let libraries: [String]
        let optionalLibraries: [String]
        /// Products of other packages.
        let packages: [String]
        let plugins: [String]
        /// The lines that use a file, an environment variable, a clock or a thread of the computer.
        let uses: [String]
        /// The number of source files.
        let files: Int
    }

    private static let scripts = Bundle.module.bundleURL.appending(path: "Scripts")

    private static func needs() async throws -> [String: Needs] {
        try await Script.run(
            "closures", in: [scripts], ["root": .text(PackageRoot.url.path)], as: [String: Needs].self)
    }

    /// Pure Swift, and what Apple's systems have: no sockets, databases, YAML, keys or radios; no file, clock or thread.
    @Test func theLibrariesNeedLittle() async throws {
        let products = try await Self.needs()
        #expect(Set(products.keys).isSuperset(of: ["COSE", "RelyingParty", "VirtualAuthenticator", "WebAuthnClient"]))
        for (name, needs) in products {
            #expect(Set(needs.libraries).isSubset(of: ["CZlib"]), "\(name)")
            #expect(Set(needs.optionalLibraries).isSubset(of: ["COpenSSL", "CPSL"]), "\(name)")
            #expect(needs.plugins.isEmpty, "\(name)")
            #expect(needs.uses.isEmpty, "\(name)")
            let usual = ["Crypto", "CryptoExtras", "RealModule", "SwiftASN1", "X509"]
            // The publications of the metadata service are signed tokens.
            let allowed = Set(usual + (name == "MetadataService" ? ["JWTKit"] : []))
            #expect(Set(needs.packages).isSubset(of: allowed), "\(name)")
        }
        let device = try #require(products["DeviceActs"])
        #expect(Set(device.rooms).isSuperset(of: ["DeviceProfiles", "SimulatedDevice", "VirtualAuthenticator"]))
        #expect(device.optionalLibraries == ["COpenSSL", "CPSL"])
        #expect(device.files > 400)
        // Even where an allowed name hides one.
        let absent = ["Machine", "YAMLFiles", "ProfileFiles", "BuiltIns", "Transports", "SecurityKeys", "DeviceStore"]
        #expect(Set(device.rooms).isDisjoint(with: absent))
    }

    struct TypeCheck: Decodable {
        let status: Int
        let output: String
        let failsWithFlag: Bool
        let names: Bool
    }

    /// ``AbsenceTests`` builds and runs them; this is faster.
    @Test(arguments: [("COSE", "COpenSSL"), ("WebAuthnClient", "CPSL")])
    func theSourcesWithoutALibraryAreSound(room: String, library: String) async throws {
        let check = try await Script.run(
            "conditional", in: [Self.scripts],
            [
                "root": .text(PackageRoot.url.path), "room": .text(room), "flag": "SYSTEM_LIBRARIES",
                "library": .text(library),
            ], as: TypeCheck.self)
        #expect(check.status == 0, "\(check.output)")
        #expect(check.failsWithFlag && check.names)
    }

    struct Run: Decodable {
        let status: Int
        let output: String
    }

    @Test(.onlyInVerify)
    func theLibrariesWorkWithTheTraitsOff() async throws {
        let run = try await Script.run(
            "absence", in: [Self.scripts],
            ["root": .text(PackageRoot.url.path), "suites": .texts(["AbsenceTests", "SimulatedPhoneTests"])],
            as: Run.self)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("Suite \"Without the libraries of a trait\" passed"))
    }
}
