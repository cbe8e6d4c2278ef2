internal import GRDB

/// A member's role in the organisation: Peer Mentor, Coordinator or Organization Administrator.
///
/// The app has a home for each.
package enum MemberRole: String, CaseIterable, Hashable, Sendable, Codable {
    case peerMentor = "peer-mentor"
    case coordinator
    case organizationAdministrator = "organization-administrator"

    /// The name of its home in the app.
    var homeScreen: String { self == .organizationAdministrator ? "administrator-home" : "\(rawValue)-home" }
}

/// A record of the member system.
package struct Member: Hashable, Sendable, Codable {
    package let id: String
    package let organisation: Organisation
    package var name: String
    package var email: String
    package var phone: String
    package var address: String
    package var role: MemberRole
    /// The personnummer; nil while the record has none.
    package var nationalID: String?

    package enum CodingKeys: String, CodingKey {
        case id, organisation, name, email, phone, address, role
        case nationalID = "national_id"
    }
}

/// The outcome of a personnummer that a login brought.
package struct MemberAuditEntry: Hashable, Sendable, Codable {
    /// The outcomes; the raw value is shown.
    package enum Outcome: String, CaseIterable, Hashable, Sendable, Codable {
        /// The record had none, and has it now.
        case updated
        /// The record had the same.
        case confirmed = "confirmed, no change"
        /// The record has another one, which stays.
        case conflict
        /// The member system gave no answer.
        case failed
    }

    /// The member; nil when the member system gave no answer.
    package let memberID: String?
    /// The time, ISO 8601.
    package let at: String
    /// The login, such as `vipps-login`.
    package let source: String
    package let outcome: Outcome

    enum CodingKeys: String, CodingKey {
        case at, source, outcome
        case memberID = "member_id"
    }
}

extension MemberRole: DatabaseValueConvertible {}
extension MemberAuditEntry.Outcome: DatabaseValueConvertible {}

extension Member: FetchableRecord, PersistableRecord {
    static let databaseTableName = "members"
}
