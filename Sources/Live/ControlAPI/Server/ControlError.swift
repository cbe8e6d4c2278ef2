/// The reason why a control server could not perform a request.
package struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the reason is a name in use.
    package let isNameTaken: Bool
}
