import CBOR
import CTAP

/// Changes in the forms that most of them have.
extension WireChange {
    /// Changes the members of each successful response to a command; a subcommand limits it further.
    static func response(
        _ name: String, _ cases: [String], to command: CTAPCommand, _ subcommand: Int? = nil,
        _ edit: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> WireChange {
        WireChange(name, cases) { turn in
            let answer = try await turn.passed()
            guard turn.command == command, subcommand == nil || turn.subcommand == subcommand, answer.first == 0,
                case .map(var map)? = try? CBOR.decode(answer, from: 1, options: .lenient)
            else { return answer }
            edit(&map)
            return [0] + (map.isEmpty ? [] : CBOR.encode(.map(map)))
        }
    }

    /// Changes the parameters of each request of a command before the authenticator gets them.
    static func request(
        _ name: String, _ cases: [String], of command: CTAPCommand, _ subcommand: Int? = nil,
        _ edit: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> WireChange {
        WireChange(name, cases) { turn in
            guard turn.command == command, subcommand == nil || turn.subcommand == subcommand,
                // A malformed message stays as it is.
                case .map(var map)? = try? CBOR.decode(turn.message, from: 1)
            else { return try await turn.passed() }
            let before = map
            edit(&map)
            return map == before ? try await turn.passed() : try await turn.passed(map)
        }
    }

    /// Replaces one status by another, at one command or at each.
    static func status(
        _ cases: [String], _ from: CTAPStatus, as to: CTAPStatus, of command: CTAPCommand? = nil
    ) -> WireChange {
        WireChange("\(from.name ?? "") becomes \(to.name ?? "")", cases) { turn in
            let answer = try await turn.passed()
            guard answer.first == from.rawValue, command == nil || command == turn.command else { return answer }
            return [to.rawValue] + answer.dropFirst()
        }
    }

    /// Changes the members of getInfo.
    static func info(
        _ name: String, _ cases: [String], _ edit: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> WireChange { response(name, cases, to: .getInfo, nil, edit) }

    /// Changes an option in getInfo.
    static func option(_ option: String, _ value: Bool?, _ cases: [String]) -> WireChange {
        let words = value.map { "\($0)" } ?? "absent"
        return info("getInfo has \(option): \(words)", cases) { (info: inout CBOR.Map) in
            guard case .map(var options)? = info[0x04] else { return }
            options[option] = value.map { CBOR.Value.bool($0) }
            info[0x04] = .map(options)
        }
    }
}
