internal import Foundation

/// A variable that leads programs to the user's display.
package enum DisplayVariable: String, CaseIterable, Sendable {
    case x = "DISPLAY"
    case wayland = "WAYLAND_DISPLAY"

    /// The first of several variables that is set, with its value; nil without any.
    package static func first(of variables: [DisplayVariable]) -> (variable: DisplayVariable, value: String)? {
        variables.lazy.compactMap { variable in
            ProcessInfo.processInfo.environment[variable.rawValue].flatMap { $0.isEmpty ? nil : (variable, $0) }
        }.first
    }

    /// The state without any of several variables, as a sentence without a full stop.
    package static func absence(of variables: [DisplayVariable]) -> String {
        variables.count == 1
            ? "\(variables[0].rawValue) is not set"
            : "neither \(variables.map(\.rawValue).joined(separator: " nor ")) is set"
    }
}
