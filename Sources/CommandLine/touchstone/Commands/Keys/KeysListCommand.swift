import ArgumentParser
import CTAP
import Foundation
import KeyBench
import SecurityKeys

/// `touchstone keys list`.
struct KeysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys that are plugged in or lie on a reader.")

    /// A key that is here.
    private struct Row: Encodable, Hashable {
        let device: String
        let title: String
        let transport: String
        let id: String?
        let path: String?
    }

    /// A key that came or went.
    private struct Change: Encodable {
        let change: String
        let key: Row
    }

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Go on and tell which keys come and go, until interrupted; with --json one line each.")
    var watch = false

    func run() async throws {
        guard !watch else {
            await Interruption.whileUninterrupted { await follow() }
            return
        }
        let rows = try await Self.rows()
        if json { return try Terminal.writeJSON(rows) }
        guard !rows.isEmpty else {
            return Terminal.writeError(
                "No key is plugged in or lies on a reader, or none may be used (hardware/README.md).")
        }
        var table = TextTable("DEVICE", "USB ID", "WHERE", "WHAT IT CALLS ITSELF")
        for row in rows { table.add(row.device, row.id ?? "-", row.path ?? "-", row.title) }
        table.lines.forEach { Terminal.write($0) }
    }

    private static func rows() async throws -> [Row] {
        try await KeyOptions.devices(nil).map { device in
            Row(
                device: device.selector.description, title: device.title, transport: device.transport,
                id: device.usbID, path: device.path)
        }
    }

    /// Looks again and again: neither libfido2 nor every system tells of changes by itself.
    private func follow() async {
        var known: Set<Row> = []
        while !Task.isCancelled {
            if let rows = try? await Self.rows() {
                for row in rows where !known.contains(row) { tell("came", row) }
                for row in known.subtracting(rows) { tell("went", row) }
                known = Set(rows)
            }
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    private func tell(_ change: String, _ row: Row) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if json, let line = try? encoder.encode(Change(change: change, key: row)) {
            Terminal.write(String(decoding: line, as: UTF8.self))
        } else {
            Terminal.write("\(change)  \(row.device)  \(row.title)")
        }
    }
}
