/// Collects the cases of a table, one expression after another.
///
/// The compiler checks each case by itself, which takes a fraction of the time of a literal with closures.
@resultBuilder
package enum CaseTable<Bench: ConformanceBench> {
    package typealias Case = ConformanceCase<Bench>

    package static func buildExpression(_ single: Case) -> [Case] { [single] }
    package static func buildExpression(_ several: [Case]) -> [Case] { several }
    package static func buildBlock(_ parts: [Case]...) -> [Case] { parts.flatMap(\.self) }
    package static func buildArray(_ parts: [[Case]]) -> [Case] { parts.flatMap(\.self) }
    package static func buildOptional(_ part: [Case]?) -> [Case] { part ?? [] }
}
