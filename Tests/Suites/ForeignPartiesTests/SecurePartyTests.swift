import Documents
import ForeignParties
import Foundation
import TestSupport
import Testing

@Suite("A relying party on https")
struct SecurePartyTests {
    /// Runs Touchstone's own relying party behind TLS.
    ///
    /// - Parameters:
    ///   - host: the name in the certificate.
    ///   - use: receives the description's text, and the address.
    private func withSite(
        host: String = "localhost", _ use: (_ text: String, _ address: PartyAddress, _ folder: URL) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let authority = folder.appending(path: "authority.pem").path
        try await Parties.withServer { port in
            let variant = #"{"port": \#(port), "authority": "\#(authority)", "host": "\#(host)"}"#
            try await PythonSite.with("tls_proxy", variant: variant) { site in
                let shipped = try String(contentsOf: Parties.folder.appending(path: "touchstone.yaml"), encoding: .utf8)
                let address = try PartyAddress("https://localhost:\(site.port)")
                let text =
                    shipped.replacing("url: http://localhost:8080", with: "url: \(address)")
                    + "\norigin: http://localhost:\(port)\n"
                try await use(text, address, folder)
            }
        }
    }

    @Test func aCertificateOfAGivenAuthorityIsAccepted() async throws {
        try await withSite { text, address, folder in
            let file = folder.appending(path: "rp.yaml").path
            let party = try ForeignParty(parsing: text + "certificate-authorities: authority.pem\n", file: file)
            let findings = try await Parties.check(party.at(address))
            #expect(findings.subjects(.works) == PartyFinding.Subject.allCases.filter { $0 != .csrf }, "\(findings)")
        }
    }

    @Test func aCertificateOfAnUnknownAuthorityIsRefused() async throws {
        try await withSite { text, address, _ in
            let party = try ForeignParty(parsing: text, file: "rp.yaml").at(address)
            try await expectRefusal(of: party, "TLS failed")
        }
    }

    @Test func aCertificateOfAnotherHostIsRefused() async throws {
        try await withSite(host: "other.example") { text, address, folder in
            let file = folder.appending(path: "rp.yaml").path
            let party = try ForeignParty(parsing: text + "certificate-authorities: authority.pem\n", file: file)
            try await expectRefusal(of: party.at(address), "its certificate names another host")
        }
    }

    @Test(
        arguments: [("garbage\n", "has no certificates in PEM"), ("", "has no certificates in PEM")])
    func aWrongFileOfAuthoritiesIsNamed(content: String, words: String) async throws {
        try await withSite { text, address, folder in
            let wrong = folder.appending(path: "wrong.pem")
            try content.write(to: wrong, atomically: true, encoding: .utf8)
            let file = folder.appending(path: "rp.yaml").path
            let party = try ForeignParty(parsing: text + "certificate-authorities: wrong.pem\n", file: file)
            await #expect { try await Parties.check(party.at(address)) } throws: { error in
                error as? PartyError != nil && "\(error)".hasPrefix("certificate-authorities: the file ")
                    && "\(error)".contains("wrong.pem \(words)")
            }
        }
    }

    @Test func aServerWithoutAnAnswerIsNamedWithTheRequestAndTheLimit() async throws {
        // The system accepts a connection that no program serves.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        try #require(listen(descriptor, 8) == 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        try #require(status == 0)
        let shipped = try String(contentsOf: Parties.folder.appending(path: "touchstone.yaml"), encoding: .utf8)
        let party = try ForeignParty(parsing: shipped + "time-limit: 50 ms\n", file: "rp.yaml")
            .at(try PartyAddress("http://localhost:\(UInt16(bigEndian: address.sin_port))"))
        try await expectRefusal(
            of: party, "did not answer POST /api/v1/auth/accounts within 0.05 seconds; time-limit in")
    }

    @Test func theOtherSchemeIsNamed() async throws {
        try await withSite { text, address, _ in
            let plain = try PartyAddress("\(address)".replacing("https", with: "http"))
            let party = try ForeignParty(parsing: text, file: "rp.yaml").at(plain)
            try await expectRefusal(of: party, "write https:// in its url")
        }
        try await Parties.withServer { port in
            let shipped = try String(contentsOf: Parties.folder.appending(path: "touchstone.yaml"), encoding: .utf8)
            let party = try ForeignParty(parsing: shipped, file: "rp.yaml")
                .at(try PartyAddress("https://localhost:\(port)"))
            try await expectRefusal(of: party, "write http:// where the server has no https")
        }
    }

    private func expectRefusal(of party: ForeignParty, _ words: String) async throws {
        await #expect { try await Parties.check(party) } throws: { error in
            guard case .unreachable(let text)? = error as? PartyError else { return false }
            return text.contains(words)
        }
    }
}
