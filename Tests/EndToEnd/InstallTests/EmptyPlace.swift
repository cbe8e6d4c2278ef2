import Foundation
import TestSupport
import Testing

/// An empty folder in which a test installs an artifact, and the small test of each installation.
struct EmptyPlace {
    /// An environment without the settings of the tests.
    static let environment = "env -i PATH=/usr/bin:/bin"

    let touchstone: Touchstone
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("dist")
        touchstone = Touchstone(beside: .module, runtimeDirectory: folder.url.appending(path: "run"))
    }

    func path(_ name: String) -> String { name.isEmpty ? folder.url.path : folder.path(name) }

    func write(_ text: String, _ name: String) throws {
        try (text + "\n").write(toFile: path(name), atomically: true, encoding: .utf8)
    }

    /// Runs a shell line in the package's root.
    func shell(_ line: String) async throws -> Touchstone.Output { try await touchstone.run(shell: line) }

    func expectSuccess(_ line: String) async throws -> String {
        let output = try await shell(line)
        try #require(output.status == 0, "\(line): \(output.standardError) \(output.standardOutput)")
        return output.standardOutput
    }

    /// Makes artifacts of the program of this build, packed quickly.
    func make(_ parts: String, in folder: String, environment: String = "") async throws {
        _ = try await expectSuccess(
            "\(environment) DIST_COMPRESSION=1 DEB_COMPRESSION='-Zgzip -z1' \"$TOUCHSTONE_PYTHON\" scripts/dist.py "
                + "\(touchstone.executable.path) \(folder) \(parts)")
    }

    /// The folder with the wheels and npm packages of the program of this build, which are made once.
    static let packages = Task {
        let folder = PackageRoot.url.appending(path: ".build/dist-of-tests").path
        try await EmptyPlace().make("wheel npm", in: folder)
        return folder
    }

    /// Expects that a lockout passes, and that a wrong expectation of it fails with its line.
    ///
    /// - Parameter directory: The working directory; default: the file system's root.
    func expectSmallTest(_ command: String, in directory: String = "/") async throws {
        let run = "cd \(directory) && \(Self.environment) HOME=\(path("")) \(command) scenario run"
        let files = Bundle.module.bundleURL.appending(path: "Files").path
        let passed = try await shell("\(run) \(files)/lockout.yaml")
        #expect(passed.status == 0 && passed.standardOutput.hasSuffix("1 passed, 0 failed"), "\(passed)")
        let failed = try await shell("\(run) \(files)/wrong-lockout.yaml")
        #expect(failed.status == 1, "\(failed)")
        #expect(failed.standardOutput.contains("lockout (line 9): expected none, saw permanent"), "\(failed)")
    }
}
