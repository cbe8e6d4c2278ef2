import ArgumentParser
import CTAP
import KeyBench
import SecurityKeys

/// `touchstone keys list`.
struct KeysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys that are plugged in or lie on a reader.")

    /// A key that is here.
    private struct Row: Encodable {
        let device: String
        let title: String
        let transport: String
        let id: String?
        let path: String?
    }

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let rows = try await KeyOptions.devices(nil).map { device in
            Row(
                device: device.selector.description, title: device.title, transport: device.transport,
                id: device.usbID, path: device.path)
        }
        if json { return try Terminal.writeJSON(rows) }
        guard !rows.isEmpty else {
            return Terminal.writeError(
                "No key is plugged in or lies on a reader, or none may be used (hardware/README.md).")
        }
        var table = TextTable("DEVICE", "USB ID", "WHERE", "WHAT IT CALLS ITSELF")
        for row in rows { table.add(row.device, row.id ?? "-", row.path ?? "-", row.title) }
        table.lines.forEach { Terminal.write($0) }
    }
}
