import ArgumentParser
import DeviceProfiles
import Documents
internal import PlatformErrors
internal import ProfileFiles
import Tables

/// `touchstone profiles`.
struct ProfilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "List, explain, check and write device profiles.",
        subcommands: [List.self, Show.self, ProfilesNewCommand.self, Validate.self, Keys.self, Schema.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the profiles.")

        @OptionGroup var output: OutputOptions

        func run() async throws {
            var check = FileCheck("profile")
            let profiles = check.read(try ProfileLibrary.standard().files(), as: ProfileLibrary.read)
            try output.write(profiles.map(ProfileDescription.init)) {
                var table = TextTable("PROFILE", "PLATFORM", "DESCRIPTION")
                for kind in DeviceKind.allCases where profiles.contains(where: { $0.kind == kind }) {
                    table.add(note: "")
                    table.add(heading: kind.plural)
                    for profile in profiles where profile.kind == kind {
                        table.add(profile.name, profile.platform.displayName, profile.title)
                    }
                }
                return table.lines
            }
            try check.end()
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Explain a profile in words.")

        @OptionGroup var profile: ProfileArgument

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let description = ProfileDescription(try profile.read())
            try output.write(description) { description.lines }
        }
    }

    struct Keys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys", abstract: "List the keys of a profile file, with their values and meanings.")

        @Flag(help: "Print a page of the documentation in Markdown.")
        var markdown = false

        @OptionGroup var output: OutputOptions

        func validate() throws { try OptionRule.exclude("--markdown", markdown, from: ["--json": output.json]) }

        func run() async throws {
            if markdown { return Terminal.write(String(ProfileReference.markdown.dropLast())) }
            try output.write(ProfileReference.sections) {
                var table = TextTable("KEY", "VALUE", "MEANING")
                for section in ProfileReference.sections {
                    table.add(note: "")
                    table.add(heading: section.path)
                    for key in section.keys { table.add(key.name, key.value.replacing("`", with: ""), key.meaning) }
                }
                return table.lines
            }
        }
    }

    struct Schema: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the JSON Schema of profiles, for editors.",
            discussion: """
                An editor with a YAML language server finds the schema when a profile's first line is \
                "# yaml-language-server: $schema=./schema.json".
                """)

        func run() async throws { Terminal.write(String(ProfileSchema.json.dropLast())) }
    }

    struct Validate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate", abstract: "Check profile files.",
            discussion: "Prints every mistake, with its line. Exit status 2 if there is one.")

        @Argument(
            help: "Profile files; default: all profiles of this program.",
            completion: .file(extensions: ["yaml", "yml"]))
        var files: [String] = []

        func run() async throws {
            let library = try ProfileLibrary.standard()
            let paths = try files.isEmpty ? library.files() : files
            if files.isEmpty { FileCheck.announce(paths, "profile", in: library.directories) }
            try FileCheck.run(paths, "profile") {
                file throws(SourceError) in try ProfileLibrary.read(file).title
            }
        }
    }
}
