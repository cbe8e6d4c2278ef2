public import Causes

/// Lets an expectation name a cause as text; sources use the constants.
extension Cause: ExpressibleByStringLiteral {
    /// Creates a cause from its name.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}
