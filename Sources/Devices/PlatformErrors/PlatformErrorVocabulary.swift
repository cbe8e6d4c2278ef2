package import Biometrics
package import Causes
package import Documents

/// The platform errors of one kind of device: those of its platform, with its profile's choices where public sources
/// disagree.
package struct PlatformErrorVocabulary: Sendable {
    package let platform: Platform
    /// The chosen variants by setting; default: the first variant.
    package let choices: [String: String]
    /// Nil for the built-in table, which takes longer to read than a whole profile: most devices never need it.
    private let otherTable: PlatformErrorTable?
    private var table: PlatformErrorTable { otherTable ?? .shared }

    /// - Parameter table: the table; nil for the built-in one.
    package init(platform: Platform, choices: [String: String] = [:], table: PlatformErrorTable? = nil) {
        self.platform = platform
        self.choices = choices
        otherTable = table
    }

    /// The errors of a cause, interface by interface; empty for a cause without a row.
    ///
    /// - Parameter operation: the requested operation, if known; omits the errors of other operations.
    package func errors(of cause: Cause, during operation: PlatformOperation? = nil) -> [PlatformError] {
        table.outcome(cause).map { errors($0, during: operation) } ?? []
    }

    /// The errors of a cause that an app gets from its platform, and from SDKs between the two.
    package func errors(of cause: Cause, reachingCallerDuring operation: PlatformOperation) -> [PlatformError] {
        errors(of: cause, during: operation).filter { error in
            (error.kind == .platform || error.kind == .sdk) && error.reachesCaller(during: operation)
        }
    }

    /// The errors that report a hint about a sample the sensor could not compare.
    package func errors(ofHint hint: String, modality: BiometricModality?) -> [PlatformError] {
        guard let row = table.hint(hint) else { return [] }
        return errors(row, during: nil).filter { error in
            guard let modality, let own = table.interface(error.interface)?.modality else { return true }
            return own == modality
        }
    }

    /// The text of every error of the platform.
    package var texts: Set<String> {
        table.outcomes.reduce(into: []) { $0.formUnion(errors($1, during: nil).map(\.text)) }
    }

    package func includes(_ cell: PlatformErrorCell) -> Bool {
        cell.platforms.contains(platform) && cell.choices.allSatisfy { chosen($0.key) == $0.value }
    }

    /// The settings that make a difference on this platform.
    package var settings: Set<String> {
        table.outcomes.reduce(into: []) { settings, row in
            for cell in row.cells where cell.platforms.contains(platform) { settings.formUnion(cell.choices.keys) }
        }
    }

    /// The chosen variant of a setting, or its default.
    package func chosen(_ setting: String) -> String? {
        choices[setting] ?? table.settings.first { $0.name == setting }?.variants.first?.name
    }

    private func errors(_ row: PlatformErrorRow, during operation: PlatformOperation?) -> [PlatformError] {
        var errors: [PlatformError] = []
        let cells = Dictionary(grouping: row.cells.filter(includes), by: \.interface)
        for interface in table.interfaces {
            guard let cells = cells[interface.id] else { continue }
            var codes: [PlatformErrorCode] = []
            for cell in cells where !codes.contains(cell.code) { codes.append(cell.code) }
            for code in codes {
                let those = cells.filter { $0.code == code }
                let operations = those.reduce(into: Set<PlatformOperation>()) { $0.formUnion($1.operations) }
                let isUnverified = those.allSatisfy(\.isUnverified)
                let message = interface.messages.message(of: code, in: those)
                func error(_ operation: PlatformOperation?) -> PlatformError {
                    PlatformError(
                        interface, code, operation: operation, isUnverified: isUnverified, message: message)
                }
                if operations.count == interface.operations.count {
                    errors.append(error(nil))
                    continue
                }
                // An operation outside the interface's list does not restrict the errors.
                let wanted = operation.flatMap { interface.operations.contains($0) ? $0 : nil }
                for each in interface.operations where operations.contains(each) && (wanted ?? each) == each {
                    errors.append(error(each))
                }
            }
        }
        return errors
    }
}

/// The error of an outcome at one interface.
package struct PlatformError: Hashable, Sendable, Codable {
    /// The interface's name in the table, such as `la-error`.
    package let interface: String
    package let code: Int?
    /// The name, such as `biometryLockout`.
    package let name: String
    /// The operation that reports the error; nil when every operation does.
    package let operation: PlatformOperation?
    /// True when no public source confirms the error, nil otherwise.
    package let unverified: Bool?
    /// The error as text, such as `LAError -8 biometryLockout`.
    package let text: String
    /// The sentence that an app gets with the error; nil when no source tells it.
    package let message: String?

    private enum CodingKeys: String, CodingKey {
        case interface = "layer"
        case code, name, operation, unverified, text, message
    }

    init(
        _ interface: PlatformInterface, _ code: PlatformErrorCode, operation: PlatformOperation?, isUnverified: Bool,
        message: String? = nil
    ) {
        self.interface = interface.id
        self.code = code.number
        name = code.name
        self.operation = operation
        unverified = isUnverified ? true : nil
        self.message = message
        text = ([interface.name] + [interface.written(code), code.name].compactMap(\.self)).joined(separator: " ")
    }

    package var kind: PlatformInterface.Kind? { PlatformErrorTable.shared.interface(interface)?.kind }
}

extension PlatformErrorVocabulary {
    /// Reads a profile's choices; throws for an unknown setting or variant.
    package init(reading value: YAMLValue?, platform: Platform, table: PlatformErrorTable? = nil) throws(SourceError) {
        var choices: [String: String] = [:]
        if let value {
            let known = table ?? .shared
            let fields = try value.fields(Set(known.settings.map(\.name)))
            for setting in known.settings {
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
