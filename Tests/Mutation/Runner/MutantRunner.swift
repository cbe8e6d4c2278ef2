internal import Foundation
internal import Mutants

/// Runs cases and scenarios on mutants, for `scripts/mutate.py`: reads an order a line, and answers each with a line.
@main
enum MutantRunner {
    static func main() async throws {
        let party = RelyingPartyUnderTest()
        let encoder = JSONEncoder()
        while let line = readLine() {
            let answer = await answer(line, party)
            let bytes = try encoder.encode(answer) + Data("\n".utf8)
            try FileHandle.standardOutput.write(contentsOf: bytes)
        }
        await party.stop()
    }

    private static func answer(_ line: String, _ party: RelyingPartyUnderTest) async -> Answer {
        var answer = Answer()
        do {
            let order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
            switch order.work {
            case .catalogue: answer.catalogue = try await Catalogue.current()
            case .authenticator: answer.red = try await AuthenticatorUnderTest.red(order)
            case .relyingParty: answer.red = try await party.red(order)
            case .scenario: answer.red = try await ScenarioUnderTest.red(order)
            }
        } catch {
            answer.error = "\(error)"
        }
        Mutant.make(nil)
        return answer
    }
}

/// One piece of work.
struct Order: Decodable {
    enum Work: String, Decodable {
        case catalogue, authenticator, scenario
        case relyingParty = "relying-party"
    }

    let work: Work
    /// The mutation; nil for the program as it is.
    var mutation: String?
    /// The fault that is armed instead, as the fault commands spell it.
    var fault: String?
    /// Whether the faults of the profile stay armed.
    var keepsFaults: Bool?
    /// The name of the device's profile.
    var profile: String?
    /// The cases to run, or the beginnings of their identifiers; empty for all.
    var cases: [String]?
    /// The path of a scenario file.
    var scenario: String?
}

/// The answer to an order.
struct Answer: Encodable {
    /// The cases or the runs that turned red.
    var red: [String]?
    var catalogue: Catalogue?
    var error: String?
}

/// An order that makes no sense.
struct OrderError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
