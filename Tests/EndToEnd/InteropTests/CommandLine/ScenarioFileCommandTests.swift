import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone scenario` with files: copies of built-in scenarios, mistakes, reports, and interrupted runs.
    @Suite struct ScenarioFileCommandTests {
        private let folder: TemporaryFolder
        private let touchstone: Touchstone

        init() throws {
            folder = try TemporaryFolder("scenario")
            touchstone = Touchstone(runtimeDirectory: folder.url.appending(path: "run"))
        }

        /// Runs a line of a shell in the folder, where `$t` is the program.
        private func run(_ line: String) async throws -> Touchstone.Output {
            try await touchstone.run(
                shell: "cd '\(folder.url.path)' && t='\(touchstone.executable.path)' && \(line)")
        }

        @Test func aBuiltInScenarioIsShownAsItIs() async throws {
            let output = try await run("$t scenario show user-cancel")
            let file = PackageRoot.url.appending(path: "scenarios/user-cancel.yaml")
            #expect(try output.standardOutput + "\n" == String(contentsOf: file, encoding: .utf8))
            let unknown = try await run("$t scenario show user-cancl")
            #expect(unknown.status == 2)
            #expect(unknown.standardError.contains("did you mean user-cancel"))
        }

        @Test func aCopyPassesWithTheFilesThatItBeginsWith() async throws {
            let copied = try await run("$t scenario copy biometric-unlock own/mine.yaml")
            #expect(copied.status == 0, "\(copied.standardError)")
            #expect(copied.standardOutput.contains("own/setup/enrolled.yaml is written"))
            #expect(copied.standardOutput.contains("touchstone scenario run own/mine.yaml"))
            let played = try await run("$t scenario run own/mine.yaml")
            #expect(played.status == 0, "\(played.standardOutput)")
            // A second one shares the steps, and a file of the user stays as it is.
            #expect(try await run("$t scenario copy biometric-settings own/other.yaml").status == 0)
            let again = try await run("$t scenario copy biometric-settings own/mine.yaml")
            #expect(again.status == 2)
            #expect(again.standardError.contains("mine.yaml exists; choose another file"))
            let changed = try await run(
                "echo '# mine' >> own/setup/enrolled.yaml && $t scenario copy biometric-unlock own/b.yaml")
            #expect(changed.status == 2)
            #expect(changed.standardError.contains("enrolled.yaml exists"))
        }

        @Test func aCopyGoesToAFolderOrToAFileOfYAML() async throws {
            let bare = try await run("$t scenario copy user-cancel 'new folder/mine'")
            #expect(bare.status == 2)
            #expect(bare.standardError.contains("write 'new folder/mine.yaml'"), "\(bare.standardError)")
            let file = try await run("$t scenario copy user-cancel 'new folder/mine.yaml'")
            #expect(file.standardOutput.contains("touchstone scenario run 'new folder/mine.yaml'"))
            for target in ["'new folder'", "other/"] {
                #expect(try await run("$t scenario copy user-cancel \(target)").status == 0, "\(target)")
            }
            #expect(try await run("ls 'new folder/user-cancel.yaml' other/user-cancel.yaml").status == 0)
        }

        @Test func aNewScenarioGetsItsFolder() async throws {
            let made = "$t scenario new --name n --profile iphone-face-id --flow sign-in"
            let file = try await run("\(made) 'a b/c/first.yaml'")
            #expect(file.status == 0, "\(file.standardError)")
            #expect(file.standardOutput.contains("touchstone scenario run 'a b/c/first.yaml'"))
            #expect(try await run("\(made) second").standardError.contains("write second.yaml"))
        }

        @Test(arguments: [
            ("scenario", "scenarios in built-in scenarios"), ("profiles", "profiles in built-in profiles"),
            ("relying-party", "relying parties in built-in relying-parties"),
        ])
        func aCheckWithoutFilesSaysWhatItReads(command: String, says: String) async throws {
            let all = try await run("$t \(command) validate")
            #expect(all.status == 0, "\(all.standardError)")
            #expect(all.standardError.hasPrefix("Checking "))
            #expect(all.standardError.contains(says), "\(all.standardError)")
        }

        @Test func theMistakesOfSeveralFilesAreReportedBeforeTheFirstRun() async throws {
            let output = try await run(
                """
                printf 'name: a\ndevices: { k: security-key-pin }\nsteps: [registr, sign-im]\n' > a.yaml
                printf 'name: b\ndevices: { k: security-key-pim }\nsteps: [register]\n' > b.yaml
                $t scenario run a.yaml b.yaml user-cancel
                """)
            #expect(output.status == 2)
            #expect(output.standardOutput.isEmpty)
            for place in ["a.yaml:3:9", "a.yaml:3:18", "b.yaml:2:15"] {
                #expect(output.standardError.contains(place), "\(output.standardError)")
            }
        }

        @Test(
            "A file that is missing is told with the files that the user may mean, as they are written",
            arguments: [
                ("typo.yml", "did you mean typo.yaml, typo2.yaml?"), ("own/typ.yaml", "did you mean own/typo.yaml?"),
                ("own/nosuch.yaml", "its folder has own/typo.yaml"), ("none/a.yaml", "its folder does not exist"),
                ("empty/a.yaml", "its folder has no YAML file"),
            ])
        func missingFile(path: String, words: String) async throws {
            let output = try await run(
                "mkdir -p own empty && touch typo.yaml typo2.yaml own/typo.yaml && $t scenario run \(path)")
            #expect(output.status == 2)
            #expect(output.standardError.contains("the file was not found; "), "\(output.standardError)")
            #expect(output.standardError.contains(words), "\(output.standardError)")
        }

        @Test func scenariosWithOneNameAreToldApartByTheirFiles() async throws {
            let output = try await run(
                """
                printf 'name: same\ndevices: { k: security-key-pin }\nsteps: [create-account: ada]\n' > a.yaml
                cp a.yaml b.yaml && sed 's/same/other/' a.yaml > c.yaml
                $t scenario run a.yaml b.yaml && $t scenario run a.yaml c.yaml
                """)
            let heads = output.standardOutput.split(separator: "\n").filter { $0.hasPrefix("RESULT") }
            #expect(heads.map { $0.hasSuffix("FILE") } == [true, false], "\(output.standardOutput)")
            #expect(output.standardOutput.contains("same      b.yaml"), "\(output.standardOutput)")
        }

        @Test("A page has the messages of its runs only with --trace", arguments: [true, false])
        func messagesInThePage(isTraced: Bool) async throws {
            let option = isTraced ? "--trace t.jsonl" : ""
            let output = try await run(
                "$t scenario run user-cancel --html h.html \(option) > /dev/null && grep -c '\"trace\":\\[[0-9]' h.html"
            )
            #expect(output.standardOutput == (isTraced ? "1" : "0"), "\(output.standardError)")
        }

        @Test("Mistakes of a file are failures in the JUnit report, in place of an earlier run's report")
        func mistakesInJUnit() async throws {
            let output = try await run(
                """
                $t scenario run user-cancel --junit j.xml > /dev/null
                printf 'name: x\\ndevices: 5\\nsteps: 3\\n' > x.yaml
                $t scenario run x.yaml --junit j.xml 2> /dev/null; echo $?
                grep -c '<testcase classname="x.yaml"' j.xml; grep -c 'x.yaml:3:8: steps: expected a list' j.xml
                """)
            #expect(output.standardOutput == "2\n2\n1", "\(output.standardError)")
        }

        @Test("A selection without a run is a failure in the JUnit report, in place of an earlier run's report")
        func wrongSelectionInJUnit() async throws {
            let output = try await run(
                """
                for selection in '--tag none' '--requirement NONE-1' '--matrix phone=none' missing.yaml; do
                $t scenario run user-cancel --junit j.xml > /dev/null
                $t scenario run user-cancel $selection --junit j.xml > /dev/null 2>&1; echo $?
                grep -c '<failure' j.xml
                done
                """)
            #expect(output.standardOutput == "2\n1\n2\n1\n2\n1\n2\n1", "\(output.standardError)")
        }

        @Test func reportsHaveTheModeOfTheUmask() async throws {
            let output = try await run(
                """
                umask 027
                $t scenario run user-cancel --junit j.xml --html h.html > /dev/null && stat -c %a j.xml h.html
                umask 077
                $t scenario run user-cancel --junit j.xml --html k.html > /dev/null && stat -c %a j.xml k.html
                """)
            #expect(output.standardOutput == "640\n640\n640\n600", "\(output.standardError)")
        }

        @Test func anInterruptedRunSaysWhatItDid() async throws {
            let junit = folder.url.appending(path: "interrupted.xml")
            let program = try touchstone.start(
                ["scenario", "run", "user-cancel", "choose-an-account", "--jobs", "1", "--junit", junit.path])
            for await line in program.output where line.contains("phone=") { break }
            program.terminate()
            var errors: [String] = []
            for await line in program.errors { errors.append(line) }
            #expect(await program.exitStatus() == 130)
            #expect(errors.first?.hasPrefix("Playing ") == true)
            #expect(errors.contains { $0.contains("runs ended;") && $0.contains("--junit has a failure") }, "\(errors)")
            #expect(try String(contentsOf: junit, encoding: .utf8).contains("The command was interrupted"))
        }

        @Test(arguments: [
            ("device start yubi", "yubikey-5-nfc-5.7", "iphone"), ("scenario run user-", "user-cancel", "bad-days"),
            ("scenario copy user-", "user-cancel", "bad-days"), ("scenario run o", "own.yaml", "user"),
            ("errors lockedOut.", "lockedOut.timed", "user"),
            ("device fault counter-", "counter-backwards", "up-clear"),
            ("device do reb", "reboot", "lock"), ("device present no-", "no-match", "touch"),
            ("keys info --device virtual:solo", "virtual:solo-2", "usb"),
        ])
        func aShellCompletesNames(line: String, word: String, other: String) async throws {
            let output = try await run(
                """
                touch own.yaml
                mkdir -p bin && ln -sf $t bin/touchstone
                PATH=$PWD/bin:$PATH $t --generate-completion-script bash > completions
                cat > complete <<'END'
                PATH=$PWD/bin:$PATH
                source ./completions
                COMP_WORDS=(touchstone $1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="touchstone $1"
                COMP_POINT=${#COMP_LINE}
                _touchstone touchstone "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                END
                bash complete '\(line)'
                """)
            let words = output.standardOutput.split(separator: "\n").map(String.init)
            #expect(words.contains(word), "\(words) \(output.standardError)")
            #expect(!words.contains { $0.hasPrefix(other) }, "\(words)")
        }
    }
}
