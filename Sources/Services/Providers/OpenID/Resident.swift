/// A made-up person that the services know.
///
/// The personnummer is synthetic: its month is 80 too high, as in the tax administration's test population.
package struct Resident: Hashable, Sendable {
    /// The short name, for settings.
    package let id: String
    package let givenName: String
    package let familyName: String
    /// ISO 8601.
    package let birthdate: String
    /// The personnummer, 11 digits.
    package let nationalID: String
    package let email: String
    package let phoneNumber: String
    package let streetAddress: String
    package let postalCode: String
    package let town: String

    package var name: String { "\(givenName) \(familyName)" }

    package static let kari = Resident(
        id: "kari", givenName: "Kari", familyName: "Nordmann", birthdate: "1990-03-14", nationalID: "14839010150",
        email: "kari@touchstone.example", phoneNumber: "4790000001", streetAddress: "Storgata 1", postalCode: "0155",
        town: "Oslo")
    package static let ola = Resident(
        id: "ola", givenName: "Ola", familyName: "Hansen", birthdate: "1984-11-02", nationalID: "02918420188",
        email: "ola@touchstone.example", phoneNumber: "4790000002", streetAddress: "Bryggen 7", postalCode: "5003",
        town: "Bergen")
    package static let ingrid = Resident(
        id: "ingrid", givenName: "Ingrid", familyName: "Berg", birthdate: "1975-06-21", nationalID: "21867530239",
        email: "ingrid@touchstone.example", phoneNumber: "4790000003", streetAddress: "Kongens gate 4",
        postalCode: "7011", town: "Trondheim")

    package static let all = [kari, ola, ingrid]
}

extension Resident {
    package init?(id: String) {
        guard let resident = Self.all.first(where: { $0.id == id }) else { return nil }
        self = resident
    }
}
