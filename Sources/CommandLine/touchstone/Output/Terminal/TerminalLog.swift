import Logging

/// The warnings and errors of a server, on standard error.
struct TerminalLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    static func logger(_ label: String) -> Logger { Logger(label: label) { _ in TerminalLog() } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "; \($0.key): \($0.value)" }
        Terminal.writeError("touchstone: \(event.message)\(values.joined())")
    }
}
