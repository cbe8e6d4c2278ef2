/// The part of all selected runs to which a report belongs, as several machines play them.
package struct ReportPart: Hashable, Sendable, Codable {
    /// Its number, counted from 1.
    package var number = 1
    package var count = 1
    /// The number of runs in all parts.
    package var runs = 1

    package init() {}
}
