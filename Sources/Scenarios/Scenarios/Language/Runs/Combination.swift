internal import Documents

/// The values of a run's parameters, which distinguish it from the other runs of its scenario.
package struct Combination: Sendable {
    package struct Choice: Hashable, Sendable, Codable {
        package let parameter: String
        package let value: String
    }

    /// The values of the matrix's parameters, in the order written.
    package let choices: [Choice]
    let values: [String: YAMLValue]

    /// The choices as the command line writes them: `phone=pixel-fingerprint, role=member`.
    package var words: String { choices.map { "\($0.parameter)=\($0.value)" }.joined(separator: ", ") }
}
