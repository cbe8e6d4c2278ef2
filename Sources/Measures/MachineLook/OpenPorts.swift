internal import Foundation
internal import MachineNeeds

/// The ports that programs of this computer have opened, from Linux's tables (proc_pid_net(5)).
enum OpenPorts {
    /// A program with an open port.
    struct Owner: Hashable {
        /// Its name and number; nil where this user may not read them.
        let name: String?
    }

    /// The program that has a port on 127.0.0.1; nil for a free port.
    static func owner(of port: Int, _ carrier: UsualPort.Carrier) -> Owner? {
        let table = carrier.rawValue.lowercased()
        let texts = ["/proc/net/\(table)", "/proc/net/\(table)6"].compactMap {
            try? String(contentsOfFile: $0, encoding: .utf8)
        }
        let sockets = texts.flatMap { inodes(onPort: port, of: carrier, in: $0) }
        guard !sockets.isEmpty else { return nil }
        return Owner(name: process(withSocketsOf: Set(sockets)))
    }

    /// The numbers of the sockets in a table that take a port of 127.0.0.1.
    static func inodes(onPort port: Int, of carrier: UsualPort.Carrier, in table: String) -> [String] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 9 else { return nil }
            let place = words[1].split(separator: ":")
            guard place.count == 2, Int(place[1], radix: 16) == port, isLocal(place[0]) else { return nil }
            // The state 0A is LISTEN; a socket of UDP has no such state.
            guard carrier == .udp || words[3] == "0A" else { return nil }
            return String(words[9])
        }
    }

    /// Whether an address is 127.0.0.1 or stands for every address, as words of 32 bits in the computer's order.
    private static func isLocal(_ address: Substring) -> Bool {
        let loopback = "0100007F"
        return address.allSatisfy { $0 == "0" } || address == loopback
            || address == "0000000000000000FFFF0000" + loopback
    }

    private static func process(withSocketsOf inodes: Set<String>) -> String? {
        let links = Set(inodes.map { "socket:[\($0)]" })
        let files = FileManager.default
        for id in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(id) != nil {
            let folder = "/proc/\(id)/fd"
            let hasSocket = ((try? files.contentsOfDirectory(atPath: folder)) ?? [])
                .contains {
                    (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")).map(links.contains) == true
                }
            guard hasSocket else { continue }
            let name = ProcessNames.name(of: id)
            return name.map { "\($0), process \(id)" } ?? "process \(id)"
        }
        return nil
    }
}

/// The names of this computer's processes.
enum ProcessNames {
    static func name(of id: String) -> String? {
        (try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8))?.trimmingCharacters(in: .newlines)
    }

    /// Whether a process of this name runs.
    static func contain(_ name: String) -> Bool {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return ids.contains { Int($0) != nil && self.name(of: $0) == name }
    }
}
