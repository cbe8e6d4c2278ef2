/// Collects the elements of a long list, one expression after another.
///
/// The compiler checks each expression by itself, which takes a fraction of the time of a literal with closures.
@resultBuilder
package enum ListBuilder<Element> {
    package static func buildExpression(_ single: Element) -> [Element] { [single] }
    package static func buildExpression(_ several: [Element]) -> [Element] { several }
    package static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }
    package static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }
    package static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }

    /// The list, for a constant.
    package static func list(@ListBuilder<Element> _ elements: () -> [Element]) -> [Element] { elements() }
}
