import Documents
import Foundation
import RelyingPartyServer
import TestSupport
import Testing
import YAMLFiles

/// The artifacts of `make dist`, each installed in an empty place, with the program of this build in place of a release.
@Suite("The artifacts of a release", .serialized)
struct DistTests {
    let place: EmptyPlace

    init() throws { place = try EmptyPlace() }

    @Test func theWheelBringsTheProgramAndLeavesNothing() async throws {
        let (made, environment) = (try await EmptyPlace.packages.value, place.path("venv"))
        _ = try await place.expectSuccess("\"$TOUCHSTONE_PYTHON\" -m venv \(environment)")
        let before = try await place.expectSuccess("find \(environment) | sort")
        let wheels = "--find-links \(made) --find-links \(PackageRoot.url.path)/.build/wheels"
        let pip = "\(environment)/bin/python -m pip --disable-pip-version-check"
        _ = try await place.expectSuccess("\(pip) install --quiet --no-index \(wheels) touchstone-bench")

        let program = "\(environment)/bin/touchstone"
        let needed = try await place.expectSuccess("ldd \(program)")
        #expect(needed.contains("libfido2.so.1 => \(environment)/bin/../lib/touchstone/libfido2.so.1"), "\(needed)")
        try await place.expectSmallTest(program)

        _ = try await place.expectSuccess("\(pip) install --quiet --no-index \(wheels) 'touchstone-bench[pytest]'")
        try place.write(
            """
            def test_a_device_starts(passkey_device, touchstone_control):
                assert passkey_device("iphone-face-id").state()["status"]["profile"] == "iphone-face-id"
                assert touchstone_control.process.program == "\(program)"
            """, "test_device.py")
        let shown = try await place.expectSuccess(
            "cd \(place.path("")) && \(EmptyPlace.environment) PYTHONDONTWRITEBYTECODE=1 "
                + "\(environment)/bin/python -m pytest -q -p no:cacheprovider test_device.py")
        #expect(shown.contains("1 passed"))

        _ = try await place.expectSuccess(
            "\(pip) freeze --quiet | sed 's/[ =].*//' | xargs \(pip) uninstall --quiet -y")
        let after = try await place.expectSuccess("find \(environment) -not -path '*/__pycache__*' | sort")
        #expect(!after.contains("touchstone"))
        #expect(Set(after.split(separator: "\n")).isSubset(of: Set(before.split(separator: "\n"))))
    }

    @Test func theWheelWithoutTheProgramSaysSoAndStartsAnother() async throws {
        let (made, environment) = (try await EmptyPlace.packages.value, place.path("venv"))
        _ = try await place.expectSuccess("\"$TOUCHSTONE_PYTHON\" -m venv \(environment)")
        _ = try await place.expectSuccess(
            "\(environment)/bin/python -m pip install --quiet --no-index --find-links \(PackageRoot.url.path)/.build/wheels "
                + "\(made)/*-none-any.whl")
        let command = "\(environment)/bin/touchstone --version"
        let alone = try await place.shell("cd / && \(EmptyPlace.environment) \(command)")
        #expect(alone.status == 3 && alone.standardOutput.isEmpty)
        #expect(alone.standardError.hasPrefix("touchstone: `touchstone` was not found. Packages for Linux on x86-64"))
        // Its own command is first on the path, and only starts another one.
        let folder = place.touchstone.executable.deletingLastPathComponent().path
        let other = try await place.expectSuccess(
            "cd / && env -i PATH=\(environment)/bin:\(folder):/usr/bin:/bin \(command)")
        #expect(try await other == place.expectSuccess("\(place.touchstone.executable.path) --version"))
    }

    @Test func npmBringsTheProgramAndLeavesNothing() async throws {
        let (made, project) = (try await EmptyPlace.packages.value, place.path("project"))
        try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
        try place.write(#"{ "private": true }"#, "project/package.json")
        // A cache of its own: nothing comes from another installation.
        let npm =
            "cd \(project) && npm_config_cache=\(place.path("cache")) npm_config_update_notifier=false npm --no-audit --no-fund"
        let client = "\(made)/touchstone-bench-[0-9]*.tgz"
        _ = try await place.expectSuccess("\(npm) install --offline \(client) \(made)/touchstone-bench-linux-*.tgz")
        try await place.expectSmallTest(
            "npm_config_cache=\(place.path("cache")) npx --no-install touchstone", in: project)
        try place.write(
            """
            import { Control } from "touchstone-bench";
            const control = await Control.start();
            const phone = await control.startDevice("iphone-face-id");
            console.log((await phone.state()).status.profile);
            await control.close();
            """, "project/device.mjs")
        let shown = try await place.expectSuccess("cd \(project) && \(EmptyPlace.environment) node device.mjs")
        #expect(shown == "iphone-face-id")
        _ = try await place.expectSuccess("\(npm) uninstall touchstone-bench touchstone-bench-linux-x64")
        #expect(try await place.expectSuccess("find \(project) -path '*touchstone*' -not -path '\(project)'").isEmpty)

        _ = try await place.expectSuccess("\(npm) install --offline \(client)")
        let alone = try await place.shell(
            "cd \(project) && \(EmptyPlace.environment) node_modules/.bin/touchstone --version")
        #expect(alone.status == 3)
        #expect(alone.standardError.hasPrefix("touchstone: `touchstone` was not found. Packages for Linux on x86-64"))
    }

    @Test func theListOfPartsIsValidAndNamesEachLibraryWithItsLicence() async throws {
        let made = try await EmptyPlace.packages.value
        _ = try await place.expectSuccess("cd \(made) && sha256sum --strict --check SHA256SUMS")
        let check = """
            import sys; sys.path.insert(0, ".build/python-dist")
            from cyclonedx.schema import SchemaVersion
            from cyclonedx.validation.json import JsonStrictValidator
            error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())
            sys.exit(str(error) if error else 0)
            """
        _ = try await place.expectSuccess("\"$TOUCHSTONE_PYTHON\" -c '\(check)' \(made)/*.cdx.json")
        let list = try await place.expectSuccess("cat \(made)/*.cdx.json")
        let notice = try await place.expectSuccess("cat \(made)/*.NOTICE")
        for (package, words) in [
            ("swift-nio", "The SwiftNIO Project"), ("swift-crypto", "The SwiftCrypto Project"),
            ("grdb.swift", "Gwendal"), ("libfido2-1", "Yubico"), ("libgcrypt20", "LGPL"),
        ] {
            #expect(list.contains("\"name\": \"\(package)\""), "\(package)")
            #expect(notice.contains("\n\(package) "), "\(package)")
            #expect(notice.contains(words), "\(package): \(words)")
        }
        #expect(!list.contains("swift-docc"))
    }

    @Test func theSameFilesGiveTheSameBytes() async throws {
        let (first, second) = (place.path("first"), place.path("second"))
        // Each archive is written by the same functions; the source archive takes the least time.
        let parts = Ring.isWhole ? "wheel npm debian source" : "source"
        try await place.make(parts, in: first)
        try await place.make(parts, in: second, environment: "TZ=Pacific/Auckland LC_ALL=C")
        #expect(try await place.expectSuccess("diff -r \(first) \(second)").isEmpty)
        #expect(try await place.expectSuccess("wc -l <\(first)/SHA256SUMS") == (Ring.isWhole ? "8" : "3"))
    }

    @Test func aWordThatIsNoPartAndAMissingProgramAreErrors() async throws {
        let part = try await place.shell(
            "scripts/dist.py \(place.touchstone.executable.path) \(place.path("made")) wheels")
        #expect(part.status == 1 && part.standardError.hasPrefix("usage: dist.py"))
        let program = try await place.shell("scripts/dist.py \(place.path("absent")) \(place.path("made")) wheel")
        #expect(
            program.status == 1 && program.standardError.hasSuffix("is not a program. Build it with `make release`."))
        let date = try await place.shell(
            "SOURCE_DATE_EPOCH=today scripts/dist.py \(place.touchstone.executable.path) \(place.path("made")) wheel")
        #expect(date.status == 1 && date.standardError.contains("SOURCE_DATE_EPOCH is today. Use seconds since 1970."))
        #expect(!FileManager.default.fileExists(atPath: place.path("made")))
    }

    @Test func theHealthCheckTellsAServerThatAnswersFromNone() async throws {
        var configuration = RelyingPartyConfiguration()
        configuration.port = 0
        let server = try await RelyingPartyServer.start(configuration)
        let check = "scripts/distribution/container/health.sh \(server.port)"
        #expect(try await place.shell(check).status == 0)
        await server.stop()
        #expect(try await place.shell(check).status != 0)
    }

    @Test func theComposeFileHasTheProgramsVersion() async throws {
        let file = PackageRoot.url.appending(path: "Examples/Container/compose.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        _ = try YAMLValue.parse(text, file: "compose.yaml")
        let version = try await place.expectSuccess("\(place.touchstone.executable.path) --version")
        let images = text.matches(of: /image: touchstone:(\S+)/).map { String($0.1) }
        #expect(images == [version, version, version])
    }
}
