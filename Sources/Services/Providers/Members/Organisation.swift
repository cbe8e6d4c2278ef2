internal import GRDB

/// An organisation that uses the app; each has a member system of its own.
package enum Organisation: String, CaseIterable, Hashable, Sendable, Codable {
    case nordlys, havblikk, fjellheim

    /// The service that holds the organisation's members.
    package var memberSystem: ServiceName {
        switch self {
        case .nordlys: .nordlysMembers
        case .havblikk: .havblikkMembers
        case .fjellheim: .fjellheimMembers
        }
    }
}

extension Organisation: DatabaseValueConvertible {}
