import Foundation
import TestSupport
import Testing

/// `touchstone mcp` and the client of PyPI's `mcp`: a coding assistant's work over standard streams and HTTP.
///
/// They run one after the other: browsers have real deadlines, which concurrent load would exceed.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct AssistantTests {
    private static let scripts = Bundle.module.bundleURL.appending(path: "Scripts")
    private static let program = Touchstone(
        beside: .module, runtimeDirectory: FileManager.default.temporaryDirectory
    ).executable

    private func run(_ script: String, _ test: String, _ more: [String: JSON] = [:]) async throws {
        let requested: [String: JSON] = ["program": .text(Self.program.path), "test": .text(test)]
        _ = try await Script.run(script, in: [Self.scripts], requested.merging(more) { $1 })
    }

    private func work(_ work: String, _ transport: String, _ mode: String) async throws {
        try await run(
            "assistant", "assistant",
            ["work": .text(work), "transport": .text(transport), "mode": .text(mode)])
    }

    @Test(
        "A phone is locked out, and signs in after the passcode",
        arguments: [("stdio", "legacy"), ("stdio", "auto"), ("http", "legacy"), ("http", "auto")])
    func lockout(transport: String, mode: String) async throws { try await work("lockout", transport, mode) }

    @Test("Errors are looked up, and wrong calls name the place", arguments: [("stdio", "legacy"), ("http", "auto")])
    func lookup(transport: String, mode: String) async throws { try await work("lookup", transport, mode) }

    @Test("A failing scenario says why", arguments: [("stdio", "auto"), ("http", "legacy")])
    func scenario(transport: String, mode: String) async throws { try await work("scenario", transport, mode) }

    @Test(
        "Conformance cases tell their progress",
        arguments: [("stdio", "legacy"), ("stdio", "auto"), ("http", "legacy"), ("http", "auto")])
    func conformance(transport: String, mode: String) async throws { try await work("conformance", transport, mode) }

    @Test("Tools, resources and prompts are offered", arguments: [("stdio", "legacy"), ("http", "auto")])
    func offers(transport: String, mode: String) async throws { try await work("offers", transport, mode) }

    @Test(
        "A call that waits for the user is given up",
        arguments: [("stdio", "legacy"), ("stdio", "auto"), ("http", "legacy"), ("http", "auto")])
    func cancel(transport: String, mode: String) async throws { try await work("cancel", transport, mode) }

    @Test func aBrowserIsDrivenWithADeviceBehindIt() async throws { try await work("browser", "stdio", "auto") }

    @Test("Requests beside the client's", arguments: ["refusals", "capture", "streams", "end"])
    func wire(test: String) async throws { try await run("wire", test) }
}
