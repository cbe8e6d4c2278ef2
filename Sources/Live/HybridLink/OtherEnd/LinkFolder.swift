internal import CTAPHybrid
internal import Foundation
internal import Machine

/// The files of linked phones, in a folder that only its owner can enter.
///
/// Each file is a JSON object with the link's secret, so that its mode is 0600.
package struct LinkFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// `links` in the user's `StateDirectory`.
    package static var standard: LinkFolder { LinkFolder(path: StateDirectory.standardPath + "/links") }

    private static let suffix = ".json"
    private static let longestFile = 1 << 14
    fileprivate static let longestName = 48

    /// Checks a link's name: letters of ASCII, digits, `_`, `-` and `.`, with one of the first three kinds first, and not the name of
    /// a ``HybridAir``.
    ///
    /// - Throws: ``LinkError/name(_:)``.
    package static func check(_ name: String) throws(LinkError) {
        let isPlain = name.utf8.allSatisfy { byte in
            byte < 128 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
        }
        guard isPlain, (1...longestName).contains(name.utf8.count), name.first != ".", name.first != "-",
            HybridAir(rawValue: name) == nil
        else { throw .name(name) }
    }

    private func file(_ name: String) throws(LinkError) -> String {
        try Self.check(name)
        return "\(path)/\(name)\(Self.suffix)"
    }

    /// The names of the kept links, sorted.
    package func names() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }.sorted()
    }

    /// Keeps a link under a name, in place of an earlier one.
    ///
    /// - Throws: ``LinkError``.
    package func keep(_ link: KeptLink, as name: String) throws(LinkError) {
        let file = try file(name)
        do {
            try PrivateDirectory.make(path)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            try OutputFile(file, Self.kind).replace(with: Array(try encoder.encode(link)))
        } catch {
            throw .unusable(file, "\(error)")
        }
    }

    private static let kind = OutputFile.Kind("a link") { $0.first == UInt8(ascii: "{") }

    /// The link of a name.
    ///
    /// - Throws: ``LinkError``.
    package func link(_ name: String) throws(LinkError) -> KeptLink {
        let file = try file(name)
        let bytes: [UInt8]?
        do {
            bytes = try PrivateDirectory.check(path) ? OwnFile.read(file, limit: Self.longestFile) : nil
        } catch {
            throw .unusable(file, "\(error)")
        }
        guard let bytes else { throw .missing(name, known: names()) }
        guard bytes.count <= Self.longestFile,
            let link = try? JSONDecoder().decode(KeptLink.self, from: Data(bytes))
        else { throw .unusable(file, "it is damaged; remove it, and link the phone again") }
        return link
    }

    /// Removes the link of a name.
    package func forget(_ name: String) {
        if let file = try? file(name) { unlink(file) }
    }
}

/// The reason why a link is not used.
package enum LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    case name(String)
    case missing(String, known: [String])
    /// The file, and the problem.
    case unusable(String, String)

    package var description: String {
        switch self {
        case .name(let name):
            "\"\(name)\" is not a name for a link; use up to \(LinkFolder.longestName) letters, digits, hyphens, underscores and "
                + "full stops, not \(HybridAir.allCases.map(\.rawValue).joined(separator: " or "))"
        case .missing(let name, let known):
            "there is no linked phone \(name); "
                + (known.isEmpty
                    ? "link one with --device hybrid: --link \(name)"
                    : "the linked phones are \(known.joined(separator: ", "))")
        case .unusable(let file, let problem): "\(file) cannot be used: \(problem)"
        }
    }
}
