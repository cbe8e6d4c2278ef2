import Foundation
import TestSupport
import Testing

/// The artifacts that need a release build, made from the source archive where git is missing.
@Suite("A release from its source archive", .onlyInVerify)
struct ReleaseTests {
    private let place: EmptyPlace

    init() throws { place = try EmptyPlace() }

    /// A median of starts that alternate with those of another command, in proportion to that command's.
    private static let starts = """
        import statistics, subprocess, sys, time
        taken = ([], [])
        for _ in range(101):
            for command, times in zip(sys.argv[1:], taken):
                began = time.perf_counter()
                subprocess.run(command.split(), check=True, stdout=subprocess.DEVNULL)
                times.append(time.perf_counter() - began)
        print(statistics.median(taken[1]) / statistics.median(taken[0]))
        """

    private func expectAsQuickly(_ command: String, as release: String) async throws {
        let shown = try await place.expectSuccess(
            "\"$TOUCHSTONE_PYTHON\" -c '\(Self.starts)' '\(release)' '\(command)'")
        let ratio = try #require(Double(shown))
        #expect(ratio < 1.1, "\(command)")
    }

    @Test func theImageAndTheWheelOfABuildWithoutGitRunAndStartAsQuickly() async throws {
        let sources = place.path("sources")
        try await place.make("source", in: sources)
        _ = try await place.expectSuccess("cd \(sources) && tar xzf touchstone-*.tar.gz && rm *.tar.gz")
        let checkout = try await place.expectSuccess("echo \(sources)/touchstone-*")
        // Every program of the system except git, the tools that the tests installed, and no network for the package manager.
        _ = try await place.expectSuccess(
            "mkdir \(place.path("bin")) && ln -s /usr/bin/* \(place.path("bin")) && rm \(place.path("bin"))/git* && "
                + "mkdir \(checkout)/.build && ln -s \"$PWD\"/.build/python \"$PWD\"/.build/python-dist \(checkout)/.build/"
        )
        let swift = try await place.expectSuccess("dirname \"$(command -v swift)\"")
        let made = try await place.shell(
            "cd \(checkout) && env -i HOME=\(place.path("")) PATH=\(swift):\(place.path("bin")) "
                + "TOUCHSTONE_PYTHON=\"$TOUCHSTONE_PYTHON\" http_proxy=\"$http_proxy\" DEB_COMPRESSION='-Zgzip -z1' make dist"
        )
        try #require(made.status == 0, "\(made.standardError)")
        let artifacts = "\(checkout)/.build/dist"
        _ = try await place.expectSuccess("cd \(artifacts) && sha256sum --strict --check SHA256SUMS")

        for (pattern, megabytes) in [("*manylinux*.whl", 40), ("*linux-x64*.tgz", 40), ("*.oci.tar", 120)] {
            let size = try await place.expectSuccess("stat --format %s \(artifacts)/\(pattern)")
            #expect(try #require(Int(size)) <= megabytes * 1_000_000, "\(pattern)")
        }

        let venv = place.path("venv")
        _ = try await place.expectSuccess("\"$TOUCHSTONE_PYTHON\" -m venv \(venv)")
        _ = try await place.expectSuccess("\(venv)/bin/pip install --quiet --no-deps \(artifacts)/*manylinux*.whl")
        try await place.expectSmallTest("\(venv)/bin/touchstone")
        let release = "\(checkout)/.build/release/touchstone"
        try await expectAsQuickly("\(venv)/bin/touchstone --version", as: "\(release) --version")
        try await runImage(artifacts: artifacts, release: release)
    }

    /// Unpacks the image, and runs it as its user.
    private func runImage(artifacts: String, release: String) async throws {
        let image = place.path("image")
        let version = try await place.expectSuccess("\(release) --version")
        _ = try await place.expectSuccess("mkdir \(image) && tar xf \(artifacts)/*.oci.tar -C \(image)")
        _ = try await place.expectSuccess("umoci unpack --image \(image):\(version) \(image)/container")
        let root = "\(image)/container/rootfs"
        let files = Bundle.module.bundleURL.appending(path: "Files").path
        _ = try await place.expectSuccess("cp \(files)/*lockout.yaml \(root)/work/")
        try place.write(
            """
            #!/bin/sh
            exec unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot --userspec=1000:1000 "$0" \\
                /usr/bin/env -i HOME=/work PATH=/usr/bin "$@"' \(root) "$@"
            """, "inside")
        let inside = "sh \(place.path("inside"))"
        let passed = try await place.shell("\(inside) touchstone scenario run /work/lockout.yaml")
        #expect(passed.status == 0 && passed.standardOutput.hasSuffix("1 passed, 0 failed"), "\(passed)")
        let failed = try await place.shell("\(inside) touchstone scenario run /work/wrong-lockout.yaml")
        #expect(failed.status == 1)
        #expect(failed.standardOutput.contains("lockout (line 9): expected none, saw permanent"), "\(failed)")
        #expect(try await place.expectSuccess("\(inside) id -u") == "1000")
        _ = try await place.expectSuccess("cp \(release) \(root)/usr/bin/release")
        try await expectAsQuickly("\(inside) touchstone --version", as: "\(inside) release --version")
    }
}
