internal import Documents

/// Reads the cells of the table: codes by platform, operation and setting.
struct PlatformErrorCellReader {
    let interfaces: [PlatformInterface]
    let settings: [PlatformErrorSetting]
    let sources: [String: String]

    /// The platforms, operations and choices a cell, or a part of it, applies to.
    private struct Scope {
        var platforms: Set<Platform>
        var operations: Set<PlatformOperation>
        var choices: [String: String] = [:]
    }

    /// The cells of one row by interface; an empty list removes inherited cells.
    func read(_ row: YAMLValue) throws(SourceError) -> [String: [PlatformErrorCell]] {
        var cells: [String: [PlatformErrorCell]] = [:]
        for (id, cell) in try row.entries() {
            guard let interface = interfaces.first(where: { $0.id == id }) else {
                throw cell.error(
                    "there is no layer \(id); expected one of \(interfaces.map(\.id).joined(separator: ", "))")
            }
            cells[id] = try read(
                cell, of: interface, Scope(platforms: interface.platforms, operations: Set(interface.operations)))
        }
        return cells
    }

    private func read(_ cell: YAMLValue, of interface: PlatformInterface, _ scope: Scope) throws(SourceError)
        -> [PlatformErrorCell]
    {
        var cells: [PlatformErrorCell] = []
        if cell.isList {
            for item in try cell.items() { cells += try read(item, of: interface, scope) }
        } else if cell.isMapping {
            let parts = try cell.entries()
            if parts.contains(where: { $0.key == "code" }) { return [try leaf(cell, of: interface, scope)] }
            for (selector, part) in parts {
                cells += try read(part, of: interface, narrow(scope, to: selector, part))
            }
        } else {
            cells.append(try readCode(cell, of: interface, scope))
        }
        return cells
    }

    private func leaf(_ cell: YAMLValue, of interface: PlatformInterface, _ scope: Scope) throws(SourceError)
        -> PlatformErrorCell
    {
        let fields = try cell.fields(["code", "note", "sources"])
        return try readCode(
            fields.required("code"), of: interface, scope, note: fields["note"]?.string(),
            sources: fields["sources"].map { value throws(SourceError) in try Self.sources(value, among: sources) })
    }

    private func readCode(
        _ value: YAMLValue, of interface: PlatformInterface, _ scope: Scope, note: String? = nil,
        sources: [String]? = nil
    ) throws(SourceError) -> PlatformErrorCell {
        let (name, isUnverified) = Self.mark(try value.string())
        guard let code = interface.codes.first(where: { $0.name == name }) else {
            throw value.error("\(interface.name) has no code \(name)")
        }
        return PlatformErrorCell(
            interface: interface.id, platforms: scope.platforms, operations: scope.operations, choices: scope.choices,
            code: code, isUnverified: isUnverified || code.isUnverified, note: note,
            sources: sources ?? interface.sources, origin: nil)
    }

    private func narrow(_ scope: Scope, to selector: String, _ place: YAMLValue) throws(SourceError) -> Scope {
        var scope = scope
        if let platforms = Platform.selected(by: selector) {
            scope.platforms.formIntersection(platforms)
        } else if let operation = PlatformOperation(rawValue: selector) {
            scope.operations.formIntersection([operation])
        } else {
            let parts = selector.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let setting = settings.first(where: { $0.name == parts[0] }),
                setting.variants.contains(where: { $0.name == parts[1] })
            else { throw place.error("\(selector) is not a platform, operation or variant of a setting") }
            scope.choices[parts[0]] = parts[1]
        }
        return scope
    }

    /// The cells of one row: those written for its interfaces, and those that follow from the codes of other interfaces.
    ///
    /// A translation is left out on the platforms that a written cell names, and everywhere for an empty list of cells.
    func cells(written: [String: [PlatformErrorCell]]) -> [PlatformErrorCell] {
        var cells: [PlatformErrorCell] = []
        for interface in interfaces {
            let own = written[interface.id]
            let named = own.map { $0.isEmpty ? interface.platforms : Set($0.flatMap(\.platforms)) } ?? []
            let translated = interface.origins.flatMap { origin in
                cells.compactMap { translation(of: $0, by: origin, at: interface, except: named) }
            }
            cells += (own ?? []) + translated
        }
        return cells
    }

    private func translation(
        of cell: PlatformErrorCell, by origin: PlatformCodeOrigin, at interface: PlatformInterface,
        except named: Set<Platform>
    ) -> PlatformErrorCell? {
        // First: almost every cell has another code, and sets take long.
        guard cell.code.name == origin.name, cell.interface == origin.interface else { return nil }
        let platforms = cell.platforms.intersection(interface.platforms).subtracting(named)
        guard !platforms.isEmpty else { return nil }
        let shared = cell.operations.intersection(interface.operations)
        let isGeneral = interfaces.contains { $0.id == cell.interface && cell.operations.count == $0.operations.count }
        let operations = isGeneral ? Set(interface.operations) : shared
        return PlatformErrorCell(
            interface: interface.id, platforms: platforms,
            operations: origin.operation.map { operations.intersection([$0]) } ?? operations, choices: cell.choices,
            code: origin.code, isUnverified: cell.isUnverified || origin.isUnverified, note: nil,
            sources: interface.sources, origin: origin)
    }

    /// Reads keys of sources, and throws for an unknown one.
    static func sources(_ value: YAMLValue, among known: [String: String]) throws(SourceError) -> [String] {
        var keys: [String] = []
        for item in try value.items() {
            let key = try item.string()
            guard known[key] != nil else { throw item.error("there is no source \(key)") }
            keys.append(key)
        }
        return keys
    }

    /// A text without its mark, and whether it is marked as unverified.
    static func mark(_ text: String) -> (String, Bool) {
        text.hasSuffix("~") ? (String(text.dropLast()), true) : (text, false)
    }
}
