internal import GRDB

/// The tables of the member systems, and their first records.
enum MemberSchema {
    static let first = """
        CREATE TABLE members (
            id TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            email TEXT NOT NULL UNIQUE COLLATE NOCASE,
            phone TEXT NOT NULL,
            address TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('member', 'leader', 'administrator')),
            national_id TEXT
        ) STRICT;
        CREATE TABLE member_logins (
            login TEXT PRIMARY KEY NOT NULL,
            member_id TEXT NOT NULL REFERENCES members(id) ON DELETE CASCADE
        ) STRICT;
        CREATE TABLE member_audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            member_id TEXT,
            at INTEGER NOT NULL,
            source TEXT NOT NULL,
            outcome TEXT NOT NULL
        ) STRICT;
        """

    /// Gives each member an organisation, and the roles their present names.
    static let organisations = """
        CREATE TABLE new_members (
            id TEXT PRIMARY KEY NOT NULL,
            organisation TEXT NOT NULL CHECK (organisation IN ('nordlys', 'havblikk', 'fjellheim')),
            name TEXT NOT NULL,
            email TEXT NOT NULL UNIQUE COLLATE NOCASE,
            phone TEXT NOT NULL,
            address TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('peer-mentor', 'coordinator', 'organization-administrator')),
            national_id TEXT
        ) STRICT;
        INSERT INTO new_members
            SELECT id, CASE id WHEN 'kari' THEN 'nordlys' WHEN 'ola' THEN 'havblikk' ELSE 'fjellheim' END, name, email,
                phone, address, \(presentRole), national_id
            FROM members;
        DROP TABLE members;
        ALTER TABLE new_members RENAME TO members;
        """

    /// The present name of a role in an earlier table.
    static let presentRole = """
        CASE role WHEN 'member' THEN 'peer-mentor' WHEN 'leader' THEN 'coordinator' ELSE 'organization-administrator' END
        """

    /// The residents as members without a personnummer, each known by their logins at the providers.
    static func addResidents(_ db: Database) throws {
        for (resident, role) in zip(Resident.all, ["member", "leader", "administrator"]) {
            try db.execute(
                sql: "INSERT INTO members (id, name, email, phone, address, role) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    resident.id, resident.name, resident.email, resident.phoneNumber,
                    "\(resident.streetAddress), \(resident.postalCode) \(resident.town)", role,
                ])
            for provider in OpenIDProviderName.allCases {
                try db.execute(
                    sql: "INSERT INTO member_logins (login, member_id) VALUES (?, ?)",
                    arguments: [MemberSystem.login(provider, provider.subject(of: resident)), resident.id])
            }
        }
    }

    /// Members of the same organisations who have no login at a provider.
    static func addColleagues(_ db: Database) throws {
        for colleague in colleagues { try colleague.insert(db) }
    }

    private static let colleagues = [
        member("eva", .nordlys, "Eva Strand", .coordinator, "4790000004", "Parkveien 2, 0350 Oslo"),
        member("anne", .havblikk, "Anne Lund", .peerMentor, "4790000005", "Strandgaten 9, 5013 Bergen"),
        member("per", .havblikk, "Per Vik", .peerMentor, "4790000006", "Fjellveien 12, 5019 Bergen"),
        member("jon", .fjellheim, "Jon Dahl", .peerMentor, "4790000007", "Elvegata 3, 7012 Trondheim"),
        member("siri", .fjellheim, "Siri Moen", .coordinator, "4790000008", "Skolegata 5, 7030 Trondheim"),
    ]

    private static func member(
        _ id: String, _ organisation: Organisation, _ name: String, _ role: MemberRole, _ phone: String,
        _ address: String
    ) -> Member {
        Member(
            id: id, organisation: organisation, name: name, email: "\(id)@touchstone.example", phone: phone,
            address: address, role: role, nationalID: nil)
    }
}
