internal import Documents

/// Reads the cells of the table: codes, told apart by platform, operation or setting.
struct FaceCellReader {
    let layers: [FaceLayer]
    let settings: [FaceSetting]
    let sources: [String: String]

    /// Where a cell, or a part of it, holds.
    private struct Scope {
        var platforms: Set<Platform>
        var operations: Set<FaceOperation>
        var choices: [String: String] = [:]
    }

    /// The cells of one row, by layer; a layer with an empty list has none.
    func read(_ row: YAMLValue) throws(SourceError) -> [String: [FaceEntry]] {
        var entries: [String: [FaceEntry]] = [:]
        for (id, cell) in try row.entries() {
            guard let layer = layers.first(where: { $0.id == id }) else {
                throw cell.error("there is no layer \(id); expected one of \(layers.map(\.id).joined(separator: ", "))")
            }
            entries[id] = try read(
                cell, of: layer, Scope(platforms: layer.platforms, operations: Set(layer.operations)))
        }
        return entries
    }

    private func read(_ cell: YAMLValue, of layer: FaceLayer, _ scope: Scope) throws(SourceError) -> [FaceEntry] {
        var entries: [FaceEntry] = []
        if cell.isList {
            for item in try cell.items() { entries += try read(item, of: layer, scope) }
        } else if cell.isMapping {
            let parts = try cell.entries()
            if parts.contains(where: { $0.key == "code" }) { return [try leaf(cell, of: layer, scope)] }
            for (selector, part) in parts {
                entries += try read(part, of: layer, narrow(scope, to: selector, part))
            }
        } else {
            entries.append(try entry(cell, of: layer, scope))
        }
        return entries
    }

    private func leaf(_ cell: YAMLValue, of layer: FaceLayer, _ scope: Scope) throws(SourceError) -> FaceEntry {
        let fields = try cell.fields(["code", "note", "sources"])
        return try entry(
            fields.required("code"), of: layer, scope, note: fields["note"]?.string(),
            sources: fields["sources"].map { value throws(SourceError) in try Self.sources(value, among: sources) })
    }

    private func entry(
        _ value: YAMLValue, of layer: FaceLayer, _ scope: Scope, note: String? = nil, sources: [String]? = nil
    ) throws(SourceError) -> FaceEntry {
        let (name, isUnverified) = Self.mark(try value.string())
        guard let code = layer.codes.first(where: { $0.name == name }) else {
            throw value.error("\(layer.name) has no code \(name)")
        }
        return FaceEntry(
            layer: layer.id, platforms: scope.platforms, operations: scope.operations, choices: scope.choices,
            code: code, isUnverified: isUnverified || code.isUnverified, note: note, sources: sources ?? layer.sources)
    }

    private func narrow(_ scope: Scope, to selector: String, _ place: YAMLValue) throws(SourceError) -> Scope {
        var scope = scope
        if let platforms = Platform.selected(by: selector) {
            scope.platforms.formIntersection(platforms)
        } else if let operation = FaceOperation(rawValue: selector) {
            scope.operations.formIntersection([operation])
        } else {
            let parts = selector.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let setting = settings.first(where: { $0.name == parts[0] }),
                setting.variants.contains(where: { $0.name == parts[1] })
            else { throw place.error("\(selector) is no platform, operation or variant of a setting") }
            scope.choices[parts[0]] = parts[1]
        }
        return scope
    }

    /// The keys of sources, all of which must exist.
    static func sources(_ value: YAMLValue, among known: [String: String]) throws(SourceError) -> [String] {
        var keys: [String] = []
        for item in try value.items() {
            let key = try item.string()
            guard known[key] != nil else { throw item.error("there is no source \(key)") }
            keys.append(key)
        }
        return keys
    }

    /// A text and whether it is marked as unverified.
    static func mark(_ text: String) -> (String, Bool) {
        text.hasSuffix("~") ? (String(text.dropLast()), true) : (text, false)
    }
}
