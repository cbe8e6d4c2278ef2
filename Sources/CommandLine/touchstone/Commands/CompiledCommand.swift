internal import ArgumentParser
internal import YAMLFiles

/// `touchstone compiled`, which the project's own sources need.
struct CompiledCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compiled", abstract: "Print YAML files as the Swift source that the libraries have built in.",
        shouldDisplay: false)

    @Argument(help: "The kind of documents.")
    var documents: CompiledDocuments

    @Argument(help: "The YAML files.")
    var files: [String]

    func run() async throws { Terminal.write(String(try documents.source(of: files).dropLast())) }
}

extension CompiledDocuments: ExpressibleByArgument {}
