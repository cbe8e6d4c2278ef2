import ArgumentParser
import Machine
import Trace

/// The trace of a command's devices.
struct TraceOptions: ParsableArguments {
    @Option(
        name: .customLong("trace"),
        help: ArgumentHelp("Record every request and answer in this file, as JSON Lines.", valueName: "file"))
    var path: String?

    @Flag(name: .customLong("trace-secrets"), help: "Keep PIN hashes, tokens and secret outputs in the trace.")
    var keepsSecrets = false

    func validate() throws {
        try OptionRule.need("--trace", path != nil, for: ["--trace-secrets": keepsSecrets])
    }

    /// The recorder of the trace; nil without `--trace`.
    func recorder() throws -> TraceRecorder? {
        guard let path else { return nil }
        let file = try TraceFile(creating: path) { failure in
            Terminal.writeError("touchstone: the trace is incomplete: \(failure)")
        }
        return TraceRecorder(keepsSecrets: keepsSecrets, queue: .shared, onRecord: file.write)
    }
}
