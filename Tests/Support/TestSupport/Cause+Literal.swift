public import Causes

/// Lets an expectation name a cause as text; sources use the constants.
extension Cause: ExpressibleByStringLiteral {
    public init(stringLiteral name: String) {
        self.init(name)
    }
}
