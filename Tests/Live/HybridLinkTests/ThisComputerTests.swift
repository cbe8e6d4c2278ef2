import CTAP
import CTAPHybrid
import Foundation
import HybridTunnel
import Radio
import TestSupport
import Testing
import VirtualAuthenticator

@testable import HybridLink

/// The way between two programs of this computer: a radio over UDP, and a file that leads to the phone's tunnel service.
struct ThisComputerTests {
    private static let request: [UInt8] = [2, 0xA0]
    private static let answer: [UInt8] = [0, 0xA0]

    private let folder: TemporaryFolder
    private let radio = {
        var configuration = UDPRadio.Configuration()
        // Other programs seldom use these.
        configuration.port = Int.random(in: 20_000..<30_000)
        return configuration
    }()

    init() throws { folder = try TemporaryFolder() }

    private var tunnels: TunnelFolder { TunnelFolder(path: folder.path("run/tunnels")) }

    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: tunnels.path)) ?? [] }

    private func way() async throws -> HybridWay { try await .onThisComputer(folder: tunnels, radio: radio) }

    private static func code() throws -> ScannedPhone.Code {
        try #require(
            ScannedPhone.Code(
                operation: .getAssertion, now: 1_800_000_000, randomBytes: SystemRandomSource().bytes))
    }

    private func scan(_ code: ScannedPhone.Code, over way: HybridWay) async throws -> HybridEnd {
        try await PhoneConnection.run(
            scanned: code.contents, as: PhoneConfiguration(info: [0xA0]), device: AnsweringDevice(answer: Self.answer),
            way: way, randomBytes: SystemRandomSource().bytes, pass: { _ in })
    }

    @Test("The other end finds each of a process's phones, and each file ends with its connection")
    func twoPhones() async throws {
        let (phones, other) = (try await way(), try await way())
        for _ in 0..<2 {
            let code = try Self.code()
            async let end = scan(code, over: phones)
            let phone = try await ScannedPhone.connect(code, way: other)
            #expect(files.count == 1)
            #expect(try FileManager.default.attributesOfItem(atPath: tunnels.path)[.posixPermissions] as? Int == 0o700)
            for file in files {
                let path = "\(tunnels.path)/\(file)"
                #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            }
            #expect(try await phone.transceive(Self.request) == Self.answer)
            #expect(try await end == .finished)
            #expect(files.isEmpty)
        }
        await phones.close()
        await other.close()
    }

    @Test("A linked phone is reached through its file, which ends when it no longer waits for contacts")
    func linked() async throws {
        let (phones, other) = (try await way(), try await way())
        let random = SystemRandomSource().bytes
        let identity = try #require(PhoneIdentity(rootSecret: random(32), contactID: random(20), name: "phone"))
        let contacts = try await #require(phones.contacts).contacts(of: identity.contactID)
        #expect(files.count == 1 && files.allSatisfy { $0.hasPrefix("contact-") })
        let (ends, ended) = AsyncStream.makeStream(of: HybridEnd.self)
        let answering = Task {
            for await contact in contacts {
                let end = try await PhoneConnection.run(
                    contacted: contact, identity: identity, as: PhoneConfiguration(info: [0xA0]),
                    device: AnsweringDevice(answer: Self.answer), way: phones, randomBytes: random, pass: { _ in })
                ended.yield(end)
            }
        }
        let linkID = random(LinkingInformation.linkIDLength)
        let link = LinkedPhone(
            domain: .google, contactID: identity.contactID, linkID: linkID, linkSecret: identity.linkSecret(linkID),
            publicKey: identity.key.publicKey, name: "phone")
        let phone = try await ScannedPhone.connect(link, operation: .getAssertion, way: other, randomBytes: random)
        #expect(try await phone.transceive(Self.request) == Self.answer)
        for await end in ends {
            #expect(end == .finished)
            break
        }
        answering.cancel()
        while !files.isEmpty { await Task.yield() }
        await phones.close()
        await other.close()
    }

    @Test("A phone that scans the code of another phone leaves its file", arguments: [true, false])
    func oneCode(isSameProcess: Bool) async throws {
        let request = TunnelRequest(domain: .google, endpoint: Self.endpoint)
        // Another process has another service.
        let first = TunnelsOfThisComputer(folder: tunnels)
        let second = isSameProcess ? first : TunnelsOfThisComputer(folder: tunnels)
        let connection = try await first.open(request)
        if isSameProcess {
            await #expect(throws: TunnelError.refused(status: 409, location: nil)) { try await second.open(request) }
            #expect(files.count == 1)
            connection.close()
        } else {
            let other = try await second.open(request)
            connection.close()
            #expect(files.count == 1)
            other.close()
        }
        #expect(files.isEmpty)
        await first.stop()
        await second.stop()
    }

    @Test("A later reader of contacts keeps its file when the former one ends")
    func laterReader() async throws {
        let phones = TunnelsOfThisComputer(folder: tunnels)
        let contactID = [UInt8](repeating: 9, count: 20)
        let former = try await phones.contacts(of: contactID)
        let later = try await phones.contacts(of: contactID)
        // The service ends the former reader's stream.
        for await _ in former {}
        #expect(files.count == 1)
        let link = ClientPayload(linkID: [1, 2, 3, 4, 5, 6, 7, 8], clientNonce: Self.id, operation: nil)
        let request = TunnelRequest(
            domain: .google, endpoint: .contact(contactID: contactID), clientPayload: link)
        let connection = try await TunnelsOfThisComputer(folder: tunnels).open(request)
        for await contact in later {
            #expect(contact.payload == link)
            break
        }
        connection.close()
        await phones.stop()
    }

    @Test("After a restart of the phone's process, its links lead to no tunnel, or to one that answers 410")
    func restarted() async throws {
        let random = SystemRandomSource().bytes
        let contactID = random(20)
        let request = TunnelRequest(
            domain: .google, endpoint: .contact(contactID: contactID),
            clientPayload: ClientPayload(
                linkID: random(LinkingInformation.linkIDLength), clientNonce: Self.id, operation: nil))
        let before = TunnelsOfThisComputer(folder: tunnels)
        let contacts = try await before.contacts(of: contactID)
        let waiting = Task { for await _ in contacts {} }
        waiting.cancel()
        await waiting.value
        await before.stop()
        let other = TunnelsOfThisComputer(folder: tunnels)
        await #expect(throws: TunnelError.noPhone) { try await other.open(request) }
        // The file of a killed process leads to the new one, which has another identity.
        let service = try await TunnelService.start()
        try tunnels.write(TunnelPlace(of: service), for: request.endpoint)
        await #expect(throws: TunnelError.refused(status: TunnelRequest.goneStatus, location: nil)) {
            try await other.open(request)
        }
        await service.stop()
    }

    private static let id = [UInt8](repeating: 7, count: 16)
    private static let endpoint = TunnelRequest.Endpoint.new(tunnelID: id)

    private func open(_ opener: TunnelsOfThisComputer) async throws {
        let routing = try #require(RoutingID([1, 2, 3]))
        let request = TunnelRequest(domain: .google, endpoint: .connect(routing, tunnelID: Self.id))
        _ = try await opener.open(request)
    }

    /// The error of the other end.
    private func refusal() async throws -> TunnelError? {
        await #expect(throws: TunnelError.self) { try await open(TunnelsOfThisComputer(folder: tunnels)) }
    }

    private func write(_ text: String) throws {
        let path = tunnels.file(of: Self.endpoint)
        try FileManager.default.createDirectory(
            atPath: tunnels.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    @Test("Without a file, no phone waits")
    func missing() async throws {
        #expect(try await refusal() == .noPhone)
        try FileManager.default.createDirectory(
            atPath: tunnels.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #expect(try await refusal() == .noPhone)
    }

    @Test(
        "A damaged file is named",
        arguments: [
            "", "[]", "{", #"{"port":0,"authority":"AA==","process":1}"#,
            #"{"port":65536,"authority":"AA==","process":1}"#,
            #"{"port":1,"authority":"","process":1}"#, #"{"port":1,"authority":"AA==","process":0}"#,
            #"{"port":1,"authority":"?","process":1}"#, String(repeating: " ", count: 20_000),
        ])
    func damaged(text: String) async throws {
        try write(text)
        guard case .unusable(let reason)? = try await refusal() else {
            Issue.record("the file is used")
            return
        }
        #expect(reason.contains(tunnels.file(of: Self.endpoint)) && reason.contains("damaged"))
    }

    @Test(
        "A link, another user's file and an open folder are refused",
        .enabled(if: geteuid() == 0, "only root gives files away"))
    func untrusted() async throws {
        let path = tunnels.file(of: Self.endpoint)
        func expectRefusal(_ words: String) async throws {
            guard case .unusable(let reason)? = try await refusal() else {
                Issue.record("\(words): the file is used")
                return
            }
            #expect(reason.contains(words))
        }
        try write("{}")
        #expect(chown(path, 12_345, 12_345) == 0)
        try await expectRefusal("another user")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
        try await expectRefusal("symbolic link")
        #expect(chmod(tunnels.path, 0o755) == 0)
        try await expectRefusal("other users can enter it")
        #expect(chmod(tunnels.path, 0o700) == 0)
        #expect(chown(tunnels.path, 12_345, 12_345) == 0)
        try await expectRefusal("another user")
    }

    /// The number of a process that has ended.
    private static func endedProcess() throws -> Int32 {
        let process = try Process.run(URL(fileURLWithPath: "/bin/true"), arguments: [])
        process.waitUntilExit()
        return process.processIdentifier
    }

    @Test("The file of a killed program means that no phone waits, and the next phone removes it")
    func stale() async throws {
        try write(#"{"port":1,"authority":"AA==","process":\#(try Self.endedProcess())}"#)
        #expect(try await refusal() == .noPhone)
        let tunnels = TunnelsOfThisComputer(folder: tunnels)
        let request = TunnelRequest(
            domain: .google, endpoint: .new(tunnelID: [UInt8](repeating: 8, count: 16)))
        let connection = try await tunnels.open(request)
        #expect(files.map { $0.prefix(2) } == ["08"])
        connection.close()
        #expect(files.isEmpty)
        await tunnels.stop()
    }

    @Test("A port at which another program answers is not trusted")
    func otherService() async throws {
        let random = SystemRandomSource().bytes
        let other = try TunnelAuthority(hosts: TunnelDomain.assignedHosts, now: Date())
        let expected = try TunnelAuthority(hosts: TunnelDomain.assignedHosts, now: Date())
        let service = try await TunnelService.start(authority: other, random: random)
        let certificate = Data(expected.certificate).base64EncodedString()
        try write(#"{"port":\#(service.port),"authority":"\#(certificate)","process":\#(getpid())}"#)
        guard case .unreachable? = try await refusal() else {
            Issue.record("the service is trusted")
            return
        }
        await service.stop()
    }
}
