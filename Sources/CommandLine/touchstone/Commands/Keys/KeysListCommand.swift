import ArgumentParser
import CTAP
import Foundation
import KeyBench
import SecurityKeys
import WebAuthn

/// `touchstone keys list`.
struct KeysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys on USB and on NFC readers.")

    private struct Row: Encodable, Hashable {
        let device: String
        let title: String
        let transport: AuthenticatorTransport
        let id: String?
        let path: String?
    }

    private struct Change: Encodable {
        let change: String
        let key: Row
    }

    @OptionGroup var output: OutputOptions

    @Flag(help: "Print each key that is connected or removed, until interrupted; with --json as JSON Lines.")
    var watch = false

    func run() async throws {
        guard !watch else {
            await Interruption.whileUninterrupted { await follow() }
            return
        }
        let rows = try await Self.rows()
        guard !rows.isEmpty || output.json else {
            return Terminal.writeError(
                """
                No key was found on USB or on a reader, or none is accessible (hardware/README.md). A virtual key needs \
                neither: --device virtual:yubikey-5-nfc-5.7, or `touchstone device start yubikey-5-nfc-5.7`; \
                `touchstone profiles list` lists them.
                """)
        }
        try output.write(rows, "DEVICE", "USB ID", "WHERE", "NAME") {
            [$0.device, $0.id ?? "-", $0.path ?? "-", $0.title]
        }
    }

    private static func rows() async throws -> [Row] {
        try await KeyOptions.devices(nil).map { device in
            Row(
                device: device.selector.description, title: device.title, transport: device.transport,
                id: device.usbID, path: device.path)
        }
    }

    /// Polls the keys: neither libfido2 nor every system reports changes.
    private func follow() async {
        var known: Set<Row> = []
        while !Task.isCancelled {
            if let rows = try? await Self.rows() {
                for row in rows where !known.contains(row) { write("came", row) }
                for row in known.subtracting(rows) { write("went", row) }
                known = Set(rows)
            }
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    private func write(_ change: String, _ row: Row) {
        if output.json {
            try? Terminal.writeJSON(Change(change: change, key: row), asOneLine: true)
        } else {
            Terminal.write("\(change)  \(row.device)  \(row.title)")
        }
    }
}
