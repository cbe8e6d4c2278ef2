internal import Biometrics
internal import Causes
package import Documents

extension PlatformErrorTable {
    /// Reads a table.
    ///
    /// - Parameters:
    ///   - text: the YAML.
    ///   - file: its path, for errors.
    /// - Throws: ``SourceError`` with the line and what was expected there.
    package init(parsing text: String, file: String) throws(SourceError) {
        let fields = try YAMLValue.parse(text, file: file).fields([
            "sources", "layers", "settings", "outcomes", "hints",
        ])
        var sources: [String: String] = [:]
        for (key, value) in try fields.required("sources").entries() { sources[key] = try value.string() }
        var interfaces: [PlatformInterface] = []
        for (id, value) in try fields.required("layers").entries() {
            interfaces.append(try PlatformInterface(id, reading: value, sources: sources))
        }
        var settings: [PlatformErrorSetting] = []
        for (name, value) in try fields["settings"]?.entries() ?? [] {
            settings.append(try PlatformErrorSetting(name, reading: value, sources: sources))
        }
        let cells = PlatformErrorCellReader(interfaces: interfaces, settings: settings, sources: sources)
        self.init(
            interfaces: interfaces, settings: settings,
            outcomes: try Self.rows(fields.required("outcomes"), group: nil, cells),
            hints: try fields["hints"].map { value throws(SourceError) in try Self.rows(value, group: "hint", cells) }
                ?? [], sources: sources)
    }

    private static func rows(
        _ value: YAMLValue, group: String?, _ cells: PlatformErrorCellReader
    ) throws(SourceError) -> [PlatformErrorRow] {
        var rows: [String: PlatformErrorRow] = [:]
        var names: Set<String> = []
        var order: [PlatformErrorRow] = []
        for (cause, value) in try value.entries() {
            let fields = try value.fields(["means", "of", "also", "same-as", "faces"])
            let aliases = try fields["also"]?.strings() ?? []
            for name in [cause] + aliases where !names.insert(name).inserted {
                throw value.error("\(name) names another row already")
            }
            var inherited: [PlatformErrorCell] = []
            if let base = fields["same-as"] {
                guard let row = rows[try base.string()] else { throw base.error("there is no such row above this one") }
                inherited = row.cells
            }
            let own = try cells.read(fields.required("faces"))
            let cells = cells.interfaces.flatMap { interface in
                own[interface.id] ?? inherited.filter { $0.interface == interface.id }
            }
            let row = PlatformErrorRow(
                cause: Cause(cause), aliases: aliases.map { Cause($0) }, meaning: try fields.required("means").string(),
                group: try Self.group(fields, group), cells: cells)
            rows[cause] = row
            order.append(row)
        }
        return order
    }

    private static func group(_ fields: YAMLFields, _ group: String?) throws(SourceError) -> String {
        if let group { return group }
        return try fields.required("of").string()
    }
}

extension PlatformInterface {
    fileprivate init(_ id: String, reading value: YAMLValue, sources: [String: String]) throws(SourceError) {
        let fields = try value.fields([
            "name", "domains", "about", "kind", "platforms", "operations", "modality", "hexadecimal", "sources",
            "codes",
        ])
        self.id = id
        name = try fields.required("name").string()
        domains = try fields["domains"]?.strings() ?? []
        about = try fields.required("about").string()
        kind = try fields.required("kind").choice(Kind.self)
        var platforms: Set<Platform> = []
        for item in try fields["platforms"]?.items() ?? [] {
            guard let some = Platform.selected(by: try item.string()) else { throw item.error("no such platform") }
            platforms.formUnion(some)
        }
        self.platforms = platforms.isEmpty ? Set(Platform.allCases) : platforms
        var operations: [PlatformOperation] = []
        for item in try fields["operations"]?.items() ?? [] {
            operations.append(try item.choice(PlatformOperation.self))
        }
        self.operations = operations
        modality = try fields["modality"]?.choice(BiometricModality.self)
        isHexadecimal = try fields["hexadecimal"]?.bool() ?? false
        self.sources = try PlatformErrorCellReader.sources(fields.required("sources"), among: sources)
        codes = try Self.codes(fields.required("codes"))
    }

    private static func codes(_ value: YAMLValue) throws(SourceError) -> [PlatformErrorCode] {
        var codes: [PlatformErrorCode] = []
        if value.isList {
            for item in try value.items() {
                codes.append(PlatformErrorCode(name: try item.string(), number: nil, isUnverified: false))
            }
            return codes
        }
        for (name, value) in try value.entries() {
            let (text, isUnverified) = PlatformErrorCellReader.mark(try value.string())
            let number = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
            guard number != nil || text == "-" else { throw value.error("expected a number, or - for none") }
            codes.append(PlatformErrorCode(name: name, number: number, isUnverified: isUnverified))
        }
        return codes
    }
}

extension PlatformErrorSetting {
    fileprivate init(_ name: String, reading value: YAMLValue, sources: [String: String]) throws(SourceError) {
        let fields = try value.fields(["about", "variants"])
        self.name = name
        about = try fields.required("about").string()
        var variants: [Variant] = []
        for (name, value) in try fields.required("variants").entries() {
            let fields = try value.fields(["about", "sources"])
            variants.append(
                Variant(
                    name: name, about: try fields.required("about").string(),
                    sources: try PlatformErrorCellReader.sources(fields.required("sources"), among: sources)))
        }
        self.variants = variants
    }
}

extension Platform {
    /// The platforms a word of the table stands for.
    static func selected(by word: String) -> Set<Platform>? {
        if word == "apple" { return [.ios, .macos] }
        return Platform(rawValue: word).map { [$0] }
    }
}
