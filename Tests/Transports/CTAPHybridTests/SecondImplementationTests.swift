import CTAPHybrid
import Foundation
import TestSupport
import Testing

/// Both ends against a second implementation in Python, which shares no code with them.
@Suite("Another implementation of the hybrid transport", .timeLimit(.minutes(5)))
struct SecondImplementationTests {
    private static func isOld(_ construction: FrameConstruction) -> JSON { .bool(construction == .littleEndian) }
    private static func name(_ revision: HybridRevision) -> JSON { revision == .version20 ? "2.0" : "2.1" }

    @Test func theValuesAreEqual() async throws {
        var generator = SeededGenerator(seed: 50)
        var lines: [String] = []
        var expected: [String] = []
        for round in 0..<200 {
            let (secret, salt) = (generator.bytes(1 + round % 40), generator.bytes(round % 7 * 4))
            let plaintext = [0] + generator.bytes(15)
            let domain = round < 2 ? UInt16(round) : .random(in: 256 ... .max, using: &generator)
            lines.append("." + secret.hex + " ." + salt.hex + " ." + plaintext.hex + " \(domain)\n")
            let advert = EIDKey(secret: secret, clientNonce: salt)
                .seal(try #require(AdvertPlaintext(uncheckedBytes: plaintext)))
            let keys = KeyPurpose.allCases.map { $0.derive(from: secret, salt: salt).hex }
            let host = TunnelDomain(rawValue: domain).host ?? ""
            expected.append((keys + [advert.hex, "." + QRDigits.encode(secret + salt), host]).joined(separator: " "))
        }
        let answers = try await PythonPeer(["role": "values"]).answers(to: lines.joined())
        #expect(answers == expected)
    }

    @Test(arguments: HybridRevision.allCases, FrameConstruction.allCases)
    func itsPhoneAnswersOurOtherEnd(revision: HybridRevision, construction: FrameConstruction) async throws {
        let code = try HybridBench.code()
        let (name, isOld) = (Self.name(revision), Self.isOld(construction))
        let peer = PythonPeer([
            "role": "phone", "seed": "a phone", "revision": name, "old": isOld, "code": .text(code.text),
            "routing": "0a0b0c",
        ])
        var other = HybridInitiator(
            identity: try HybridBench.otherKey(), secret: code.secret, ephemeralKey: try Sample.key(51))
        let phone = try await OtherEndSession(peer).run(&other)
        #expect(phone.url == "wss://cable.wufkweyy3uaxb.com/cable/connect/0A0B0C/\(phone.tunnelID.uppercased())")
        #expect(phone.info == "a20181684649444f5f325f3004a262726bf5627576f5")
        #expect(phone.revision == revision)
        #expect(phone.delivered == [[0, 3, 2, 1]])
        #expect(phone.command == "010203")
        let link = try #require(phone.links.first)
        #expect(link.name == "Python")
        #expect(link.domain.rawValue == 266)

        // The same phone, contacted by its link.
        let nonce = Sample.bytes(16, seed: 52)
        let payload = ClientPayload(linkID: link.linkID, clientNonce: nonce, operation: .getAssertion)
        let linkedPeer = PythonPeer([
            "role": "phone", "seed": "a phone", "revision": name, "old": isOld,
            "contact": .text(payload.headerValue),
        ])
        var linked = HybridInitiator(
            link: link, clientNonce: nonce, operation: .getAssertion, ephemeralKey: try Sample.key(53))
        let second = try await OtherEndSession(linkedPeer).run(&linked)
        #expect(second.url == "wss://cable.wufkweyy3uaxb.com/cable/contact/Y29udGFjdA")
        #expect(second.delivered == [[0, 3, 2, 1]])
        #expect(second.links == [])
    }

    @Test(arguments: [nil] + FrameConstruction.allCases)
    func itsOtherEndDrivesOurPhone(older: FrameConstruction?) async throws {
        let revision: HybridRevision = older == nil ? .version21 : .version20
        let (name, isOld) = (Self.name(revision), Self.isOld(older ?? .bigEndian))
        let configuration = try HybridBench.configuration(
            [.furtherCommands] + (older.map { [.revision20($0)] } ?? []))
        let peer = PythonPeer([
            "role": "other", "seed": "an end", "revision": name, "old": isOld, "linking": .bool(true),
            "command": "02a0",
        ])
        let text = try #require(try await peer.answers(to: "").first)
        let code = try QRContents(text: String(text.dropFirst("code ".count)))
        #expect("code \(code.text)" == text)
        var generator = SeededGenerator(seed: 54)
        var phone = try #require(HybridAuthenticator(scanned: code, configuration) { generator.bytes($0) })
        let result = try await PhoneSession(peer).run(&phone)
        let tunnelID = KeyPurpose.tunnelID.derive(from: code.secret).hex.uppercased()
        #expect(result.value("url") == "wss://cable.ua5v.com/cable/connect/026555/\(tunnelID)")
        #expect(result.value("info") == HybridBench.info.hex)
        #expect(result.value("answer") == "00a002")
        #expect(result.commands == [[2, 0xA0]])
        #expect(result.end == (revision == .version21 ? .shutdown : nil))
        let link = try #require(result.value("link"))

        let linkedPeer = PythonPeer([
            "role": "other", "seed": "a linked end", "revision": name, "old": isOld, "linking": .bool(false),
            "command": "02a0", "link": .text(link),
        ])
        let contact = try #require(try await linkedPeer.answers(to: "").first)
        let payload = try ClientPayload(headerValue: String(contact.dropFirst("contact ".count)))
        #expect(payload.operation == .getAssertion)
        let routingID = try #require(RoutingID([1, 2, 3]))
        let request = TunnelRequest(
            domain: .google, endpoint: .connect(routingID, tunnelID: Sample.bytes(16, seed: 55)))
        let identity = try Sample.identity()
        var linked = try #require(
            HybridAuthenticator(contacted: payload, request, identity: identity, configuration) {
                generator.bytes($0)
            })
        let second = try await PhoneSession(linkedPeer).run(&linked)
        #expect(second.value("answer") == "00a002")
        #expect(second.value("link") == nil)
    }
}
