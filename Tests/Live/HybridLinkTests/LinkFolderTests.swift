import CTAPHybrid
import Foundation
import HybridLink
import TestSupport
import Testing
import VirtualAuthenticator

/// The files of linked phones.
struct LinkFolderTests {
    private let folder: TemporaryFolder
    private let links: LinkFolder

    init() throws {
        folder = try TemporaryFolder()
        links = LinkFolder(path: folder.path("state/links"))
    }

    private static func link(_ name: String = "Ada's phone") throws -> KeptLink {
        let random = SystemRandomSource()
        return KeptLink(
            LinkedPhone(
                domain: .google, contactID: random.bytes(20), linkID: random.bytes(8), linkSecret: random.bytes(32),
                publicKey: try #require(HybridKey(randomBytes: random.bytes)).publicKey, name: name), .thisComputer)
    }

    @Test("A link is read as it was kept, only its owner can read it, and a later one takes its place")
    func keeps() throws {
        for link in [try Self.link(), try Self.link("Other")] {
            try links.keep(link, as: "work")
            #expect(try links.link("work") == link)
        }
        let file = links.path + "/work.json"
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.attributesOfItem(atPath: links.path)[.posixPermissions] as? Int == 0o700)
        #expect(links.names() == ["work"])
        links.forget("work")
        #expect(links.names().isEmpty)
    }

    @Test("A missing link's error names the kept ones")
    func missing() throws {
        #expect(throws: LinkError.missing("work", known: [])) { try links.link("work") }
        try links.keep(try Self.link(), as: "home")
        #expect(throws: LinkError.missing("work", known: ["home"])) { try links.link("work") }
    }

    @Test(
        "A name that is not one, or that of the Bluetooth adapter, is refused",
        arguments: [
            "", ".", "../x", "a/b", "-a", "bluez", "this-computer", "a b", "ü", String(repeating: "a", count: 49),
        ])
    func names(name: String) throws {
        #expect(throws: LinkError.name(name)) { try LinkFolder.check(name) }
        #expect(throws: LinkError.name(name)) { try links.keep(try Self.link(), as: name) }
    }

    @Test(
        "A damaged file is named",
        arguments: [
            ("\"linkSecret\" : \"", "\"linkSecret\" : \"AAAA"), ("\"domain\"", "\"domains\""),
            ("this-computer", "moon"),
            ("{", "["), ("\"publicKey\" : \"A", "\"publicKey\" : \"B"),
        ])
    func damaged(original: String, change: String) throws {
        try links.keep(try Self.link(), as: "work")
        let file = URL(fileURLWithPath: links.path + "/work.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(original))
        try text.replacingOccurrences(of: original, with: change).write(to: file, atomically: false, encoding: .utf8)
        let error = #expect(throws: LinkError.self) { try links.link("work") }
        #expect(error == .unusable(file.path, "it is damaged; remove it, and link the phone again"))
    }

    @Test("A file of other content is not replaced")
    func otherContent() throws {
        try links.keep(try Self.link(), as: "work")
        let file = URL(fileURLWithPath: links.path + "/work.json")
        try "text".write(to: file, atomically: false, encoding: .utf8)
        #expect(throws: LinkError.self) { try links.keep(try Self.link(), as: "work") }
        #expect(try String(contentsOf: file, encoding: .utf8) == "text")
    }
}
