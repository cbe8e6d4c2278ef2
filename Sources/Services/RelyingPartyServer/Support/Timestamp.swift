internal import Foundation
internal import GRDB

/// A time in whole milliseconds since the Unix epoch, as stored in the database.
package struct Timestamp: RawRepresentable, Hashable, Comparable, Sendable, DatabaseValueConvertible {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The time at this distance from the Unix epoch, clamped to the representable range.
    package init(_ sinceEpoch: Duration) {
        let (seconds, attoseconds) = sinceEpoch.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        rawValue =
            overflow
            ? (seconds < 0 ? .min : .max)
            : whole.saturatingAdd(attoseconds / 1_000_000_000_000_000)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.rawValue < right.rawValue }

    package static func + (left: Timestamp, right: Duration) -> Timestamp {
        Timestamp(rawValue: left.rawValue.saturatingAdd(Timestamp(right).rawValue))
    }

    package static func - (left: Timestamp, right: Timestamp) -> Duration {
        .milliseconds(left.rawValue - right.rawValue)
    }

    /// ISO 8601 in UTC with milliseconds, such as `2026-08-01T12:00:00.000Z`, within the years 1 to 9999.
    package var iso8601: String {
        let (quotient, remainder) = rawValue.quotientAndRemainder(dividingBy: 1000)
        let seconds = remainder < 0 ? quotient - 1 : quotient
        let milliseconds = remainder < 0 ? remainder + 1000 : remainder
        let years1To9999: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
        let date = Date(
            timeIntervalSince1970: Double(min(max(seconds, years1To9999.lowerBound), years1To9999.upperBound)))
        return date.formatted(Date.ISO8601FormatStyle()).dropLast() + ".\(String(1000 + milliseconds).dropFirst())Z"
    }
}

extension Int64 {
    fileprivate func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}

extension Timestamp: Codable {
    /// Writes ISO 8601; times are never read from JSON.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "times are only written")
    }
}
