internal import Biometrics
internal import Causes
package import Documents

extension PlatformErrorTable {
    /// Reads a table.
    package init(reading table: YAMLValue) throws(SourceError) {
        let fields = try table.fields(["sources", "layers", "settings", "outcomes", "hints"])
        var sources: [String: String] = [:]
        for (key, value) in try fields.required("sources").entries() { sources[key] = try value.string() }
        var interfaces: [PlatformInterface] = []
        for (id, value) in try fields.required("layers").entries() {
            interfaces.append(try PlatformInterface(id, reading: value, sources: sources, below: interfaces))
        }
        var settings: [PlatformErrorSetting] = []
        for (name, value) in try fields["settings"]?.entries() ?? [] {
            settings.append(try PlatformErrorSetting(name, reading: value, sources: sources))
        }
        let cells = PlatformErrorCellReader(interfaces: interfaces, settings: settings, sources: sources)
        let outcomes = try Self.rows(fields.required("outcomes"), group: nil, cells)
        for (id, value) in try fields.required("layers").entries() {
            if let likely = value.written(under: "likely") { try Self.check(likely, of: id, outcomes) }
            guard let general = value.written(under: "general"), let own = interfaces.first(where: { $0.id == id })
            else { continue }
            try Self.check(general: general, of: own, outcomes)
        }
        self.init(
            interfaces: interfaces, settings: settings, outcomes: outcomes,
            hints: try fields["hints"].map { value throws(SourceError) in try Self.rows(value, group: "hint", cells) }
                ?? [], sources: sources)
    }

    /// Refuses a general name or sentence that the interface does not have.
    private static func check(
        general: YAMLValue, of interface: PlatformInterface, _ rows: [PlatformErrorRow]
    ) throws(SourceError) {
        let sentences = interface.texts.values.joined() + rows.flatMap { $0.texts[interface.id] ?? [] }
        let known = Set(
            interface.loggedNames + interface.codes.map(\.name) + interface.otherNames.keys + sentences)
        for item in try general.items() {
            guard try !known.contains(item.string()) else { continue }
            throw item.error("\(interface.id) has no such name or sentence; give one of its codes or texts")
        }
    }

    /// Refuses a likely cause that does not have the code.
    private static func check(
        _ likely: YAMLValue, of interface: String, _ rows: [PlatformErrorRow]
    ) throws(SourceError) {
        for (code, causes) in try likely.entries() {
            for cause in causes.itemsOrSelf() {
                let name = try cause.string()
                let row = rows.first { $0.cause.rawValue == name }
                guard row?.cells.contains(where: { $0.interface == interface && $0.code.name == code }) == true else {
                    throw cause.error("\(name) is not a cause of \(code); give a row that has this code")
                }
            }
        }
    }

    private static func rows(
        _ value: YAMLValue, group: String?, _ cells: PlatformErrorCellReader
    ) throws(SourceError) -> [PlatformErrorRow] {
        var written: [String: [String: [PlatformErrorCell]]] = [:]
        var names: Set<String> = []
        var order: [PlatformErrorRow] = []
        for (cause, value) in try value.entries() {
            let fields = try value.fields(["means", "of", "also", "same-as", "faces", "texts"])
            let aliases = try fields["also"]?.strings() ?? []
            for name in [cause] + aliases where !names.insert(name).inserted {
                throw value.error("\(name) is already the name of another row; choose another name")
            }
            var own = try cells.read(fields.required("faces"))
            if let base = fields["same-as"] {
                guard let inherited = written[try base.string()] else {
                    throw base.error("no row above this one has this name; correct same-as")
                }
                own.merge(inherited) { own, _ in own }
            }
            written[cause] = own
            let origin = if let group { group } else { try fields.required("of").string() }
            let row = PlatformErrorRow(
                cause: Cause(cause), aliases: aliases.map { Cause($0) },
                meaning: try fields.required("means").string(), group: origin, cells: cells.cells(written: own),
                texts: try fields["texts"]?.texts(about: cells.interfaces.map(\.id), kind: "layer") ?? [:])
            for (layer, texts) in try fields["texts"]?.entries() ?? []
            where !row.cells.contains(where: { $0.interface == layer }) {
                throw texts.error(
                    "a sentence of \(layer) finds nothing without a code of \(layer); add one under faces")
            }
            order.append(row)
        }
        return order
    }
}

extension PlatformInterface {
    fileprivate init(
        _ id: String, reading value: YAMLValue, sources: [String: String], below: [PlatformInterface]
    ) throws(SourceError) {
        let fields = try value.fields([
            "name", "domains", "about", "kind", "platforms", "operations", "modality", "hexadecimal", "sources",
            "codes", "names", "prefixes", "forms", "texts", "general", "likely", "advice", "messages",
        ])
        self.id = id
        name = try fields.required("name").string()
        domains = try fields["domains"]?.strings() ?? []
        about = try fields.required("about").string()
        kind = try fields.required("kind").choice(Kind.self)
        var platforms: Set<Platform> = []
        for item in try fields["platforms"]?.items() ?? [] {
            guard let some = Platform.selected(by: try item.string()) else {
                let names = ["apple"] + Platform.allCases.map(\.rawValue)
                throw item.error("unknown platform; choose one of \(names.joined(separator: ", "))")
            }
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
        (codes, origins) = try Self.codes(fields.required("codes"), below)
        messages = try PlatformMessages(reading: fields["messages"], of: codes, below: below)
        prefixes = try fields["prefixes"]?.strings() ?? []
        forms = try fields["forms"]?.strings() ?? []
        let names = codes.map(\.name)
        texts = try fields["texts"]?.texts(about: names, kind: "code") ?? [:]
        general = Set(try fields["general"]?.strings() ?? [])
        likely = try fields["likely"]?.texts(about: names, kind: "code").mapValues { $0.map { Cause($0) } } ?? [:]
        var advices: [String: String] = [:]
        for (code, words) in try fields["advice"]?.entries() ?? [] {
            guard names.contains(code) else { throw words.error("there is no code \(code)") }
            advices[code] = try words.string()
        }
        self.advices = advices
        var otherNames: [String: String] = [:]
        for (other, name) in try fields["names"]?.entries() ?? [] {
            guard names.contains(try name.string()) else { throw name.error("there is no code \(try name.string())") }
            otherNames[other] = try name.string()
        }
        self.otherNames = otherNames
    }

    private static func codes(
        _ value: YAMLValue, _ below: [PlatformInterface]
    ) throws(SourceError) -> ([PlatformErrorCode], [PlatformCodeOrigin]) {
        var codes: [PlatformErrorCode] = []
        var origins: [PlatformCodeOrigin] = []
        if value.isList {
            for name in try value.strings() {
                codes.append(PlatformErrorCode(name: name, number: nil, isUnverified: false))
            }
            return (codes, [])
        }
        for (name, value) in try value.entries() {
            if value.isMapping {
                let number = try value.written(under: "number").map { value throws(SourceError) in try value.int() }
                let code = PlatformErrorCode(name: name, number: number, isUnverified: false)
                codes.append(code)
                for (id, names) in try value.entries() where id != "number" {
                    guard let source = below.first(where: { $0.id == id }) else {
                        throw names.error("there is no layer \(id) above this one")
                    }
                    origins += try source.origins(of: code, names, during: nil)
                }
                continue
            }
            let (text, isUnverified) = PlatformErrorCellReader.mark(try value.string())
            let range = text.wholeMatch(of: /(0x[0-9A-Fa-f]+|[0-9]+)-(0x[0-9A-Fa-f]+|[0-9]+)/)
            let number = Self.number(range.map(\.1) ?? text[...])
            guard number != nil || text == "-" else { throw value.error("expected a number, or - for none") }
            codes.append(
                PlatformErrorCode(
                    name: name, number: number, last: range.flatMap { Self.number($0.2) }, isUnverified: isUnverified))
        }
        return (codes, origins)
    }

    private static func number(_ text: Substring) -> Int? {
        text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    }

    /// Reads the codes of this interface that a code of another one stands for: a name, a list, or one for each operation.
    private func origins(
        of code: PlatformErrorCode, _ value: YAMLValue, during operation: PlatformOperation?
    ) throws(SourceError) -> [PlatformCodeOrigin] {
        var origins: [PlatformCodeOrigin] = []
        if value.isMapping {
            for (word, names) in try value.entries() {
                guard let operation = PlatformOperation(rawValue: word) else {
                    throw names.error("there is no operation \(word)")
                }
                origins += try self.origins(of: code, names, during: operation)
            }
            return origins
        }
        for item in value.itemsOrSelf() {
            let (name, isUnverified) = PlatformErrorCellReader.mark(try item.string())
            guard codes.contains(where: { $0.name == name }) else {
                throw item.error("\(self.name) has no code \(name)")
            }
            origins.append(
                PlatformCodeOrigin(
                    code: code, interface: id, name: name, operation: operation, isUnverified: isUnverified))
        }
        return origins
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

extension YAMLValue {
    /// Reads sentences by the name that they belong to.
    fileprivate func texts(about names: [String], kind: String) throws(SourceError) -> [String: [String]] {
        var texts: [String: [String]] = [:]
        for (name, value) in try entries() {
            guard names.contains(name) else { throw value.error("there is no \(kind) \(name)") }
            texts[name] = try value.strings()
        }
        return texts
    }
}
