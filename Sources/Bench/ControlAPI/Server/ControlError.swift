/// The reason why a control server could not perform a request.
package struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
