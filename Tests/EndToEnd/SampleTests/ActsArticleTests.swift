import Foundation
import TestSupport
import Testing

@Suite("The article about acts")
struct ActsArticleTests {
    private static let room = PackageRoot.url.appending(path: "Sources/Devices/SimulatedPhone")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: room.appending(path: path), encoding: .utf8)
    }

    /// The names of the public declarations of a file that a pattern finds.
    private static func names(_ path: String, _ pattern: Regex<(Substring, Substring)>) throws -> Set<String> {
        Set(try text(path).matches(of: pattern).map { String($0.output.1) })
    }

    @Test("lists each act of the user and each choice")
    func members() throws {
        let article = try Self.text("Documentation.docc/Acts.md")
        let choices = "AuthenticationServices/Performing/SignInChoice.swift"
        for path in ["Person/PersonAct.swift", choices] {
            let names = try Self.names(path, /public static (?:let|func) (\w+)/)
            #expect(names.count > 6)
            for name in names where name != "gate" { #expect(article.contains("`.\(name)"), "\(name)") }
        }
    }

    @Test("lists each act of the phone")
    func methods() throws {
        let article = try Self.text("Documentation.docc/Acts.md")
        let acts = try FileManager.default.contentsOfDirectory(atPath: Self.room.appending(path: "Acts").path)
        #expect(acts.count > 6)
        let files =
            acts.map { "Acts/\($0)" } + ["Phone.swift", "AuthenticationServices/Performing/Phone+Authorizations.swift"]
        for path in files {
            for name in try Self.names(path, /public func (\w+)/) where name != "hasPasskey" {
                #expect(article.contains("\(name)()"), "\(name) of \(path)")
            }
        }
    }
}
