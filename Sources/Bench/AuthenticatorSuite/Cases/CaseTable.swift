internal import Conformance

/// Collects the cases of a table; the compiler checks each of them by itself, which takes a fraction of a literal's time.
@resultBuilder enum CaseTable {
    static func buildExpression(_ single: Case) -> [Case] { [single] }
    static func buildExpression(_ several: [Case]) -> [Case] { several }
    static func buildBlock(_ parts: [Case]...) -> [Case] { parts.flatMap { $0 } }
    static func buildArray(_ parts: [[Case]]) -> [Case] { parts.flatMap { $0 } }
    static func buildOptional(_ part: [Case]?) -> [Case] { part ?? [] }
}
