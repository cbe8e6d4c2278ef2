package import Biometrics
package import Documents

/// The words in which one kind of device tells what happened: its platform's, and what its profile chooses where
/// public sources disagree.
package struct FaceVocabulary: Sendable {
    /// Whose interfaces there are.
    package let platform: Platform
    /// What was chosen, by setting; for all others the first variant holds.
    package let choices: [String: String]
    private let table: FaceTable

    package init(platform: Platform, choices: [String: String] = [:], table: FaceTable = .shared) {
        self.platform = platform
        self.choices = choices
        self.table = table
    }

    /// What a cause looks like, interface by interface; nothing for a cause without a row.
    ///
    /// - Parameter operation: what was asked for, if it is known: leaves out what only the other operations of an
    ///   interface would tell.
    package func faces(of cause: String, during operation: FaceOperation? = nil) -> [Face] {
        table.outcome(cause).map { faces($0, during: operation) } ?? []
    }

    /// What is told about a sample that could not be compared.
    package func faces(ofHint hint: String, modality: BiometricModality?) -> [Face] {
        guard let row = table.hint(hint) else { return [] }
        return faces(row, during: nil).filter { face in
            guard let modality, let own = table.layer(face.layer)?.modality else { return true }
            return own == modality
        }
    }

    /// Whether an entry holds here.
    package func includes(_ entry: FaceEntry) -> Bool {
        entry.platforms.contains(platform) && entry.choices.allSatisfy { chosen($0.key) == $0.value }
    }

    /// The settings that make a difference on this platform.
    package var settings: Set<String> {
        table.outcomes.reduce(into: []) { settings, row in
            for entry in row.entries where entry.platforms.contains(platform) { settings.formUnion(entry.choices.keys) }
        }
    }

    /// The variant of a setting that holds here.
    package func chosen(_ setting: String) -> String? {
        choices[setting] ?? table.settings.first { $0.name == setting }?.variants.first?.name
    }

    private func faces(_ row: FaceOutcome, during operation: FaceOperation?) -> [Face] {
        var faces: [Face] = []
        let entries = Dictionary(grouping: row.entries.filter(includes), by: \.layer)
        for layer in table.layers {
            guard let entries = entries[layer.id] else { continue }
            var codes: [FaceCode] = []
            for entry in entries where !codes.contains(entry.code) { codes.append(entry.code) }
            for code in codes {
                let those = entries.filter { $0.code == code }
                let operations = those.reduce(into: Set<FaceOperation>()) { $0.formUnion($1.operations) }
                let isUnverified = those.allSatisfy(\.isUnverified)
                if operations.count == layer.operations.count {
                    faces.append(Face(layer, code, operation: nil, isUnverified: isUnverified))
                    continue
                }
                // An operation the interface does not know says nothing about those it does.
                let wanted = operation.flatMap { layer.operations.contains($0) ? $0 : nil }
                for each in layer.operations where operations.contains(each) && (wanted ?? each) == each {
                    faces.append(Face(layer, code, operation: each, isUnverified: isUnverified))
                }
            }
        }
        return faces
    }
}

/// What an outcome looks like through one interface.
package struct Face: Hashable, Sendable, Codable {
    /// The interface's name in the table, such as `la-error`.
    package let layer: String
    /// The number, where there is one.
    package let code: Int?
    /// The name, such as `biometryLockout`.
    package let name: String
    /// What has to be asked for it to look like this; nil when that makes no difference.
    package let operation: FaceOperation?
    /// True for what no public source confirms, nil otherwise.
    package let unverified: Bool?
    /// As people write it, such as `LAError -8 biometryLockout`.
    package let text: String

    init(_ layer: FaceLayer, _ code: FaceCode, operation: FaceOperation?, isUnverified: Bool) {
        self.layer = layer.id
        self.code = code.number
        name = code.name
        self.operation = operation
        unverified = isUnverified ? true : nil
        text = ([layer.name] + [code.number.map(layer.written), code.name].compactMap(\.self)).joined(separator: " ")
    }

    /// Who looks through the interface.
    package var kind: FaceLayer.Kind? { FaceTable.shared.layer(layer)?.kind }
}

extension FaceVocabulary {
    /// Reads what a profile chooses.
    package init(reading value: YAMLValue?, platform: Platform, table: FaceTable = .shared) throws(SourceError) {
        var choices: [String: String] = [:]
        if let value {
            let fields = try value.fields(Set(table.settings.map(\.name)))
            for setting in table.settings {
                guard let choice = fields[setting.name] else { continue }
                let name = try choice.string()
                guard setting.variants.contains(where: { $0.name == name }) else {
                    let names = setting.variants.map(\.name).joined(separator: ", ")
                    throw choice.error("expected one of \(names), found \"\(name)\"")
                }
                choices[setting.name] = name
            }
        }
        self.init(platform: platform, choices: choices, table: table)
    }
}
