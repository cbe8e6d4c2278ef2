package import Foundation
internal import SwiftASN1
package import X509

extension Certificate {
    /// The subject's common name; its whole name when it has none.
    package var name: String {
        subject.flatMap { $0 }.first { $0.type == .RDNAttributeType.commonName }.flatMap { String($0.value) }
            ?? subject.description
    }

    /// The reason that a certificate is not valid at a time, with the day in UTC; nil when it is.
    package func problem(at time: Date) -> String? {
        if time < notValidBefore { return "the certificate of \(name) is not valid before \(notValidBefore.day)" }
        return time > notValidAfter ? "the certificate of \(name) expired on \(notValidAfter.day)" : nil
    }
}

extension Date {
    /// The day in UTC, such as `2026-01-31`.
    var day: String { formatted(.iso8601.year().month().day()) }
}
