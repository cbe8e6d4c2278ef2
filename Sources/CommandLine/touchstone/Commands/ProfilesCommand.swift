import ArgumentParser
import DeviceProfiles
internal import Documents
internal import PlatformErrors

/// `touchstone profiles`: the devices there are.
struct ProfilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "List, explain and check device profiles.",
        subcommands: [List.self, Show.self, Validate.self, Schema.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the profiles there are.")

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let library = try ProfileLibrary.standard()
            let profiles = try library.files().map(ProfileLibrary.read)
            if json {
                try Terminal.writeJSON(profiles.map(ProfileDescription.init))
                return
            }
            // One table, so that the columns of all groups are as wide.
            var table = TextTable("PROFILE", "PLATFORM", "WHAT IT IS")
            let groups = DeviceKind.allCases.map { kind in (kind, profiles.filter { $0.kind == kind }) }
            for profile in groups.flatMap(\.1) { table.add(profile.name, profile.platform.displayName, profile.title) }
            var lines = table.lines[...]
            if let head = lines.popFirst() { Terminal.write(head) }
            for (kind, members) in groups where !members.isEmpty {
                Terminal.write()
                Terminal.write(Terminal.styled(kind.plural, .bold))
                for _ in members { if let line = lines.popFirst() { Terminal.write(line) } }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Explain one profile in words.")

        @Argument(help: "A profile's name, or the path of a profile file.")
        var profile: String

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let profile = try ProfileLibrary.standard().profile(profile)
            let description = ProfileDescription(profile)
            if json {
                try Terminal.writeJSON(description)
            } else {
                description.lines.forEach { Terminal.write($0) }
            }
        }
    }

    struct Schema: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the JSON Schema of profiles, for editors.",
            discussion: """
                The first line "# yaml-language-server: $schema=./schema.json" of a profile tells editors with a YAML \
                language server where it is.
                """)

        func run() async throws {
            Terminal.write(String(ProfileSchema.json.dropLast()))
        }
    }

    struct Validate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check profile files.",
            discussion:
                "For each file, its first mistake: file, line and what was expected there. Exit status 2 if any.")

        @Argument(help: "Profile files; without any, all that come with the program.")
        var files: [String] = []

        func run() async throws {
            let files = try files.isEmpty ? ProfileLibrary.standard().files() : files
            var failures = 0
            for file in files {
                do {
                    let profile = try ProfileLibrary.read(file)
                    Terminal.write("\(file): ok, \(profile.title)")
                } catch {
                    failures += 1
                    Terminal.writeError(error.description)
                }
            }
            guard failures == 0 else {
                throw CommandError("\(failures) of \(files.count) profiles are wrong", .badInput)
            }
        }
    }
}
