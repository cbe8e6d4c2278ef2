import Foundation
import TestSupport
import Testing

/// `make install` and `make package`, with the program of this build in place of a release.
@Suite("The installed program", .serialized)
struct InstallTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "install-\(UUID().uuidString)")
    private let touchstone: Touchstone

    init() throws {
        touchstone = Touchstone(beside: .module, runtimeDirectory: folder.appending(path: "run"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Runs a shell line in the package's root.
    private func shell(_ line: String) async throws -> Touchstone.Output {
        try await touchstone.run(shell: line)
    }

    private func expectSuccess(_ line: String) async throws -> String {
        let output = try await shell(line)
        try #require(output.status == 0, "\(line): \(output.standardError) \(output.standardOutput)")
        return output.standardOutput
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Without BINARY, the recipes get the release build in their environment.
    @Test func makeInstallsTheReleaseBuildByDefault() async throws {
        defer { remove() }
        let values = try await expectSuccess("unset BINARY; make --print-data-base --dry-run help")
        #expect(values.split(separator: "\n").contains("BINARY = .build/release/touchstone"))
    }

    @Test func makeInstallPutsProgramPagesAndCompletionsBelowTheStagingFolder() async throws {
        defer { remove() }
        let make = "BINARY=\(touchstone.executable.path) DESTDIR=\(folder.path) PREFIX=/opt/touchstone"
        _ = try await expectSuccess("make install \(make)")
        let root = folder.appending(path: "opt/touchstone").path
        // It runs anywhere, with its own files.
        let version = try await expectSuccess("cd / && \(root)/bin/touchstone --version")
        #expect(try await expectSuccess("cd / && \(root)/bin/touchstone relying-party list").contains("touchstone"))
        #expect(try await expectSuccess("cd / && \(root)/bin/touchstone scenario run user-cancel").contains("1 passed"))
        // It has no symbols.
        #expect(try await expectSuccess("readelf --sections --wide \(root)/bin/touchstone").contains(".text"))
        #expect(try await !expectSuccess("readelf --sections --wide \(root)/bin/touchstone").contains(".symtab"))

        let provider = "\(root)/lib/touchstone/libtouchstone-key.so"
        #expect(try await expectSuccess("readelf --dyn-syms --wide \(provider)").contains("sk_api_version"))

        let page = try await expectSuccess("gzip -dc \(root)/share/man/man1/touchstone.1.gz")
        #expect(page.contains("touchstone \(version.replacing("-", with: "\\-"))"))
        for command in ["scenario", "serve", "relying-party", "verify"] {
            let file = "\(root)/share/man/man1/touchstone-\(command).1.gz"
            let help = try await expectSuccess("\(root)/bin/touchstone \(command) --help")
            let text = try await expectSuccess("gzip -dc \(file)").replacing("\\-", with: "-")
            let summary = try #require(help.split(separator: "\n").first).replacing("OVERVIEW: ", with: "")
            #expect(text.contains(summary.split(separator: ".")[0]), "\(command)")
        }
        let serve = try await expectSuccess("gzip -dc \(root)/share/man/man1/touchstone-serve.1.gz")
        #expect(serve.contains("\\-\\-relying\\-party\\-id"))

        let completions = "\(root)/share/bash-completion/completions/touchstone"
        let known = try await expectSuccess("bash -c 'source \(completions) && complete -p touchstone'")
        #expect(known.contains("touchstone"))
        let zsh = try String(contentsOfFile: "\(root)/share/zsh/site-functions/_touchstone", encoding: .utf8)
        #expect(zsh.hasPrefix("#compdef touchstone") && zsh.contains("relying-party"))
        let fish = "\(root)/share/fish/vendor_completions.d/touchstone.fish"
        #expect(try String(contentsOfFile: fish, encoding: .utf8).contains("complete -c 'touchstone'"))

        _ = try await expectSuccess("make uninstall \(make)")
        #expect(try await expectSuccess("find \(folder.path) -type f").isEmpty)
    }

    @Test func makeInstallAndUninstallTakeEachCharacterOfAPath() async throws {
        defer { remove() }
        let odd = folder.appending(path: "a folder's \"files\" & $HOME; *")
        // The words of the path name other files.
        let other = folder.appending(path: "a/bin/touchstone")
        for (file, text) in [(other, "another program"), (odd.appending(path: "opt/bin/other"), "other")] {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let quoted = "'" + odd.path.replacing("$", with: "$$").replacing("'", with: "'\\''") + "'"
        let make = "BINARY=\(touchstone.executable.path) DESTDIR=\(quoted) PREFIX=/opt"
        _ = try await expectSuccess("make install \(make)")
        #expect(FileManager.default.isExecutableFile(atPath: odd.appending(path: "opt/bin/touchstone").path))
        #expect(FileManager.default.fileExists(atPath: odd.appending(path: "opt/share/man/man1/touchstone.1.gz").path))
        _ = try await expectSuccess("make uninstall \(make)")
        let left = try await expectSuccess("find \(folder.path) -type f").split(separator: "\n")
        #expect(Set(left.map { $0.split(separator: "/").last }) == ["touchstone", "other"], "\(left)")
        #expect(try String(contentsOf: other, encoding: .utf8) == "another program")
    }

    @Test func thePackageLeavesFilesBehindPlantedLinksAsTheyAre() async throws {
        defer { remove() }
        let (victim, tools) = (folder.appending(path: "victim"), folder.appending(path: "tools"))
        let packages = folder.appending(path: "packages")
        for folder in [victim, tools, packages] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        // Another user sees the temporary folder's name, and plants links beside it before the script goes on.
        let mktemp = """
            #!/bin/sh
            made=$(PATH=/usr/bin:/bin mktemp "$@") || exit
            for end in .control .deb .tmp -control; do ln -s '\(victim.path)' "$made$end"; done
            echo "$made"
            """
        try mktemp.write(to: tools.appending(path: "mktemp"), atomically: true, encoding: .utf8)
        let version = try await expectSuccess("\(touchstone.executable.path) --version")
        let important = victim.appending(path: "important")
        try "kept".write(to: important, atomically: true, encoding: .utf8)
        let architecture = try await expectSuccess("dpkg --print-architecture")
        try FileManager.default.createSymbolicLink(
            at: packages.appending(path: "touchstone_\(version)_\(architecture).deb"), withDestinationURL: important)
        _ = try await expectSuccess("chmod 755 \(tools.path)/mktemp && mkdir \(folder.path)/temporary")
        _ = try await expectSuccess(
            "PATH=\(tools.path):$PATH TMPDIR=\(folder.path)/temporary DEB_COMPRESSION='-Zgzip -z1' "
                + "scripts/package.sh \(touchstone.executable.path) \(packages.path)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: victim.path) == ["important"])
        #expect(try String(contentsOf: important, encoding: .utf8) == "kept")
        #expect(try await expectSuccess("dpkg-deb -f \(packages.path)/*.deb Version") == version)
    }

    @Test func theDebianPackageIsInstalledUsedAndRemoved() async throws {
        defer { remove() }
        let built = try await expectSuccess(
            "DEB_COMPRESSION='-Zgzip -z1' scripts/package.sh \(touchstone.executable.path) \(folder.path)")
        let version = try await expectSuccess("\(touchstone.executable.path) --version")
        #expect(built.hasSuffix("touchstone_\(version)_amd64.deb") || built.hasSuffix("_arm64.deb"), "\(built)")
        #expect(try await expectSuccess("dpkg-deb -f \(built) Version") == version)
        let depends = try await expectSuccess("dpkg-deb -f \(built) Depends")
        for library in [
            "libdbus-1-3", "libfido2-1", "libpcsclite1", "libpsl5", "libqrencode4", "libsqlite3-0", "libssl3",
            "libyaml-0-2",
        ] {
            #expect(depends.contains(library), "\(depends)")
        }
        // Every library comes from a package that this system can install.
        let plan = try await expectSuccess("apt-get install --simulate \(built)")
        #expect(plan.contains("Inst touchstone ("), "\(plan)")

        // An empty system of its own, whose dependencies are this computer's.
        let root = folder.appending(path: "root").path
        _ = try await expectSuccess(
            "mkdir -p \(root)/var/lib/dpkg/info \(root)/var/lib/dpkg/updates && touch \(root)/var/lib/dpkg/status")
        let dpkg = "dpkg --root=\(root) --log=\(root)/dpkg.log --force-depends --force-not-root"
        _ = try await expectSuccess("\(dpkg) --install \(built) 2>&1")
        #expect(try await expectSuccess("cd / && \(root)/usr/bin/touchstone --version") == version)
        #expect(
            try await expectSuccess("cd / && \(root)/usr/bin/touchstone scenario run user-cancel").contains("1 passed"))
        #expect(try await expectSuccess("ls \(root)/usr/lib/touchstone") == "libtouchstone-key.so")
        try await EmptyPlace().expectSmallTest("\(root)/usr/bin/touchstone")
        _ = try await expectSuccess("\(dpkg) --purge touchstone 2>&1")
        #expect(try await expectSuccess("find \(root) -path '*touchstone*' -not -path '\(root)'").isEmpty)
    }

    @Test func lintianFindsNoFaultInTheDebianPackage() async throws {
        defer { remove() }
        let built = try await expectSuccess(
            "DEB_COMPRESSION='-Zgzip -z1' scripts/package.sh \(touchstone.executable.path) \(folder.path)")
        // The program of this build finds Swift's libraries in the toolchain.
        let found = try await shell(
            "lintian --allow-root --suppress-tags custom-library-search-path --tag-display-limit 0 \(built)")
        #expect(found.status == 0 && found.standardOutput.isEmpty, "\(found.standardOutput) \(found.standardError)")
    }

    @Test func thePythonClientHasTheProgramsVersion() async throws {
        defer { remove() }
        let version = try await expectSuccess("\(touchstone.executable.path) --version")
        let file = PackageRoot.url.appending(path: "clients/python/src/touchstone_bench/__init__.py")
        #expect(try String(contentsOf: file, encoding: .utf8).contains("__version__ = \"\(version)\""))
    }
}
