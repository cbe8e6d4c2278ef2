import CTAPHybrid
import Foundation
import TestSupport
import Testing

/// The peer of `hybrid_peer.py`.
///
/// Its answers depend on its options and the messages that it received, so each exchange runs it again from the start.
struct PythonPeer {
    private let options: [String: JSON]

    init(_ options: [String: JSON]) { self.options = options }

    /// The answers to messages, one in a line each.
    func answers(to messages: String) async throws -> [String] {
        let script = try #require(
            Bundle.module.url(forResource: "hybrid_peer", withExtension: "py", subdirectory: "Scripts"))
        let text = try String(contentsOf: script, encoding: .utf8)
        let arguments = [String(decoding: try JSONEncoder().encode(options), as: UTF8.self)]
        return try await Python.run(script: text, arguments: arguments, standardInput: messages)
            .lines.map(String.init)
    }
}

/// A phone of the peer, and our other end.
struct OtherEndSession {
    struct Result {
        var url: String?
        var tunnelID = ""
        var info: String?
        var revision: HybridRevision?
        var delivered: [[UInt8]] = []
        var command: String?
        var links: [LinkedPhone] = []
    }

    private let peer: PythonPeer
    private var sent = ""
    private var seen = 0
    private var result = Result()

    init(_ peer: PythonPeer) { self.peer = peer }

    /// Connects, and sends the command 01 02 03.
    func run(_ other: inout HybridInitiator) async throws -> Result {
        var session = self
        session.perform(other.start())
        try await session.exchange(&other)
        session.perform(other.handle(.tunnelOpened(signalsConnection: false)))
        try await session.exchange(&other)
        session.perform(other.handle(.send([1, 2, 3])))
        try await session.exchange(&other)
        session.perform(other.handle(.close))
        return session.result
    }

    private mutating func exchange(_ other: inout HybridInitiator) async throws {
        let answers = try await peer.answers(to: sent)
        for answer in answers.dropFirst(seen) {
            let words = answer.split(separator: " ").map(String.init)
            switch words[0] {
            case "advert": perform(other.handle(.advert([UInt8](hex: words[1]))))
            case "frame": perform(other.handle(.frame([UInt8](hex: words[1]))))
            case "tunnel": result.tunnelID = words[1]
            case "command": result.command = words[1]
            default: Issue.record("the peer says \(answer)")
            }
        }
        seen = answers.count
    }

    private mutating func perform(_ actions: [HybridInitiator.Action]) {
        for action in actions {
            switch action {
            case .openTunnel(let request): result.url = request.url
            case .send(let frame): sent += frame.hex + "\n"
            case .ready(let info, let revision): (result.info, result.revision) = (info?.hex, revision)
            case .deliver(let answer): result.delivered.append(answer)
            case .keep(let link): result.links.append(link)
            case .close(.finished): break
            default: Issue.record("the other end's action is \(action)")
            }
        }
    }
}

/// The peer as the other end, and our phone.
struct PhoneSession {
    struct Result {
        var answers: [String] = []
        var commands: [[UInt8]] = []
        var end: HybridEnd?

        /// The value of the peer's first answer with a name.
        func value(_ name: String) -> String? {
            answers.first { $0.hasPrefix(name + " ") }.map { String($0.dropFirst(name.count + 1)) }
        }
    }

    private let peer: PythonPeer
    private var sent = ""
    private var result = Result()

    init(_ peer: PythonPeer) { self.peer = peer }

    /// Connects, and answers each command with its bytes in reverse order.
    func run(_ phone: inout HybridAuthenticator) async throws -> Result {
        var session = self
        session.result.answers = try await peer.answers(to: "")
        _ = phone.start()
        session.perform(phone.handle(.tunnelOpened(routingID: HybridBench.routingID)), &phone)
        // The handshake, the command, and the shutdown.
        for _ in 0..<3 { try await session.exchange(&phone) }
        return session.result
    }

    private mutating func exchange(_ phone: inout HybridAuthenticator) async throws {
        let answers = try await peer.answers(to: sent)
        for answer in answers.dropFirst(result.answers.count) where answer.hasPrefix("frame ") {
            perform(phone.handle(.frame([UInt8](hex: String(answer.dropFirst("frame ".count))))), &phone)
        }
        result.answers = answers
    }

    private mutating func perform(_ actions: [HybridAuthenticator.Action], _ phone: inout HybridAuthenticator) {
        for action in actions {
            switch action {
            case .advertise(let advert): sent += advert.serviceData.hex + "\n"
            case .send(let frame, _): sent += frame.hex + "\n"
            case .perform(let command):
                result.commands.append(command)
                perform(phone.handle(.answer([0] + command.reversed())), &phone)
            case .close(let end): result.end = end
            case .stopAdvertising, .ready, .apply: break
            default: Issue.record("the phone's action is \(action)")
            }
        }
    }
}
