import Causes
import ErrorSearch
import PlatformErrors
import TestSupport
import Testing

/// Queries for the tests of the table.
enum Errors {
    /// The errors of a cause through one interface, as `-8 biometryLockout` or `TYPE_UNKNOWN`.
    static func of(
        _ cause: String, _ layer: String, on platform: Platform, during operation: PlatformOperation? = nil,
        choosing choices: [String: String] = [:]
    ) -> [String] {
        PlatformErrorVocabulary(platform: platform, choices: choices).errors(of: Cause(cause), during: operation)
            .filter { $0.interface == layer }.map(words)
    }

    static func words(_ error: PlatformError) -> String {
        (error.code.map { "\($0) " } ?? "") + error.name
    }

    /// Whether every part of a cell with that name is marked as unverified.
    static func isUnverified(_ cause: String, _ layer: String, on platform: Platform) -> Bool {
        let errors = PlatformErrorVocabulary(platform: platform).errors(of: Cause(cause)).filter {
            $0.interface == layer
        }
        return !errors.isEmpty && errors.allSatisfy { $0.unverified == true }
    }

    /// The numbers and names an interface has.
    static func codes(_ layer: String) throws -> [String: Int?] {
        Dictionary(
            uniqueKeysWithValues: try #require(PlatformErrorTable.shared.interface(layer)).codes.map {
                ($0.name, $0.number)
            })
    }
}

/// What the search finds in a pasted text.
enum Lookup {
    /// The confirmed cells of a platform, or of all.
    static func verified(
        _ text: String, on platform: Platform? = nil
    ) -> [(outcome: PlatformErrorRow, cell: PlatformErrorCell)] {
        PlatformErrorSearch.shared.find(text) { platform.map($0.platforms.contains) ?? true }.findings.flatMap {
            finding in
            finding.cells.filter { !$0.isUnverified }.map { (finding.outcome, $0) }
        }
    }

    /// The first cause and its first code, as `lockedOut.timed BiometricPrompt 7 ERROR_LOCKOUT`.
    static func first(_ text: String) -> String {
        guard let finding = PlatformErrorSearch.shared.find(text).findings.first else { return "" }
        let cell = finding.cells.first
        let interface = cell.flatMap { PlatformErrorTable.lookup.interface($0.interface) }
        let code = cell.flatMap { interface?.written($0.code) }
        return [finding.outcome.cause.rawValue, interface?.name, code, cell?.code.name].compactMap(\.self)
            .joined(separator: " ")
    }
}
