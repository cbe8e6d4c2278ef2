import ArgumentParser
import DeviceHost

/// The QR codes that a device scans after its start.
struct ScanOptions: ParsableArguments {
    @Option(
        name: .customLong("scan"),
        help: ArgumentHelp(
            "Scan a QR code after the start: FIDO:/…, a PNG file, or - for standard input. Several are scanned in order.",
            valueName: "code"))
    var codes: [String] = []

    @Flag(
        name: .customLong("scan-screen"),
        help: "Scan the code on the screen of `touchstone browser --hybrid` after the start.")
    var screen = false

    var isAsked: Bool { screen || !codes.isEmpty }

    private var arguments: CodeArguments {
        get throws { try CodeArguments.parse(codes.map(\.self) + (screen ? ["--screen"] : [])) }
    }

    func validate() throws { _ = try arguments }

    /// Lets a started device scan the codes.
    func scan(_ host: DeviceHost) async {
        guard isAsked else { return }
        do {
            try await arguments.forEach { code, place in
                do {
                    let answer = try await host.perform(.scan(code: code, at: place)).answer
                    Terminal.writeError(answer ?? "")
                } catch {
                    Terminal.writeError("\(error)")
                }
            }
        } catch {
            Terminal.writeError("\(error)")
        }
    }
}
