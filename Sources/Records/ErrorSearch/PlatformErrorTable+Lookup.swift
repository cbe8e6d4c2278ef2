package import Documents
package import PlatformErrors
internal import YAMLFiles

extension PlatformErrorTable {
    /// The built-in table, with the codes and sentences of `lookup.yaml`, which no device reports.
    package static let lookup: PlatformErrorTable = (try? loadLookup()) ?? .shared

    /// Reads the built-in table for looking up.
    package static func loadLookup() throws(SourceError) -> PlatformErrorTable {
        let more = try YAMLValue.parse(EmbeddedText.lookup_yaml, file: "lookup.yaml")
        return try PlatformErrorTable(reading: more.merged(over: document()))
    }
}
